/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Information units of SRP; srp.h has the figure.
 */
#include "dissectors/ulp/srp.h"

enum format { FORMAT_NONE, FORMAT_DIRECT, FORMAT_INDIRECT, FORMAT_IMMEDIATE };

enum { HAS_RESPONSE = 0x01, HAS_SENSE = 0x02, OUT_UNDER = 0x08, IN_UNDER = 0x20 };

enum { DIRECT_BYTES = 16, INDIRECT_BYTES = 20, IMMEDIATE_BYTES = 4, COMPACT_BYTES = 56 };

/* Of a login: what Linux and others use is far below. */
enum { UNIT_LEAST = 64, UNIT_MOST = 1 << 20 };

/* ---- reading --------------------------------------------------------------------------------- */

/* 0: it is no type. */
static uint32_t bytes_of(uint8_t type)
{
	switch (type) {
#define RDA_U(number, ID, bytes)                                                                   \
	case number: return bytes;
		RDA_SRP_UNITS(RDA_U)
#undef RDA_U
	default: return 0;
	}
}

static void read_command(const uint8_t *p, struct rda_srp *srp)
{
	srp->formats = p[5];
	srp->descriptors[0] = p[6];
	srp->descriptors[1] = p[7];
	srp->lun = rda_be16(p + 20) & 0x3fff;
	srp->more_cdb = p[31] & 0xfc;
	srp->cdb = p[32];
}

static void read_response(const uint8_t *p, struct rda_srp *srp)
{
	srp->flags = p[18];
	srp->status = p[19];
	srp->residual[0] = rda_be32(p + 20);
	srp->residual[1] = rda_be32(p + 24);
	srp->sense = rda_be32(p + 28);
	srp->response = rda_be32(p + 32);
}

bool rda_read_srp(struct rda_cursor *c, struct rda_srp *srp)
{
	const uint8_t *p = rda_cursor_peek(c);
	uint32_t bytes = p ? bytes_of(*p) : 0;

	p = bytes ? rda_cursor_take(c, bytes) : NULL;
	if (!p)
		return false;
	*srp = (struct rda_srp){.type = p[0], .tag = rda_be64(p + 8)};
	switch (srp->type) {
	case RDA_SRP_CMD: read_command(p, srp); break;
	case RDA_SRP_TSK_MGMT:
		srp->lun = rda_be16(p + 20) & 0x3fff;
		srp->function = p[30];
		srp->task = rda_be64(p + 32);
		break;
	case RDA_SRP_RSP: read_response(p, srp); break;
	case RDA_SRP_AER_REQ:
		srp->lun = rda_be16(p + 20) & 0x3fff;
		srp->sense = rda_be32(p + 28);
		break;
	case RDA_SRP_LOGIN_REQ:
		srp->it_bytes = rda_be32(p + 16);
		srp->login_formats = rda_be16(p + 24);
		break;
	case RDA_SRP_LOGIN_RSP:
		srp->it_bytes = rda_be32(p + 16);
		srp->ti_bytes = rda_be32(p + 20);
		srp->login_formats = rda_be16(p + 24);
		break;
	case RDA_SRP_LOGIN_REJ: srp->login_formats = rda_be16(p + 24); break;
	default: break;
	}
	if (srp->type == RDA_SRP_T_LOGOUT || srp->type == RDA_SRP_LOGIN_REJ)
		srp->reason = rda_be32(p + 4);
	else if (srp->type >= RDA_SRP_CRED_REQ)
		srp->limit = (int32_t)rda_be32(p + 4);
	return true;
}

/* ---- buffers --------------------------------------------------------------------------------- */

static void take_direct(const uint8_t *p, struct rda_srp_memory *memory)
{
	*memory = (struct rda_srp_memory){
		.address = rda_be64(p), .key = rda_be32(p + 8), .length = rda_be32(p + 12)};
}

static void next_side(struct rda_srp_buffers *b)
{
	b->side++;
	b->left = 0;
}

/* What is not there ends it. */
static const uint8_t *take(struct rda_cursor *c, struct rda_srp_buffers *b, uint32_t length)
{
	const uint8_t *p = rda_cursor_take(c, length);

	if (!p) {
		b->cut = true;
		b->side = 2;
		b->left = 0;
	}
	return p;
}

static bool take_indirect(struct rda_cursor *c, const struct rda_srp *srp,
			  struct rda_srp_buffers *b, struct rda_srp_memory *memory)
{
	const uint8_t *p = take(c, b, INDIRECT_BYTES);

	if (!p)
		return false;
	take_direct(p, memory);
	memory->is_table = true;
	b->bytes += rda_be32(p + DIRECT_BYTES);
	b->left = srp->descriptors[b->side];
	b->table |= memory->length / DIRECT_BYTES > b->left;
	if (!b->left)
		next_side(b);
	return true;
}

bool rda_srp_next_memory(struct rda_cursor *c, const struct rda_srp *srp, struct rda_srp_buffers *b,
			 struct rda_srp_memory *memory)
{
	const uint8_t *p;

	if (!b->begun && !take(c, b, srp->more_cdb))
		return false;
	b->begun = true;
	while (b->side < 2) {
		uint8_t format = b->side ? srp->formats & 0xf : srp->formats >> 4;

		if (b->left || format == FORMAT_DIRECT) {
			p = take(c, b, DIRECT_BYTES);
			if (!p)
				return false;
			take_direct(p, memory);
			if (!b->left)
				b->bytes += memory->length;
			if (b->left <= 1)
				next_side(b);
			else
				b->left--;
			return true;
		}
		if (format == FORMAT_INDIRECT)
			return take_indirect(c, srp, b, memory);
		if (format == FORMAT_IMMEDIATE) {
			p = take(c, b, IMMEDIATE_BYTES);
			if (!p)
				return false;
			b->bytes += rda_be32(p);
			b->inside += rda_be32(p);
		} else if (format != FORMAT_NONE) {
			b->cut = true;
		}
		next_side(b);
	}
	return false;
}

/* ---- responses ------------------------------------------------------------------------------- */

uint32_t rda_srp_read_status(struct rda_cursor *c, const struct rda_srp *srp)
{
	enum { RESPONSE_CODE = 3, RESPONSE_BYTES = 4 };
	struct rda_scsi_sense sense = {0};
	const uint8_t *p;

	if (srp->flags & HAS_RESPONSE && srp->response >= RESPONSE_BYTES) {
		p = rda_cursor_take(c, srp->response);
		if (p && p[RESPONSE_CODE])
			return rda_srp_status_of(RDA_SRP_CLASS_RESPONSE, p[RESPONSE_CODE]);
	}
	if (srp->flags & HAS_SENSE)
		rda_read_scsi_sense(c, srp->sense, &sense);
	return rda_scsi_status(srp->status, &sense);
}

uint64_t rda_srp_residual(const struct rda_srp *srp)
{
	return (srp->flags & OUT_UNDER ? srp->residual[0] : UINT64_C(0)) +
	       (srp->flags & IN_UNDER ? srp->residual[1] : 0);
}

/* ---- the login ------------------------------------------------------------------------------- */

static bool is_zero(const uint8_t *p, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (p[i])
			return false;
	return true;
}

/* Of buffer descriptors: direct 2, indirect 4, nothing else. */
static bool are_formats(uint16_t formats)
{
	return formats & 6 && !(formats & ~6);
}

static bool is_unit_length(uint32_t bytes)
{
	return bytes >= UNIT_LEAST && bytes <= UNIT_MOST;
}

bool rda_srp_read_login_request(struct rda_cursor *c, bool compact, struct rda_srp *srp)
{
	const uint8_t *p = rda_cursor_peek(c);

	if (!compact)
		return p && *p == RDA_SRP_LOGIN_REQ && rda_read_srp(c, srp) && is_zero(p + 1, 7) &&
		       is_zero(p + 20, 4) && are_formats(srp->login_formats) &&
		       is_unit_length(srp->it_bytes);
	p = rda_cursor_take(c, COMPACT_BYTES);
	if (!p || p[11] != RDA_SRP_LOGIN_REQ)
		return false;
	*srp = (struct rda_srp){
		.type = RDA_SRP_LOGIN_REQ,
		.tag = rda_be64(p),
		.login_formats = rda_be16(p + 8),
		.it_bytes = rda_be32(p + 12),
	};
	return are_formats(srp->login_formats) && is_unit_length(srp->it_bytes) &&
	       is_zero(p + 50, 6);
}

bool rda_srp_read_login_answer(struct rda_cursor *c, struct rda_srp *srp)
{
	enum { REASONS = 1 };
	const uint8_t *p = rda_cursor_peek(c);

	if (!rda_read_srp(c, srp) || !is_zero(p + 1, 3))
		return false;
	if (srp->type == RDA_SRP_LOGIN_RSP)
		return srp->limit >= 0 && is_unit_length(srp->it_bytes) && is_zero(p + 27, 25);
	return srp->type == RDA_SRP_LOGIN_REJ && srp->reason >> 16 == REASONS &&
	       is_zero(p + 16, 8) && is_zero(p + 26, 6);
}

/* ---- finding it ------------------------------------------------------------------------------ */

/* All of its data can be moved by what it lends. */
static bool lends_all(struct rda_cursor *c, const struct rda_srp *srp)
{
	struct rda_srp_buffers buffers = {0};
	struct rda_srp_memory memory;
	uint64_t lent = 0;

	while (rda_srp_next_memory(c, srp, &buffers, &memory)) {
		if (memory.is_table ? memory.length % DIRECT_BYTES != 0 : !memory.length)
			return false;
		lent += memory.is_table ? 0 : memory.length;
	}
	lent += buffers.inside;
	return !buffers.cut && buffers.bytes && (buffers.table || lent == buffers.bytes);
}

bool rda_srp_is_request(const uint8_t *bytes, uint32_t have, bool expected)
{
	enum { SOLICITS = 0x06, ATTRIBUTES = 0x07 };
	struct rda_cursor c = {bytes, 0, have, have};
	struct rda_srp srp;

	/* these two have 48 bytes that are there, other units as few as 16 */
	if (!rda_read_srp(&c, &srp) || (srp.type != RDA_SRP_CMD && srp.type != RDA_SRP_TSK_MGMT) ||
	    (bytes[1] & ~SOLICITS) || !is_zero(bytes + 16, 4))
		return false;
	if (srp.type == RDA_SRP_TSK_MGMT)
		return expected && is_zero(bytes + 2, 6);
	if (!is_zero(bytes + 2, 3) || bytes[28] || bytes[29] & ~ATTRIBUTES || bytes[30] ||
	    bytes[31] & 3)
		return false;
	return expected || (rda_scsi_operation_name(srp.cdb) && lends_all(&c, &srp));
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *rda_srp_operation_name(uint32_t operation)
{
	if (operation >> 8 == RDA_SCSI_OPERATION >> 8)
		return rda_scsi_operation_name((uint8_t)operation);
	switch (operation) {
#define RDA_O(type, name)                                                                          \
	case (type): return name;
		RDA_SRP_REQUESTS(RDA_O)
#undef RDA_O
#define RDA_O(function, name)                                                                      \
	case RDA_SRP_TASK | (function): return name;
		RDA_SRP_TASKS(RDA_O)
#undef RDA_O
	default: return NULL;
	}
}

const char *rda_srp_status_words(uint32_t status)
{
	if (status >> 28 == RDA_SRP_CLASS_SCSI)
		return rda_scsi_status_words(status);
	switch (status) {
#define RDA_S(CLASS, code, words, usual)                                                           \
	case (uint32_t)RDA_SRP_CLASS_##CLASS << 28 | (code): return words;
		RDA_SRP_STATUSES(RDA_S)
#undef RDA_S
	default: return NULL;
	}
}

bool rda_srp_status_is_usual(uint32_t status)
{
	switch (status) {
#define RDA_S(CLASS, code, words, usual)                                                           \
	case (uint32_t)RDA_SRP_CLASS_##CLASS << 28 | (code): return usual;
		RDA_SRP_STATUSES(RDA_S)
#undef RDA_S
	default: return false;
	}
}
