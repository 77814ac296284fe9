/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PDUs of iSER; iser.h has the figure.
 */
#include "dissectors/ulp/iser.h"

enum { WSV = 0x08, RSV = 0x04, FLAGS_RESERVED = 0x03, REJ = 0x01 };
enum { OPCODE_MASK = 0x3f, READS = 0x40, WRITES = 0x20, RETRY = 0x80 };

/* ---- reading --------------------------------------------------------------------------------- */

bool rda_read_iser(struct rda_cursor *c, struct rda_iser *iser)
{
	const uint8_t *p = rda_cursor_take(c, RDA_ISER_BYTES);

	if (!p)
		return false;
	*iser = (struct rda_iser){
		.type = p[0] >> 4,
		.has_write = p[0] & WSV,
		.has_read = p[0] & RSV,
		.rejected = p[0] & REJ,
		.reserved_set = p[0] & FLAGS_RESERVED || rda_be24(p + 1),
		.write_stag = rda_be32(p + 4),
		.write_offset = rda_be64(p + 8),
		.read_stag = rda_be32(p + 16),
		.read_offset = rda_be64(p + 20),
	};
	return true;
}

bool rda_read_iscsi(struct rda_cursor *c, struct rda_iscsi *iscsi)
{
	const uint8_t *p = rda_cursor_take(c, RDA_ISCSI_BYTES);

	if (!p)
		return false;
	*iscsi = (struct rda_iscsi){
		.opcode = p[0] & OPCODE_MASK,
		.flags = p[1],
		.response = p[2],
		.status = p[3],
		.ahs = p[4],
		.data = rda_be24(p + 5),
		.lun = rda_be16(p + 8) & 0x3fff,
		.task = rda_be32(p + 16),
		.target_task = rda_be32(p + 20),
	};
	if (iscsi->opcode == RDA_ISCSI_SCSI) {
		iscsi->expected = rda_be32(p + 20);
		iscsi->cdb = p[32];
		iscsi->reads = iscsi->flags & READS;
		iscsi->writes = iscsi->flags & WRITES;
	} else if (iscsi->opcode == RDA_ISCSI_SCSI + RDA_ISCSI_RESPONSE) {
		iscsi->residual = rda_be32(p + 44);
	} else if (iscsi->opcode == RDA_ISCSI_LOGIN + RDA_ISCSI_RESPONSE) {
		iscsi->response = p[36];
		iscsi->status = p[37];
	}
	return true;
}

void rda_read_iscsi_sense(struct rda_cursor *c, const struct rda_iscsi *iscsi,
			  struct rda_scsi_sense *sense)
{
	enum { LENGTH = 2 };

	*sense = (struct rda_scsi_sense){0};
	if (iscsi->data > LENGTH && rda_cursor_take(c, 4u * iscsi->ahs + LENGTH))
		rda_read_scsi_sense(c, iscsi->data - LENGTH, sense);
}

bool rda_read_iscsi_rejected(struct rda_cursor *c, const struct rda_iscsi *iscsi, uint32_t *task)
{
	struct rda_iscsi rejected;

	if (!rda_cursor_take(c, 4u * iscsi->ahs) || iscsi->data < RDA_ISCSI_BYTES ||
	    !rda_read_iscsi(c, &rejected))
		return false;
	*task = rejected.task;
	return true;
}

/* ---- finding it ------------------------------------------------------------------------------ */

static bool is_answered(uint8_t opcode)
{
	return opcode < RDA_ISCSI_RESPONSE && rda_iscsi_operation_name(opcode);
}

bool rda_iser_is_request(const uint8_t *bytes, uint32_t have, bool expected)
{
	struct rda_cursor c = {bytes, 0, have, have};
	struct rda_iser iser;
	struct rda_iscsi iscsi;

	if (!rda_read_iser(&c, &iser) || iser.reserved_set)
		return false;
	if (iser.type == RDA_ISER_HELLO)
		return expected;
	if (iser.type != RDA_ISER_CONTROL || !rda_read_iscsi(&c, &iscsi) ||
	    !is_answered(iscsi.opcode) || bytes[RDA_ISER_BYTES] & RETRY)
		return false;
	if (expected)
		return true;
	if ((!iser.has_write && (iser.write_stag || iser.write_offset)) ||
	    (!iser.has_read && (iser.read_stag || iser.read_offset)) ||
	    iscsi.task == RDA_ISCSI_NO_TAG || iscsi.response || iscsi.status)
		return false;
	if (iscsi.opcode != RDA_ISCSI_SCSI)
		return iscsi.opcode == RDA_ISCSI_LOGIN && !iser.has_write && !iser.has_read;
	return (iser.has_read || iser.has_write) && (iser.has_read <= iscsi.reads) &&
	       (iser.has_write <= iscsi.writes) && iscsi.expected &&
	       rda_scsi_operation_name(iscsi.cdb);
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *rda_iscsi_operation_name(uint32_t operation)
{
	if (operation >> 8 == RDA_SCSI_OPERATION >> 8)
		return rda_scsi_operation_name((uint8_t)operation);
	switch (operation) {
#define RDA_O(opcode, ID, name)                                                                    \
	case (opcode): return name;
		RDA_ISCSI_REQUESTS(RDA_O)
#undef RDA_O
	default: return NULL;
	}
}

const char *rda_iscsi_status_words(uint32_t status)
{
	if (status >> 28 == RDA_ISCSI_CLASS_SCSI)
		return rda_scsi_status_words(status);
	switch (status) {
#define RDA_S(CLASS, code, words, usual)                                                           \
	case (uint32_t)RDA_ISCSI_CLASS_##CLASS << 28 | (code): return words;
		RDA_ISCSI_STATUSES(RDA_S)
#undef RDA_S
	default: return NULL;
	}
}

bool rda_iscsi_status_is_usual(uint32_t status)
{
	switch (status) {
#define RDA_S(CLASS, code, words, usual)                                                           \
	case (uint32_t)RDA_ISCSI_CLASS_##CLASS << 28 | (code): return usual;
		RDA_ISCSI_STATUSES(RDA_S)
#undef RDA_S
	default: return false;
	}
}
