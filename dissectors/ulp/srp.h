/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SRP, the SCSI RDMA Protocol: its information units (T10 SRP r16a; SRP-2 for immediate data).
 *
 *     any      | type | flags | .. | 4: request limit delta, or reason, 4 | tag 8
 *     CMD      | 5: buffer formats, 4 bits out, 4 in | descriptors out, in | tag 8 | .. 4 | LUN 8 |
 *              | .. | 31: bytes of more CDB | CDB 16 | more CDB | data-out buffer | data-in buffer
 *     RSP      | 16: .. 2 | flags | status | residual out 4, in 4 | sense 4 | response data 4 |
 *              | response data | sense data
 *     direct   | address 8 | key 4 | length 4
 *     indirect | address 8 | key 4 | length 4 of the table | length of the data 4 | direct ...
 *
 * All numbers are big endian. A tag is its sender's, in whatever byte order it likes.
 *
 * The login is no SEND: SRP_LOGIN_REQ is the private data of the connection's REQ, SRP_LOGIN_RSP of
 * the REP, SRP_LOGIN_REJ of a REJ. RDMA-CM leaves room for 56 bytes only, in which the request has
 * a form of its own: | tag 8 | formats 2 | flags | type | IU length 4 | ports 2 x 16 | ..
 */
#ifndef RDA_SRP_H
#define RDA_SRP_H

#include "dissectors/ulp/scsi.h"
#include "dissectors/ulp/srp.def"

enum rda_srp_type {
#define RDA_U(type, ID, bytes) RDA_SRP_##ID = (type),
	RDA_SRP_UNITS(RDA_U)
#undef RDA_U
};

/* A unit's fixed part; what it has not is 0. */
struct rda_srp {
	uint8_t type; /* enum rda_srp_type */
	uint64_t tag;
	int32_t limit;	 /* RSP, CRED_REQ, AER_REQ, LOGIN_RSP: so many more requests may be sent */
	uint32_t reason; /* LOGIN_REJ, T_LOGOUT */
	uint16_t lun;	 /* CMD, TSK_MGMT, AER_REQ */
	uint8_t formats, descriptors[2], more_cdb, cdb; /* CMD; descriptors: out, in */
	uint8_t function;				/* TSK_MGMT */
	uint64_t task;					/* TSK_MGMT: tag of what it is about */
	uint8_t flags, status;				/* RSP */
	uint32_t residual[2];				/* RSP: out, in */
	uint32_t response, sense;			/* RSP: bytes of these */
	uint32_t it_bytes, ti_bytes; /* LOGIN_*: longest unit to the target, to the initiator */
	uint16_t login_formats;	     /* LOGIN_*: of buffer descriptors */
};

/* Memory that a command lends. */
struct rda_srp_memory {
	uint64_t address;
	uint32_t key, length;
	bool is_table; /* of descriptors, which the target may read; else data */
};

/* Where a command's buffers are read; begins with zeros. */
struct rda_srp_buffers {
	bool begun;
	uint8_t side;	 /* 0 out, 1 in, 2 done */
	uint16_t left;	 /* descriptors of the indirect buffer at hand */
	uint64_t bytes;	 /* that the command is about, as far as it was read */
	uint64_t inside; /* of them, in the message */
	bool cut;	 /* it goes on where nothing was captured, or with an unknown format */
	bool table;	 /* there are more descriptors than those in the unit */
};

/* How operations are numbered: type of the request, RDA_SRP_TASK and the function, or as SCSI's. */
enum { RDA_SRP_TASK = 0x200 };

/* What answered; SCSI's own: rda_scsi_status. */
enum rda_srp_class {
	RDA_SRP_CLASS_SCSI,
	RDA_SRP_CLASS_RESPONSE,
	RDA_SRP_CLASS_LOGIN,
	RDA_SRP_CLASS_LOGOUT,
};

/* Class in the highest four bits. */
static inline uint32_t rda_srp_status_of(enum rda_srp_class class, uint32_t code)
{
	return (uint32_t) class << 28 | (code & 0xfffffff);
}

/* The whole of a unit's fixed part, or nothing. */
bool rda_read_srp(struct rda_cursor *c, struct rda_srp *srp);

/* Behind that of a command: the next memory that it lends; false: there is no more. */
bool rda_srp_next_memory(struct rda_cursor *c, const struct rda_srp *srp,
			 struct rda_srp_buffers *buffers, struct rda_srp_memory *memory);

/* Behind that of a response: how it ended, 0 or rda_srp_status_of. */
uint32_t rda_srp_read_status(struct rda_cursor *c, const struct rda_srp *srp);

/* Of the data that a response's command was to move: bytes that were not. */
uint64_t rda_srp_residual(const struct rda_srp *srp);

/*
 * Private data of connection management: a request (`compact`: in RDMA-CM's form), a response or a
 * refusal, and nothing else.
 */
bool rda_srp_read_login_request(struct rda_cursor *c, bool compact, struct rda_srp *srp);
bool rda_srp_read_login_answer(struct rda_cursor *c, struct rda_srp *srp);

/* A command that moves data, and hardly anything else; `expected`: a login was seen. */
bool rda_srp_is_request(const uint8_t *bytes, uint32_t have, bool expected);

/* NULL: there is none. */
const char *rda_srp_operation_name(uint32_t operation);
const char *rda_srp_status_words(uint32_t status);

/* It comes up every day, and nothing is wrong; of SCSI's own scsi.h knows. */
bool rda_srp_status_is_usual(uint32_t status);

#endif
