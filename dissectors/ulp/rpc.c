/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RPC over RDMA and RPC; rpc.h has the figure.
 */
#include "dissectors/ulp/rpc.h"

enum { CALL = 0, REPLY = 1, RPC_VERSION = 2, FLAVOR_GSS = 6, PRESENT = 1 };

/* RFC 5531, 8.2: opaque_auth */
enum { AUTH_BYTES_MAX = 400 };

/* No responder grants more: what is told must be believable where no port tells the protocol. */
enum { CREDITS_MAX = 65535 };

/* ---- the header of RPC over RDMA ------------------------------------------------------------- */

bool rda_read_rpc_rdma(struct rda_cursor *c, struct rda_rpc_rdma *header)
{
	const uint8_t *p = rda_cursor_take(c, RDA_RPC_RDMA_BYTES);

	if (p)
		*header = (struct rda_rpc_rdma){rda_be32(p), rda_be32(p + 4), rda_be32(p + 8),
						rda_be32(p + 12)};
	return p != NULL;
}

/* A number of the lists; where it is not there, the walk ends. */
static bool list_number(struct rda_cursor *c, struct rda_rpc_chunks *chunks, uint32_t *value)
{
	bool missing = rda_cursor_wire_left(c) < 4;

	if (rda_xdr_number(c, value))
		return true;
	chunks->list = missing ? RDA_RPC_LISTS_BAD : RDA_RPC_LISTS_CUT;
	return false;
}

/* Whether another chunk of the list begins, or the list behind it. */
static void next_chunk(struct rda_cursor *c, struct rda_rpc_chunks *chunks)
{
	uint32_t present = 0;

	if (chunks->in_reply) {
		chunks->list = RDA_RPC_LISTS_END;
	} else if (!list_number(c, chunks, &present)) {
		return;
	} else if (present > PRESENT) {
		chunks->list = RDA_RPC_LISTS_BAD;
	} else if (!present) {
		chunks->list++;
	} else if (chunks->list == RDA_RPC_READ_LIST) {
		chunks->left = list_number(c, chunks, &chunks->position);
	} else {
		chunks->in_reply = chunks->list == RDA_RPC_REPLY_CHUNK;
		if (!list_number(c, chunks, &chunks->left))
			chunks->left = 0;
	}
}

bool rda_rpc_next_segment(struct rda_cursor *c, struct rda_rpc_chunks *chunks,
			  struct rda_rpc_segment *segment)
{
	enum { SEGMENT_BYTES = 16 };
	const uint8_t *p;

	while (chunks->list < RDA_RPC_LISTS_END && !chunks->left)
		next_chunk(c, chunks);
	if (chunks->list >= RDA_RPC_LISTS_END)
		return false;
	if (rda_cursor_wire_left(c) / SEGMENT_BYTES < chunks->left) {
		chunks->list = RDA_RPC_LISTS_BAD;
		return false;
	}
	p = rda_cursor_take(c, SEGMENT_BYTES);
	if (!p) {
		chunks->list = RDA_RPC_LISTS_CUT;
		return false;
	}
	chunks->left--;
	*segment = (struct rda_rpc_segment){
		.list = chunks->list,
		.position = chunks->position,
		.handle = rda_be32(p),
		.length = rda_be32(p + 4),
		.offset = rda_be64(p + 8),
	};
	return true;
}

bool rda_read_rpc_rdma_error(struct rda_cursor *c, uint32_t *status)
{
	uint32_t code;

	if (!rda_xdr_number(c, &code))
		return false;
	*status = rda_rpc_status_of(RDA_RPC_CLASS_RDMA, code);
	return true;
}

/* ---- RPC ------------------------------------------------------------------------------------- */

/* Flavor and body; of RPCSEC_GSS (RFC 2203) how arguments and results are protected. */
static bool read_auth(struct rda_cursor *c, uint32_t *flavor, uint32_t *gss_service)
{
	struct rda_cursor body;
	uint32_t length, version, procedure, sequence;

	if (!rda_xdr_number(c, flavor))
		return false;
	body = *c;
	if (!rda_xdr_number(&body, &length) || length > AUTH_BYTES_MAX)
		return false;
	*gss_service = 0;
	if (*flavor == FLAVOR_GSS && rda_xdr_number(&body, &version) &&
	    rda_xdr_number(&body, &procedure) && rda_xdr_number(&body, &sequence))
		rda_xdr_number(&body, gss_service);
	return rda_xdr_skip_opaque(c);
}

static bool read_call(struct rda_cursor *c, struct rda_rpc *rpc)
{
	uint32_t flavor, service;

	if (!rda_xdr_number(c, &rpc->rpc_version) || !rda_xdr_number(c, &rpc->program) ||
	    !rda_xdr_number(c, &rpc->version) || !rda_xdr_number(c, &rpc->procedure))
		return false;
	rpc->has_body =
		read_auth(c, &rpc->flavor, &rpc->gss_service) && read_auth(c, &flavor, &service);
	return true;
}

static void read_reply(struct rda_cursor *c, struct rda_rpc *rpc)
{
	uint32_t denied, code = 0, service;
	enum rda_rpc_class class = RDA_RPC_CLASS_ACCEPTED;

	if (!rda_xdr_number(c, &denied))
		return;
	if (!denied && !read_auth(c, &rpc->flavor, &service))
		return;
	if (!rda_xdr_number(c, &code))
		return;
	if (denied)
		class = code ? RDA_RPC_CLASS_AUTH : RDA_RPC_CLASS_DENIED;
	if (class == RDA_RPC_CLASS_AUTH && !rda_xdr_number(c, &code))
		return;
	rpc->status = denied || code ? rda_rpc_status_of(class, code) : 0;
	rpc->has_body = true;
}

bool rda_read_rpc(struct rda_cursor *c, struct rda_rpc *rpc)
{
	uint32_t type;

	*rpc = (struct rda_rpc){0};
	if (!rda_xdr_number(c, &rpc->xid) || !rda_xdr_number(c, &type) || type > REPLY)
		return false;
	rpc->is_reply = type == REPLY;
	if (!rpc->is_reply)
		return read_call(c, rpc);
	read_reply(c, rpc);
	return true;
}

enum rda_rpc_set rda_rpc_set_of(uint32_t program, uint32_t version)
{
#define RDA_P(number, version_of, SET, extra)                                                      \
	if (program == (number) && ((version_of) == 0 || version == (version_of)))                 \
		return RDA_RPC_SET_##SET;
	RDA_RPC_PROGRAMS(RDA_P)
#undef RDA_P
	return RDA_RPC_SET_OTHER;
}

const char *rda_rpc_status_words(uint32_t status)
{
	switch (status) {
#define RDA_S(CLASS, code, words, usual)                                                           \
	case (uint32_t)RDA_RPC_CLASS_##CLASS << 24 | (code): return words;
		RDA_RPC_STATUSES(RDA_S)
#undef RDA_S
	default: return NULL;
	}
}

static bool is_extra(enum rda_rpc_set set)
{
#define RDA_P(number, version, SET, extra)                                                         \
	if (set == RDA_RPC_SET_##SET)                                                              \
		return extra;
	RDA_RPC_PROGRAMS(RDA_P)
#undef RDA_P
	return false;
}

bool rda_rpc_status_is_usual(enum rda_rpc_set set, uint32_t status)
{
	enum { ALWAYS = 1, OF_EXTRAS = 2 };

	switch (status) {
#define RDA_S(CLASS, code, words, usual)                                                           \
	case (uint32_t)RDA_RPC_CLASS_##CLASS << 24 | (code):                                       \
		return (usual) == ALWAYS || ((usual) == OF_EXTRAS && is_extra(set));
		RDA_RPC_STATUSES(RDA_S)
#undef RDA_S
	default: return false;
	}
}

/* ---- finding it ------------------------------------------------------------------------------ */

bool rda_rpc_is_call(const uint8_t *bytes, uint32_t have, bool expected)
{
	struct rda_cursor c = {bytes, 0, have, have};
	struct rda_rpc_chunks chunks = {0};
	struct rda_rpc_segment segment;
	struct rda_rpc_rdma header;
	struct rda_rpc rpc;
	bool reads = false, long_call = false;

	if (!rda_read_rpc_rdma(&c, &header) || header.version != RDA_RPC_RDMA_VERSION ||
	    header.procedure > RDA_RPC_RDMA_NOMSG || !header.credits ||
	    header.credits > CREDITS_MAX)
		return false;
	c.wire_end = UINT32_MAX; /* what is missing may have been cut */
	while (rda_rpc_next_segment(&c, &chunks, &segment)) {
		reads |= segment.list == RDA_RPC_READ_LIST; /* of calls only */
		long_call |= reads && segment.position == 0;
	}
	if (header.procedure == RDA_RPC_RDMA_NOMSG)
		return expected && long_call;
	if (chunks.list == RDA_RPC_LISTS_CUT)
		return expected && reads;
	return chunks.list == RDA_RPC_LISTS_END && rda_read_rpc(&c, &rpc) && !rpc.is_reply &&
	       rpc.xid == header.xid && rpc.rpc_version == RPC_VERSION &&
	       rda_rpc_set_of(rpc.program, rpc.version) != RDA_RPC_SET_NFSCB;
}
