/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What headers.def expands to: an id, a struct and a reader for every header, and the table of
 * their fields for whoever walks them without knowing them (listings, docs, tests, the plugin).
 *
 * Structs hold values in host byte order. A reader takes its header whole from a cursor and fills
 * the struct; it fails when the bytes are not there, and the cursor stays where it was.
 *
 *     struct rda_reth reth;
 *     if (rda_read_reth(&cursor, &reth)) ...
 */
#ifndef RDA_HEADERS_H
#define RDA_HEADERS_H

#include "dissectors/cursor.h"
#include "dissectors/headers.def"

#include <string.h>

/* RDA_BTH, RDA_RETH, ...: the ids, in the order of the table */
enum rda_header_id {
#define RDA_ID(ID, id, bytes, name, source) RDA_##ID,
	RDA_HEADERS(RDA_ID)
#undef RDA_ID
		RDA_HEADER_COUNT
};

/* RDA_BTH_BYTES, ...: the fixed lengths */
enum {
#define RDA_BYTES(ID, id, bytes, name, source) RDA_##ID##_BYTES = (bytes),
	RDA_HEADERS(RDA_BYTES)
#undef RDA_BYTES
};

/* a set of headers, as a mask */
#define RDA_HAS(ID) (UINT64_C(1) << RDA_##ID)

/* struct rda_bth, struct rda_reth, ... */
#define RDA_F(member, type, bit, width, show, values, name) type member;
#define RDA_B(member, byte, bytes, show, name)		    uint8_t member[bytes];
#define RDA_T(member, byte, show, name)
#define RDA_STRUCT(ID, id, bytes, name, source)                                                    \
	struct rda_##id {                                                                          \
		RDA_##ID##_FIELDS(RDA_F, RDA_B, RDA_T) /* missing? write it in headers.def */      \
	};
RDA_HEADERS(RDA_STRUCT)
#undef RDA_F
#undef RDA_B
#undef RDA_T
#undef RDA_STRUCT

/* bool rda_read_bth(struct rda_cursor *, struct rda_bth *), ... */
#define RDA_F(member, type, bit, width, show, values, name)                                        \
	out->member = (type)rda_bits(p, bit, width);
#define RDA_B(member, byte, bytes, show, name) memcpy(out->member, p + (byte), bytes);
#define RDA_T(member, byte, show, name)
#define RDA_READER(ID, id, bytes, name, source)                                                    \
	static inline bool rda_read_##id(struct rda_cursor *c, struct rda_##id *out)               \
	{                                                                                          \
		const uint8_t *p = rda_cursor_take(c, bytes);                                      \
                                                                                                   \
		if (!p)                                                                            \
			return false;                                                              \
		RDA_##ID##_FIELDS(RDA_F, RDA_B, RDA_T) return true;                                \
	}
RDA_HEADERS(RDA_READER)
#undef RDA_F
#undef RDA_B
#undef RDA_T
#undef RDA_READER

/* how a person reads a field */
enum rda_show {
	RDA_SHOW_DEC,
	RDA_SHOW_HEX,
	RDA_SHOW_FLAG,
	RDA_SHOW_MAC,
	RDA_SHOW_IP4,
	RDA_SHOW_IP6,
	RDA_SHOW_BYTES,
};

struct rda_field {
	const char *member; /* "rkey" */
	const char *name;   /* "Remote Key" */
	uint16_t bit;	    /* offset from the start of the header */
	uint16_t width;	    /* bits; 0: to the end of the layer */
	uint8_t show;	    /* enum rda_show */
	uint8_t values;	    /* enum rda_value_set */
};

struct rda_header {
	const char *id;	    /* "reth" */
	const char *name;   /* "RDMA Extended Transport Header" */
	const char *source; /* "IBTA vol 1" */
	uint16_t bytes;
	uint8_t field_count;
	const struct rda_field *fields;
};

extern const struct rda_header rda_headers[RDA_HEADER_COUNT];

/* True where the field is a number of at most 64 bits: rda_bits reads it. */
static inline bool rda_field_is_number(const struct rda_field *field)
{
	return field->show <= RDA_SHOW_FLAG;
}

#endif
