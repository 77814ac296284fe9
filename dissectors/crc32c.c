/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CRC32c, by ISA-L.
 */
#include "dissectors/crc32c.h"

#include "dissectors/wide.h"

#include <isa-l/crc.h>

uint32_t rda_crc32c(uint32_t crc, const uint8_t *bytes, uint32_t length)
{
	/* ISA-L takes no const, and leaves the bytes alone */
	crc = ~crc32_iscsi((unsigned char *)(uintptr_t)bytes, (int)length, ~crc);
	rda_wide_end();
	return crc;
}
