/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of headers and fields, expanded from headers.def.
 */
#include "dissectors/headers.h"
#include "dissectors/values.h"

#define RDA_F(member, type, bit, width, show, values, name)                                        \
	{#member, name, bit, width, RDA_SHOW_##show, RDA_SET_##values},
#define RDA_B(member, byte, bytes, show, name)                                                     \
	{#member, name, (byte)*8, (bytes)*8, RDA_SHOW_##show, RDA_SET_NONE},
#define RDA_T(member, byte, show, name) {#member, name, (byte)*8, 0, RDA_SHOW_##show, RDA_SET_NONE},

#define RDA_FIELDS(ID, id, bytes, name, source)                                                    \
	static const struct rda_field id##_fields[] = {RDA_##ID##_FIELDS(RDA_F, RDA_B, RDA_T)};
RDA_HEADERS(RDA_FIELDS)

const struct rda_header rda_headers[RDA_HEADER_COUNT] = {
#define RDA_ROW(ID, id, bytes, name, source)                                                       \
	[RDA_##ID] = {                                                                             \
		#id,	    name, source, bytes, sizeof(id##_fields) / sizeof(id##_fields[0]),     \
		id##_fields},
	RDA_HEADERS(RDA_ROW)};
