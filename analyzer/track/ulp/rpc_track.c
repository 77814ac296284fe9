/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls and replies of RPC over RDMA, as commands and answers.
 */
#include "analyzer/track/ulp/rpc_track.h"

#include "analyzer/track/ulp/ulp_tally.h"
#include "dissectors/ulp/nfs.h"

#include <string.h>

/* What RPCSEC_GSS does to arguments and results (RFC 2203, 5.3.3.4). */
enum { GSS_INTEGRITY = 2, GSS_PRIVACY = 3, GSS_HEAD = 8 };

/* Segments of 16 bytes: no more of them are kept of a message. */
enum { SEGMENTS_MOST = RDA_ULP_BYTES / 16 };

/* The memory that a call lends; the message's own bytes are borrowed. */
struct lent {
	struct rda_ulp_range ranges[SEGMENTS_MOST];
	unsigned count;
	uint8_t reply_range; /* as rda_rpc_own has it */
};

/* A message behind its lists. */
struct taken {
	const struct rda_ulp_message *message;
	struct rda_rpc_rdma header;
	struct rda_cursor cursor;
	struct lent lent;
	bool by_client;
};

static uint64_t id_of(uint32_t xid, bool back)
{
	return (uint64_t)back << 32 | xid;
}

static void lend(struct lent *lent, const struct rda_rpc_segment *segment)
{
	if (!segment->length || lent->count == SEGMENTS_MOST)
		return;
	lent->ranges[lent->count++] =
		(struct rda_ulp_range){segment->offset, segment->handle, segment->length};
	if (segment->list == RDA_RPC_REPLY_CHUNK && !lent->reply_range)
		lent->reply_range = (uint8_t)lent->count;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* What it asks for; of a call that is in a chunk itself nothing is known. */
static void read_call(struct taken *t, struct rda_rpc *rpc, struct rda_nfs_call *call)
{
	enum rda_rpc_set set = rda_rpc_set_of(rpc->program, rpc->version);
	struct rda_cursor nothing = {0};

	if (rpc->gss_service == GSS_INTEGRITY)
		rpc->has_body &= rda_xdr_skip(&t->cursor, GSS_HEAD);
	rda_read_nfs_call(rpc->has_body && rpc->gss_service != GSS_PRIVACY ? &t->cursor : &nothing,
			  set, rpc->procedure, call);
}

static void take_call(struct rda_ulp *ulp, struct taken *t, struct rda_rpc *rpc)
{
	struct rda_ulp_asked asked = {.id = id_of(t->header.xid, !t->by_client),
				      .back = !t->by_client};
	struct rda_ulp_command *command;
	struct rda_nfs_call call = {0};

	if (rpc) {
		read_call(t, rpc, &call);
		asked.code =
			rda_nfs_operation(rda_rpc_set_of(rpc->program, rpc->version), call.number);
		asked.bytes = call.bytes;
	} else {
		asked.code = rda_nfs_operation(RDA_RPC_SET_OTHER, RDA_NFS_LONG_CALL);
	}
	asked.name = rda_nfs_operation_name(asked.code);
	command = rda_ulp_ask(ulp, &asked, t->message);
	if (!command)
		return;
	for (unsigned i = 0; i < t->lent.count; i++)
		rda_ulp_commands_lend(&ulp->commands, command, &t->lent.ranges[i]);
	command->own.rpc.reply_range = t->lent.reply_range;
	command->own.rpc.gss_service = rpc ? (uint8_t)MIN(rpc->gss_service, UINT8_MAX) : 0;
	memcpy(command->own.rpc.operations, call.operations, sizeof(call.operations));
}

/* ---- replies --------------------------------------------------------------------------------- */

/* What the results tell; false: too little was captured, or they are encrypted. */
static bool read_results(struct rda_cursor *c, struct rda_rpc_own *own, uint32_t operation,
			 bool refused)
{
	struct rda_nfs_reply reply;

	if (refused)
		return true;
	if (own->gss_service == GSS_PRIVACY ||
	    (own->gss_service == GSS_INTEGRITY && !rda_xdr_skip(c, GSS_HEAD)))
		return false;
	if (!rda_read_nfs_reply(c, (enum rda_rpc_set)(operation >> 16), (uint16_t)operation,
				&reply))
		return false;
	own->status = reply.status;
	own->has_bytes = reply.has_bytes;
	own->bytes = reply.bytes;
	if (reply.status && reply.results && reply.results <= sizeof(own->operations))
		own->failed = own->operations[reply.results - 1];
	return true;
}

static bool read_reply(struct rda_cursor *c, struct rda_rpc_own *own, const struct rda_rpc *rpc,
		       uint32_t operation)
{
	own->status = rpc->status;
	return rpc->has_body && read_results(c, own, operation, rpc->status != 0);
}

static void answer(struct rda_ulp *ulp, struct rda_ulp_command *command,
		   const struct rda_ulp_message *message)
{
	const struct rda_rpc_own *own = &command->own.rpc;
	struct rda_ulp_message told = *message;
	uint32_t operation = ulp->facts.operations[command->operation].code;
	const char *words = rda_rpc_status_words(own->status);

	if (!words)
		words = rda_nfs_status_words((enum rda_rpc_set)(operation >> 16), own->status);
	if (own->has_bytes)
		command->bytes = own->bytes;
	told.checked &= !own->unchecked;
	rda_ulp_answer(ulp, command, own->status, words, &told);
}

/* `rpc`: NULL where the reply is in a chunk. */
static void take_reply(struct rda_ulp *ulp, struct taken *t, const struct rda_rpc *rpc)
{
	struct rda_ulp_command *command =
		rda_ulp_asked(ulp, id_of(t->header.xid, t->by_client), t->message);
	struct rda_rpc_own *own;

	if (!command)
		return;
	own = &command->own.rpc;
	own->unchecked &= !rpc;
	if (rpc)
		own->replied = read_reply(&t->cursor, own, rpc,
					  ulp->facts.operations[command->operation].code);
	if (!own->replied && own->gss_service == GSS_PRIVACY)
		ulp->facts.unread++;
	else if (!own->replied)
		ulp->facts.cut++;
	answer(ulp, command, t->message);
}

static void take_error(struct rda_ulp *ulp, struct taken *t)
{
	struct rda_ulp_command *command =
		rda_ulp_asked(ulp, id_of(t->header.xid, t->by_client), t->message);
	uint32_t status;

	if (!command)
		return;
	if (rda_read_rpc_rdma_error(&t->cursor, &status))
		command->own.rpc.status = status;
	else
		ulp->facts.cut++;
	answer(ulp, command, t->message);
}

/* A WRITE of a long reply's beginning: the SEND behind it says only that it is there. */
void rda_rpc_placed(struct rda_ulp *ulp, struct rda_ulp_command *command, unsigned range,
		    const struct rda_ulp_bytes *bytes)
{
	struct rda_cursor c = {bytes->bytes, 0, bytes->have, bytes->have};
	struct rda_rpc_own *own = &command->own.rpc;
	struct rda_rpc rpc;

	if (range + 1 != own->reply_range || !rda_read_rpc(&c, &rpc) || !rpc.is_reply ||
	    rpc.xid != (uint32_t)command->id)
		return;
	own->replied = read_reply(&c, own, &rpc, ulp->facts.operations[command->operation].code);
	own->unchecked = !bytes->checked;
}

/* ---------------------------------------------------------------------------------------------- */

/* Behind its lists; false: it has none that can be read. */
static bool pass_lists(struct rda_ulp *ulp, struct taken *t)
{
	struct rda_rpc_chunks chunks = {0};
	struct rda_rpc_segment segment;

	if (t->header.procedure == RDA_RPC_RDMA_MSGP && !rda_xdr_skip(&t->cursor, 8)) {
		ulp->facts.cut++;
		return false;
	}
	while (rda_rpc_next_segment(&t->cursor, &chunks, &segment))
		lend(&t->lent, &segment);
	ulp->facts.cut += chunks.list == RDA_RPC_LISTS_CUT;
	ulp->facts.unread += chunks.list == RDA_RPC_LISTS_BAD;
	return chunks.list == RDA_RPC_LISTS_END;
}

static void take_message(struct rda_ulp *ulp, struct taken *t)
{
	struct rda_rpc rpc;

	if (!pass_lists(ulp, t))
		return;
	if (t->header.procedure == RDA_RPC_RDMA_NOMSG) {
		if (t->by_client)
			take_call(ulp, t, NULL);
		else
			take_reply(ulp, t, NULL);
	} else if (!rda_read_rpc(&t->cursor, &rpc)) {
		ulp->facts.cut++;
	} else if (rpc.is_reply) {
		take_reply(ulp, t, &rpc);
	} else {
		take_call(ulp, t, &rpc);
	}
}

void rda_rpc_message(struct rda_ulp *ulp, bool by_client, const struct rda_ulp_message *message)
{
	struct taken t = {
		.message = message,
		.cursor = {message->bytes, 0, message->have, message->length},
		.by_client = by_client,
	};

	if (!rda_read_rpc_rdma(&t.cursor, &t.header)) {
		ulp->facts.cut += message->length != 0;
		return;
	}
	if (t.header.version != RDA_RPC_RDMA_VERSION) {
		ulp->facts.unread++;
		return;
	}
	switch (t.header.procedure) {
	case RDA_RPC_RDMA_MSG:
	case RDA_RPC_RDMA_NOMSG:
	case RDA_RPC_RDMA_MSGP: take_message(ulp, &t); break;
	case RDA_RPC_RDMA_ERROR: take_error(ulp, &t); break;
	case RDA_RPC_RDMA_DONE: break;
	default: ulp->facts.unread++; break;
	}
}
