/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few fields of an ERF record that make it a frame. See erf_record.h.
 */
#include "analyzer/rdma-analyze/erf_record.h"

#include <glib.h>

#include "analyzer/rdma-analyze/source_reader.h"

unsigned rda_erf_sub_header_bytes(uint8_t type)
{
	switch (type & 0x7f) {
	case 2:	 /* Ethernet */
	case 11: /* the same with colours, DSM colours, hash */
	case 16:
	case 20: return 2;
	case 5: /* multi-channel HDLC, raw, ATM, raw channel, AAL5 */
	case 6:
	case 7:
	case 8:
	case 9:
	case 12: /* multi-channel AAL2 */
	case 17: /* coloured multi-channel HDLC */
	case 18: /* AAL2 */ return 4;
	default: return 0;
	}
}

void rda_erf_trim(const uint8_t *bytes, uint32_t *captured, uint32_t *wire)
{
	uint32_t headers = RDA_ERF_HEADER_BYTES, packet;
	bool extended;

	if (*captured < headers)
		return;
	for (extended = bytes[8] >> 7; extended; headers += 8) {
		if (*captured < headers + 8)
			return;
		extended = bytes[headers] >> 7;
	}
	headers += rda_erf_sub_header_bytes(bytes[8]);
	if (*captured < headers)
		return;
	packet = (uint32_t)bytes[14] << 8 | bytes[15]; /* wlen */
	*captured = headers + MIN(packet, *captured - headers);
	*wire = headers + packet;
}

int64_t rda_erf_time(const uint8_t *bytes)
{
	uint64_t time = 0, fraction;

	for (int i = 7; i >= 0; i--)
		time = time << 8 | bytes[i];
	fraction = (time & UINT32_MAX) * 1000000000; /* in 2^-32 ns */
	fraction += (fraction & 0x80000000) << 1;
	if (fraction >> 32 >= 1000000000)
		return rda_source_time((int64_t)(time >> 32) + 1, 0);
	return rda_source_time((int64_t)(time >> 32), (uint32_t)(fraction >> 32));
}
