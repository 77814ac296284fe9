/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PDUs of iSER; iser.h has the figure.
 */
#include "dissectors/ulp/iser.h"

enum { WSV = 0x08, RSV = 0x04, FLAGS_RESERVED = 0x03, REJ = 0x01 };
enum { OPCODE_MASK = 0x3f, READS = 0x40, WRITES = 0x20, RETRY = 0x80 };
enum { CHECK_CONDITION = 0x02 };

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

void rda_read_scsi_sense(struct rda_cursor *c, const struct rda_iscsi *iscsi,
			 struct rda_scsi_sense *sense)
{
	enum {
		LENGTH = 2,
		FIXED = 0x70,
		DESCRIPTOR = 0x72,
		FIXED_BYTES = 14,
		DESCRIPTOR_BYTES = 4
	};
	const uint8_t *p, *head;

	*sense = (struct rda_scsi_sense){0};
	if (iscsi->data <= LENGTH || !rda_cursor_take(c, 4u * iscsi->ahs + LENGTH))
		return;
	head = rda_cursor_peek(c);
	if (!head)
		return;
	if ((head[0] & 0x7e) == FIXED && iscsi->data >= LENGTH + FIXED_BYTES) {
		p = rda_cursor_take(c, FIXED_BYTES);
		if (p)
			*sense = (struct rda_scsi_sense){true, p[2] & 0xf, p[12], p[13]};
	} else if ((head[0] & 0x7e) == DESCRIPTOR && iscsi->data >= LENGTH + DESCRIPTOR_BYTES) {
		p = rda_cursor_take(c, DESCRIPTOR_BYTES);
		if (p)
			*sense = (struct rda_scsi_sense){true, p[1] & 0xf, p[2], p[3]};
	}
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

uint32_t rda_iser_scsi_status(uint8_t status, const struct rda_scsi_sense *sense)
{
	if (!sense->known)
		return status;
	return (uint32_t)sense->key << 24 | (uint32_t)sense->code << 16 |
	       (uint32_t)sense->qualifier << 8 | status;
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
	       rda_iscsi_operation_name(RDA_SCSI_OPERATION | iscsi.cdb);
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *rda_iscsi_operation_name(uint32_t operation)
{
	switch (operation) {
#define RDA_O(opcode, ID, name)                                                                    \
	case (opcode): return name;
		RDA_ISCSI_REQUESTS(RDA_O)
#undef RDA_O
#define RDA_O(opcode, medium, name)                                                                \
	case RDA_SCSI_OPERATION | (opcode): return name;
		RDA_SCSI_COMMANDS(RDA_O)
#undef RDA_O
	default: return NULL;
	}
}

bool rda_iser_is_medium(uint32_t operation)
{
	switch (operation) {
#define RDA_O(opcode, medium, name)                                                                \
	case RDA_SCSI_OPERATION | (opcode): return medium;
		RDA_SCSI_COMMANDS(RDA_O)
#undef RDA_O
	default: return false;
	}
}

const char *rda_iser_scsi_status_name(uint8_t status)
{
	switch (status) {
#define RDA_S(code, name)                                                                          \
	case (code): return name;
		RDA_SCSI_STATUSES(RDA_S)
#undef RDA_S
	default: return NULL;
	}
}

const char *rda_scsi_sense_key_name(uint8_t key)
{
	static const char *const names[] = {
#define RDA_K(name) name,
		RDA_SCSI_SENSE_KEYS(RDA_K)
#undef RDA_K
	};

	return key < sizeof(names) / sizeof(names[0]) ? names[key] : NULL;
}

/* By code and qualifier; NULL: it has no row. */
static const char *sense_words(uint32_t code)
{
	switch (code) {
#define RDA_A(number, qualifier, words)                                                            \
	case (number) << 8 | (qualifier): return words;
		RDA_SCSI_SENSE_CODES(RDA_A)
#undef RDA_A
	default: return NULL;
	}
}

static const char *scsi_words(uint32_t status)
{
	const char *words = status & 0xffff00 ? sense_words(status >> 8 & 0xffff) : NULL;

	if (words)
		return words;
	if ((status & 0xff) == CHECK_CONDITION && status >> 24)
		return rda_scsi_sense_key_name((uint8_t)(status >> 24));
	return rda_iser_scsi_status_name((uint8_t)status);
}

const char *rda_iscsi_status_words(uint32_t status)
{
	if (status >> 28 == RDA_ISCSI_CLASS_SCSI)
		return scsi_words(status);
	switch (status) {
#define RDA_S(CLASS, code, words)                                                                  \
	case (uint32_t)RDA_ISCSI_CLASS_##CLASS << 28 | (code): return words;
		RDA_ISCSI_STATUSES(RDA_S)
#undef RDA_S
	default: return NULL;
	}
}
