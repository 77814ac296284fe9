/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wireshark's tables of conversations and endpoints.
 *
 * An end is an address and a QP as one text, because tshark leaves ports out of all tables but
 * those of TCP, UDP and SCTP. That text is what rdma.endpoint has, so that the filters which
 * Wireshark makes of a row are right.
 *
 * A row of a conversation is found by the number of its connection and two made-up ends, not by its
 * own: they may become known while packets come, and two connections may have the same ones one
 * after the other.
 */
#include "plugin/protocol.h"

#include "plugin/compat.h"
#include "plugin/ends.h"

#include <string.h>

/* The made-up ends: the side that sent first, and the other. */
enum { FIRST, SECOND };
static const char made_up[][2] = {[FIRST] = "1", [SECOND] = "2"};

static address address_of(unsigned side)
{
	address to;

	set_address(&to, AT_STRINGZ, sizeof(made_up[side]), made_up[side]);
	return to;
}

static const char *filter_of_conversation(conv_item_t *item, conv_filter_type_e type)
{
	(void)item;
	switch (type) {
	case CONV_FT_SRC_ADDRESS: return "rdma.src_endpoint";
	case CONV_FT_DST_ADDRESS: return "rdma.dest_endpoint";
	case CONV_FT_ANY_ADDRESS: return "rdma.endpoint";
	default: return CONV_FILTER_INVALID;
	}
}

static const char *filter_of_endpoint(rda_endpoint_row *item, conv_filter_type_e type)
{
	(void)item;
	return type == CONV_FT_ANY_ADDRESS ? "rdma.endpoint" : CONV_FILTER_INVALID;
}

/* The row that was made by a packet of `side`; NULL when there is none, and *found is its key. */
static conv_item_t *row_of(conv_hash_t *hash, uint32_t id, unsigned side, conv_key_t **found)
{
	const conv_key_t key = {address_of(side), address_of(!side), side, !side, id};
	gpointer index, kept;

	if (!g_hash_table_lookup_extended(hash->hashtable, &key, &kept, &index))
		return NULL;
	*found = kept;
	return &g_array_index(hash->conv_array, conv_item_t, GPOINTER_TO_UINT(index));
}

static void name(address *to, const struct rda_endpoint *end)
{
	char text[RDA_END_TEXT];

	rda_end_text(text, end);
	if (to->data && strcmp(to->data, text) == 0)
		return;
	g_free((gpointer)to->data);
	set_address(to, AT_STRINGZ, (int)strlen(text) + 1, g_strdup(text));
}

/* The row's key borrows the row's addresses: it gets others that are the same. */
static void name_row(conv_hash_t *hash, const struct rda_ends *ends)
{
	const struct rda_endpoint *first = ends->reverse ? &ends->to : &ends->from;
	const struct rda_endpoint *second = ends->reverse ? &ends->from : &ends->to;
	conv_key_t *key = NULL;
	conv_item_t *row = row_of(hash, ends->id, FIRST, &key);
	unsigned side = row ? FIRST : SECOND;

	if (!row)
		row = row_of(hash, ends->id, SECOND, &key);
	if (!row)
		return;
	key->addr1 = address_of(side);
	key->addr2 = address_of(!side);
	name(&row->src_address, side == FIRST ? first : second);
	name(&row->dst_address, side == FIRST ? second : first);
}

RDA_TAP(see_conversation, void *context)
{
	static ct_dissector_info_t info = {filter_of_conversation};
	const struct rda_tapped *tapped = data;
	conv_hash_t *hash = context;
	address from, to;
	struct rda_ends ends;

	(void)edt;
	RDA_TAP_KEEP_FLAGS(hash);
	if (!rda_ends_of(tapped, &ends))
		return TAP_PACKET_DONT_REDRAW;
	from = address_of(ends.reverse ? SECOND : FIRST);
	to = address_of(ends.reverse ? FIRST : SECOND);
	add_conversation_table_data_with_conv_id(hash, &from, &to, ends.reverse ? SECOND : FIRST,
						 ends.reverse ? FIRST : SECOND, ends.id, 1,
						 (int)tapped->source.frame.wire, &pinfo->rel_ts,
						 &pinfo->abs_ts, &info, CONVERSATION_NONE);
	name_row(hash, &ends);
	return TAP_PACKET_REDRAW;
}

static void count_end(conv_hash_t *hash, const struct rda_endpoint *end, gboolean sent,
		      uint32_t bytes)
{
	static rda_endpoint_filters info = {filter_of_endpoint};
	char text[RDA_END_TEXT];
	address named;

	rda_end_text(text, end);
	set_address(&named, AT_STRINGZ, (int)strlen(text) + 1, text);
	rda_add_endpoint(hash, &named, 0, sent, 1, (int)bytes, &info, ENDPOINT_NONE);
}

RDA_TAP(see_ends, void *context)
{
	const struct rda_tapped *tapped = data;
	conv_hash_t *hash = context;
	struct rda_ends ends;

	(void)pinfo;
	(void)edt;
	RDA_TAP_KEEP_FLAGS(hash);
	if (!rda_ends_of(tapped, &ends))
		return TAP_PACKET_DONT_REDRAW;
	count_end(hash, &ends.from, TRUE, tapped->source.frame.wire);
	count_end(hash, &ends.to, FALSE, tapped->source.frame.wire);
	return TAP_PACKET_REDRAW;
}

void rda_conversations_register(void)
{
	register_conversation_table(rda_protocol, TRUE, see_conversation, see_ends);
}
