/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The corpus of fuzz_upper, each message cut at every length, on the wire and when it was captured,
 * and given to every reader. Behind the last byte is memory that nobody may touch: one byte too
 * many ends the program in any build.
 *
 *     cut_upper tests/fuzz/corpus/fuzz_upper
 */
#define _DEFAULT_SOURCE
#include "tests/fuzz/must.h"
#include "tests/fuzz/upper.h"

#include <dirent.h>
#include <string.h>
#include <sys/mman.h>

enum { ROOM = 1 << 16, GUARD = 1 << 16, HEAD = 2 /* of an input of fuzz_upper */ };

static uint8_t *end; /* of what may be touched */

/* The first `have` bytes are in memory. */
static void read_cut(const uint8_t *message, uint32_t have, uint32_t length)
{
	uint8_t *bytes = end - have;

	memcpy(bytes, message, have);
	for (unsigned reader = 0; reader < RDA_UPPER_READERS; reader++)
		rda_upper_read(reader, bytes, have, length);
}

static void cut(const char *path)
{
	static uint8_t input[HEAD + ROOM];
	FILE *file = fopen(path, "rb");
	size_t size;
	uint32_t length;

	RDA_MUST(file);
	size = fread(input, 1, sizeof(input), file);
	RDA_MUST(!ferror(file) && size < sizeof(input));
	fclose(file);
	if (size < HEAD) /* as fuzz_upper has it */
		return;
	length = (uint32_t)size - HEAD;
	for (uint32_t have = 0; have <= length; have++) {
		read_cut(input + HEAD, have, have);
		read_cut(input + HEAD, have, length);
	}
}

static int is_input(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int main(int argc, char **argv)
{
	struct dirent **entries;
	uint8_t *memory = mmap(NULL, ROOM + GUARD, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int count;

	RDA_MUST(argc == 2 && memory != MAP_FAILED);
	end = memory + ROOM;
	RDA_MUST(mprotect(end, GUARD, PROT_NONE) == 0);
	count = scandir(argv[1], &entries, is_input, alphasort);
	RDA_MUST(count > 0);
	for (int i = 0; i < count; i++) {
		char path[4096];

		RDA_MUST(snprintf(path, sizeof(path), "%s/%s", argv[1], entries[i]->d_name) <
			 (int)sizeof(path));
		printf("%s\n", entries[i]->d_name); /* the last one printed is the one that broke */
		fflush(stdout);
		cut(path);
		free(entries[i]);
	}
	free(entries);
	munmap(memory, ROOM + GUARD);
	printf("%d inputs, cut at every length\n", count);
	return EXIT_SUCCESS;
}
