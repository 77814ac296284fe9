/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An input as a file, for fuzz targets of what opens files: in memory, and one for all inputs.
 */
#ifndef RDA_FUZZ_FILE_H
#define RDA_FUZZ_FILE_H

#include "tests/fuzz/must.h"

#include <sys/mman.h>
#include <unistd.h>

/* Its name, which stays good until the next call. */
static inline char *rda_fuzz_file(const uint8_t *data, size_t size)
{
	static char name[64];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("input", 0);
		RDA_MUST(fd >= 0);
		snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	}
	RDA_MUST(ftruncate(fd, 0) == 0);
	RDA_MUST(pwrite(fd, data, size, 0) == (ssize_t)size);
	return name;
}

#endif
