/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * iSCSI over RDMA: the PDUs that SENDs carry (iSER, RFC 7145; iSCSI, RFC 7143; the same header on
 * InfiniBand, annex A12).
 *
 *     iSER     | type 4 bits, WSV, RSV | 0 | write STag 4 | base offset 8 | read STag 4 | base
 * offset 8 |    28 iSCSI    | opcode | flags | .. | AHS length, data length 3 | LUN 8 | task tag 4
 * | .. | CDB 16 |        48 response | 0x21 | flags | response | status | lengths | .. | task tag 4
 * | .. | residual 4 | behind it: additional headers, and data (immediate data of a write; sense
 * data of a response)
 *
 * All numbers are big endian. The target reads from the write STag and writes to the read STag.
 */
#ifndef RDA_ISER_H
#define RDA_ISER_H

#include "dissectors/ulp/iser.def"
#include "dissectors/ulp/scsi.h"

enum { RDA_ISER_BYTES = 28, RDA_ISCSI_BYTES = 48 };

enum rda_iser_type { RDA_ISER_CONTROL = 1, RDA_ISER_HELLO = 2, RDA_ISER_HELLO_REPLY = 3 };

enum rda_iscsi_opcode {
#define RDA_O(opcode, ID, name) RDA_ISCSI_##ID = (opcode),
	RDA_ISCSI_REQUESTS(RDA_O)
#undef RDA_O
		RDA_ISCSI_RESPONSE = 0x20, /* added to a request's */
	RDA_ISCSI_REJECT = 0x3f,
};

#define RDA_ISCSI_NO_TAG UINT32_MAX

struct rda_iser {
	uint8_t type; /* enum rda_iser_type */
	bool reserved_set;
	bool has_write, has_read, rejected;
	uint32_t write_stag, read_stag;
	uint64_t write_offset, read_offset;
};

struct rda_iscsi {
	uint8_t opcode, flags;
	uint8_t response, status; /* of responses; of a Login its class and detail */
	uint8_t ahs;		  /* 4-byte words of additional headers */
	uint32_t data;		  /* bytes behind them */
	uint16_t lun;
	uint32_t task, target_task; /* tags */
	uint32_t expected;	    /* SCSI Command: bytes that are to be moved */
	uint32_t residual;	    /* SCSI Response: of them that were not */
	uint8_t cdb;		    /* SCSI Command: its operation code */
	bool reads, writes;	    /* SCSI Command */
};

/* Operations are numbered by a request's opcode, those of SCSI as scsi.h has them. */

/* What answered; SCSI's own: rda_scsi_status. */
enum rda_iscsi_class {
	RDA_ISCSI_CLASS_SCSI,
	RDA_ISCSI_CLASS_RESPONSE,
	RDA_ISCSI_CLASS_LOGIN,
	RDA_ISCSI_CLASS_REJECT,
	RDA_ISCSI_CLASS_TASK,
	RDA_ISCSI_CLASS_LOGOUT,
	RDA_ISCSI_CLASS_HELLO,
};

/* Class in the highest four bits. */
static inline uint32_t rda_iscsi_status_of(enum rda_iscsi_class class, uint32_t code)
{
	return (uint32_t) class << 28 | code;
}

/* Readers take the whole of their header, or nothing. */
bool rda_read_iser(struct rda_cursor *c, struct rda_iser *iser);
bool rda_read_iscsi(struct rda_cursor *c, struct rda_iscsi *iscsi);

/* Behind the header of a response: its sense data, as far as it is there. */
void rda_read_iscsi_sense(struct rda_cursor *c, const struct rda_iscsi *iscsi,
			  struct rda_scsi_sense *sense);

/* Behind that of a Reject: the tag of what was rejected. */
bool rda_read_iscsi_rejected(struct rda_cursor *c, const struct rda_iscsi *iscsi, uint32_t *task);

/* A request in a control PDU, and hardly anything else; `expected`: a port says so. */
bool rda_iser_is_request(const uint8_t *bytes, uint32_t have, bool expected);

/* NULL: there is none. */
const char *rda_iscsi_operation_name(uint32_t operation);
const char *rda_iscsi_status_words(uint32_t status);

/* It comes up every day, and nothing is wrong; of SCSI's own scsi.h knows. */
bool rda_iscsi_status_is_usual(uint32_t status);

#endif
