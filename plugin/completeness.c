/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * [Completeness]: which parts of a connection's life the capture has, as a sum, like the one that
 * Wireshark has of TCP.
 */
#include "plugin/tree.h"

#include "analyzer/report/describe.h"
#include "plugin/session.h"

/* RDA_PARTS(P): P(ID, bit, "words"): of iWARP the start frames of MPA ask and accept. */
#define RDA_PARTS(P)                                                                               \
	P(ASKED, 0, "asked for")                                                                   \
	P(ACCEPTED, 1, "accepted")                                                                 \
	P(READY, 2, "ready")                                                                       \
	P(DATA, 3, "data")                                                                         \
	P(ANSWERS, 4, "answers")                                                                   \
	P(CLOSED, 5, "closed")                                                                     \
	P(REFUSED, 6, "refused")

enum part {
#define RDA_P(ID, bit, words) PART_##ID = 1 << (bit),
	RDA_PARTS(RDA_P)
#undef RDA_P
};

static unsigned of_conversation(const struct rda_cm_pair *pair)
{
	unsigned parts = 0;

	if (!pair)
		return 0;
	parts |= pair->req.count ? PART_ASKED : 0;
	parts |= pair->rep.count ? PART_ACCEPTED : 0;
	parts |= pair->rtu.count ? PART_READY : 0;
	parts |= pair->rej.count ? PART_REFUSED : 0;
	parts |= pair->sides[0].dreq.count || pair->sides[1].dreq.count ? PART_CLOSED : 0;
	return parts;
}

/* A NAK after which the QP is in error. */
static bool is_fatal(const struct rda_flow_facts *flow)
{
	for (unsigned i = 0; i < RDA_NAK_COUNT; i++)
		if (i != RDA_NAK_SEQUENCE && rda_flow_troubles(flow)->naks[i])
			return true;
	return false;
}

static unsigned of_packets(const struct rda_connection_facts *connection)
{
	unsigned parts = 0;

	for (unsigned side = 0; side < 2; side++) {
		const struct rda_flow_facts *flow =
			rda_result_flow(rda_session_result(), connection, side);

		if (!flow)
			continue;
		parts |= flow->request_packets ? PART_DATA : 0;
		parts |= flow->acks || flow->response_packets ? PART_ANSWERS : 0;
		parts |= is_fatal(flow) ? PART_REFUSED : 0;
	}
	return parts;
}

/* Of a direction of iWARP: what its FPDUs were. */
static unsigned of_fpdus(int32_t flow)
{
	unsigned seen = flow >= 0 ? rda_records_seen(rda_session_records(), (uint32_t)flow) : 0;
	unsigned parts = 0;

	parts |= seen & RDA_FPDUS_REQUEST ? PART_ASKED : 0;
	parts |= seen & RDA_FPDUS_REPLY ? PART_ACCEPTED : 0;
	parts |= seen & RDA_FPDUS_MESSAGES ? PART_DATA : 0;
	parts |= seen & RDA_FPDUS_ANSWERS ? PART_ANSWERS : 0;
	parts |= seen & RDA_FPDUS_TERMINATE ? PART_REFUSED : 0;
	return parts;
}

void rda_completeness_show(const struct rda_shown *shown, proto_tree *tree,
			   const struct rda_connection_facts *connection)
{
	static const char *const words[] = {
#define RDA_P(ID, bit, words) [bit] = words,
		RDA_PARTS(RDA_P)
#undef RDA_P
	};
	unsigned parts;
	proto_item *item;

	if (connection->carrier == RDA_CARRIER_IWARP)
		parts = of_fpdus(connection->flows[0]) | of_fpdus(connection->flows[1]);
	else
		parts = of_conversation(rda_describe_find_cm(rda_session_result(), connection)) |
			of_packets(connection);
	item = rda_tree_add_number(shown, tree, RDA_OWN_COMPLETENESS, parts);
	for (unsigned i = 0, any = 0; i < G_N_ELEMENTS(words); i++)
		if (parts >> i & 1)
			proto_item_append_text(item, "%s%s", any++ ? ", " : " (", words[i]);
	if (parts)
		proto_item_append_text(item, ")");
}
