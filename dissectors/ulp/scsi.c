/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sense data, and the words of SCSI; scsi.h has the figure.
 */
#include "dissectors/ulp/scsi.h"

/* Conditions that are reported in a status of their own, and are no error (SAM-5, 5.3). */
enum { GOOD = 0x00, CHECK_CONDITION = 0x02, CONDITION_MET = 0x04 };

/* ---- reading --------------------------------------------------------------------------------- */

void rda_read_scsi_sense(struct rda_cursor *c, uint32_t length, struct rda_scsi_sense *sense)
{
	enum { FIXED = 0x70, DESCRIPTOR = 0x72, FIXED_BYTES = 14, DESCRIPTOR_BYTES = 4 };
	const uint8_t *head = length ? rda_cursor_peek(c) : NULL, *p;

	*sense = (struct rda_scsi_sense){0};
	if (!head)
		return;
	if ((head[0] & 0x7e) == FIXED && length >= FIXED_BYTES) {
		p = rda_cursor_take(c, FIXED_BYTES);
		if (p)
			*sense = (struct rda_scsi_sense){true, p[2] & 0xf, p[12], p[13]};
	} else if ((head[0] & 0x7e) == DESCRIPTOR && length >= DESCRIPTOR_BYTES) {
		p = rda_cursor_take(c, DESCRIPTOR_BYTES);
		if (p)
			*sense = (struct rda_scsi_sense){true, p[1] & 0xf, p[2], p[3]};
	}
}

uint32_t rda_scsi_status(uint8_t status, const struct rda_scsi_sense *sense)
{
	if (status == GOOD || status == CONDITION_MET)
		return 0;
	if (!sense->known)
		return status;
	return (uint32_t)sense->key << 24 | (uint32_t)sense->code << 16 |
	       (uint32_t)sense->qualifier << 8 | status;
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *rda_scsi_operation_name(uint8_t cdb)
{
	switch (cdb) {
#define RDA_O(opcode, medium, name)                                                                \
	case (opcode): return name;
		RDA_SCSI_COMMANDS(RDA_O)
#undef RDA_O
	default: return NULL;
	}
}

bool rda_scsi_is_medium(uint8_t cdb)
{
	switch (cdb) {
#define RDA_O(opcode, medium, name)                                                                \
	case (opcode): return medium;
		RDA_SCSI_COMMANDS(RDA_O)
#undef RDA_O
	default: return false;
	}
}

bool rda_scsi_status_is_usual(uint8_t cdb, uint32_t status)
{
#define RDA_U(opcode, key)                                                                         \
	if (cdb == (opcode) && status >> 24 == (key))                                              \
		return true;
	RDA_SCSI_USUAL(RDA_U)
#undef RDA_U
	return false;
}

const char *rda_scsi_status_name(uint8_t status)
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

const char *rda_scsi_status_words(uint32_t status)
{
	const char *words = status & 0xffff00 ? sense_words(status >> 8 & 0xffff) : NULL;

	if (words)
		return words;
	if ((status & 0xff) == CHECK_CONDITION && status >> 24)
		return rda_scsi_sense_key_name((uint8_t)(status >> 24));
	return rda_scsi_status_name((uint8_t)status);
}
