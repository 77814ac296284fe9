/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SMB Direct ([MS-SMBD]) and the SMB 2 messages in it ([MS-SMB2]); signatures are left out.
 *
 *     negotiate   | min 2 | max version 2 | 0 2 | credits requested 2 | send size 4 | receive size
 * 4 | fragmented 4 | its answer  | min 2 | max 2 | version 2 | 0 2 | credits requested 2 | granted
 * 2 | status 4 | sizes 16 | data        | credits requested 2 | granted 2 | flags 2 | 0 2 |
 * remaining 4 | offset 4 | length 4 | .. | data | SMB 2       | FE 'SMB' | 64 2 | charge 2 | status
 * 4 | command 2 | credits 2 | flags 4 | next 4 | message ID 8 | | .. 8 | session 8 | signature 16
 * |, the command's structure, and at `next` the next one
 *
 * All numbers are little endian. A message longer than a SEND comes in several: `remaining` bytes
 * of it are behind this one. READ and WRITE lend memory for their data, which the server moves.
 */
#ifndef RDA_SMB_H
#define RDA_SMB_H

#include "dissectors/cursor.h"
#include "dissectors/ulp/smb.def"

enum {
	RDA_SMBD_REQUEST_BYTES = 20,
	RDA_SMBD_RESPONSE_BYTES = 32,
	RDA_SMBD_DATA_BYTES = 20,
	RDA_SMB_BYTES = 64,
};

enum rda_smb_command {
#define RDA_O(code, ID, name, waits) RDA_SMB_##ID = (code),
	RDA_SMB_COMMANDS(RDA_O)
#undef RDA_O
};

/* A response that is none yet: the server works on it; it goes on with the same command. */
#define RDA_SMB_STATUS_PENDING	       UINT32_C(0x00000103)
#define RDA_SMB_STATUS_MORE_PROCESSING UINT32_C(0xc0000016)

/* Of messages that the server sends on its own. */
#define RDA_SMB_UNSOLICITED UINT64_MAX

struct rda_smbd_data {
	uint16_t credits_requested, credits_granted;
	uint32_t remaining, offset, length;
};

/* Pieces of memory that are told of one command. */
enum { RDA_SMB_BUFFERS = 16 };

struct rda_smb_buffer {
	uint64_t offset;
	uint32_t token, length;
};

struct rda_smb {
	uint16_t command;
	bool is_response, is_async;
	uint16_t charge;  /* credits that it uses; 0: it may be one */
	uint16_t credits; /* asked for; of a response granted */
	uint32_t status;  /* of a response */
	uint32_t next;	  /* bytes to the next one; 0: it is the last */
	uint64_t message_id;
	bool has_bytes; /* of READ and WRITE: */
	uint32_t bytes; /* that they ask for; that were moved */
	uint8_t buffer_count;
	struct rda_smb_buffer buffers[RDA_SMB_BUFFERS];
};

/* What a SEND is. */
enum rda_smbd_kind {
	RDA_SMBD_CUT,	   /* too little of it was captured */
	RDA_SMBD_DATA,	   /* the cursor is at its data */
	RDA_SMBD_REQUEST,  /* negotiate */
	RDA_SMBD_RESPONSE, /* to it */
	RDA_SMBD_OTHER,	   /* it contradicts itself */
};

/* `data` of DATA, its credits and `status` of RESPONSE. */
enum rda_smbd_kind rda_smb_read_direct(struct rda_cursor *c, struct rda_smbd_data *data,
				       uint32_t *status);

enum rda_smb_form {
	RDA_SMB_FORM_CUT,
	RDA_SMB_FORM_PLAIN,  /* the cursor is at the next one, if there is one */
	RDA_SMB_FORM_UNREAD, /* encrypted, compressed, or something else */
};
enum rda_smb_form rda_read_smb(struct rda_cursor *c, struct rda_smb *smb);

/* The beginning of a connection of SMB Direct, or a request in it, and hardly anything else. */
bool rda_smb_is_request(const uint8_t *bytes, uint32_t have, bool expected);

/* NULL: it has none. */
const char *rda_smb_command_name(uint32_t command);
const char *rda_smb_status_words(uint32_t status);

/* The server may keep it for ever. */
bool rda_smb_command_waits(uint32_t command);

/* An answer that file systems give every day. */
bool rda_smb_status_is_usual(uint32_t status);

#endif
