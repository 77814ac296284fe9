/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SMB Direct and SMB 2; smb.h has the figure.
 */
#include "dissectors/ulp/smb.h"

enum { VERSION = 0x0100, FLAGS_KNOWN = 0x0001 };
enum { IS_RESPONSE = 0x1, IS_ASYNC = 0x2 };

/* [MS-SMBD] 3.1.5.2 and 2.2.1: no implementation offers less. */
enum { RECEIVE_SIZE_LEAST = 128, FRAGMENTED_LEAST = 131072 };

#define PLAIN UINT32_C(0x424d53fe) /* FE 'SMB' */

static uint16_t le16(const uint8_t *p)
{
	return (uint16_t)(p[1] << 8 | p[0]);
}

static uint64_t le64(const uint8_t *p)
{
	return (uint64_t)rda_le32(p + 4) << 32 | rda_le32(p);
}

/* ---- SMB Direct ------------------------------------------------------------------------------ */

/* The lowest and the highest version that the sender knows: there is only one. */
static bool is_negotiation(const uint8_t *p)
{
	return le16(p) == VERSION && le16(p + 2) == VERSION;
}

/* A request has 0 where a response has the version that was chosen. */
static enum rda_smbd_kind negotiation(struct rda_cursor *c, const uint8_t *p,
				      struct rda_smbd_data *data, uint32_t *status)
{
	if (le16(p + 4) == 0)
		return rda_le32(p + 12) >= RECEIVE_SIZE_LEAST ? RDA_SMBD_REQUEST : RDA_SMBD_OTHER;
	*data = (struct rda_smbd_data){le16(p + 8), le16(p + 10), 0, 0, 0};
	*status = rda_le32(p + 12);
	return rda_cursor_wire_left(c) >= RDA_SMBD_RESPONSE_BYTES - RDA_SMBD_DATA_BYTES
		       ? RDA_SMBD_RESPONSE
		       : RDA_SMBD_OTHER;
}

/* Data may ask for, and grant, 256 credits; but it has sizes where a negotiation's are beyond it.
 */
enum rda_smbd_kind rda_smb_read_direct(struct rda_cursor *c, struct rda_smbd_data *data,
				       uint32_t *status)
{
	struct rda_cursor whole = *c;
	const uint8_t *p = rda_cursor_take(c, RDA_SMBD_DATA_BYTES);
	uint32_t behind;

	if (!p)
		return rda_cursor_wire_left(c) < RDA_SMBD_DATA_BYTES ? RDA_SMBD_OTHER
								     : RDA_SMBD_CUT;
	*data = (struct rda_smbd_data){
		.credits_requested = le16(p),
		.credits_granted = le16(p + 2),
		.remaining = rda_le32(p + 8),
		.offset = rda_le32(p + 12),
		.length = rda_le32(p + 16),
	};
	behind = rda_cursor_wire_left(&whole);
	if (is_negotiation(p) &&
	    (data->offset % 8 || data->offset > behind || data->length > behind))
		return negotiation(c, p, data, status);
	if (le16(p + 4) & ~FLAGS_KNOWN || le16(p + 6))
		return RDA_SMBD_OTHER;
	if (!data->length)
		return RDA_SMBD_DATA;
	if (data->offset < RDA_SMBD_DATA_BYTES || data->offset % 8 || data->offset > behind ||
	    data->length > behind - data->offset)
		return RDA_SMBD_OTHER;
	if (!rda_cursor_take(c, data->offset - RDA_SMBD_DATA_BYTES))
		return RDA_SMBD_CUT;
	rda_cursor_limit(c, data->length);
	return RDA_SMBD_DATA;
}

/* ---- SMB 2 ----------------------------------------------------------------------------------- */

/* Offsets in the structures of READ and WRITE, and how long these are ([MS-SMB2] 2.2.19 to 22). */
enum {
	READ_LENGTH = 4,
	READ_CHANNEL = 36,
	READ_INFO = 44,
	WRITE_LENGTH = 4,
	WRITE_CHANNEL = 32,
	WRITE_REMAINING = 36,
	WRITE_INFO = 40,
	REQUEST_BYTES = 48,
	DONE_LENGTH = 4,
	DONE_REMAINING = 8,
	DONE_BYTES = 16,
};

/* SMB2_CHANNEL_RDMA_V1 and _INVALIDATE: descriptors of 16 bytes each. */
enum { CHANNEL_RDMA_V1 = 1, CHANNEL_RDMA_V1_INVALIDATE = 2, DESCRIPTOR_BYTES = 16 };

/* `message` begins with the header; `info` has the descriptors' offset from there, and length. */
static void read_buffers(struct rda_cursor message, const uint8_t *info, uint32_t channel,
			 struct rda_smb *smb)
{
	uint32_t count = le16(info + 2) / DESCRIPTOR_BYTES;

	if ((channel != CHANNEL_RDMA_V1 && channel != CHANNEL_RDMA_V1_INVALIDATE) ||
	    !rda_cursor_take(&message, le16(info)))
		return;
	for (uint32_t i = 0; i < count && i < RDA_SMB_BUFFERS; i++) {
		const uint8_t *p = rda_cursor_take(&message, DESCRIPTOR_BYTES);

		if (!p)
			return;
		smb->buffers[smb->buffer_count++] =
			(struct rda_smb_buffer){le64(p), rda_le32(p + 8), rda_le32(p + 12)};
	}
}

static void read_request(struct rda_cursor c, struct rda_cursor message, struct rda_smb *smb)
{
	const uint8_t *p = rda_cursor_take(&c, REQUEST_BYTES);

	if (!p)
		return;
	smb->has_bytes = true;
	if (smb->command == RDA_SMB_READ) {
		smb->bytes = rda_le32(p + READ_LENGTH);
		read_buffers(message, p + READ_INFO, rda_le32(p + READ_CHANNEL), smb);
	} else {
		smb->bytes = rda_le32(p + WRITE_LENGTH);
		if (!smb->bytes) /* they are in the memory that it lends */
			smb->bytes = rda_le32(p + WRITE_REMAINING);
		read_buffers(message, p + WRITE_INFO, rda_le32(p + WRITE_CHANNEL), smb);
	}
}

static void read_response(struct rda_cursor c, struct rda_smb *smb)
{
	const uint8_t *p = smb->status ? NULL : rda_cursor_take(&c, DONE_BYTES);

	if (!p)
		return;
	smb->has_bytes = true;
	smb->bytes = rda_le32(p + DONE_LENGTH);
	if (!smb->bytes && smb->command == RDA_SMB_READ)
		smb->bytes = rda_le32(p + DONE_REMAINING);
}

enum rda_smb_form rda_read_smb(struct rda_cursor *c, struct rda_smb *smb)
{
	struct rda_cursor message = *c;
	const uint8_t *p = rda_cursor_take(c, RDA_SMB_BYTES);
	uint32_t flags;

	if (!p) {
		p = rda_cursor_take(c, 4);
		return p && rda_le32(p) != PLAIN ? RDA_SMB_FORM_UNREAD : RDA_SMB_FORM_CUT;
	}
	if (rda_le32(p) != PLAIN || le16(p + 4) != RDA_SMB_BYTES)
		return RDA_SMB_FORM_UNREAD;
	flags = rda_le32(p + 16);
	*smb = (struct rda_smb){
		.charge = le16(p + 6),
		.command = le16(p + 12),
		.credits = le16(p + 14),
		.is_response = flags & IS_RESPONSE,
		.is_async = flags & IS_ASYNC,
		.next = rda_le32(p + 20),
		.message_id = le64(p + 24),
	};
	if (smb->is_response)
		smb->status = rda_le32(p + 8);
	if (smb->next && smb->next < RDA_SMB_BYTES)
		return RDA_SMB_FORM_UNREAD;
	if (smb->command == RDA_SMB_READ || smb->command == RDA_SMB_WRITE) {
		if (smb->is_response)
			read_response(*c, smb);
		else
			read_request(*c, message, smb);
	}
	if (smb->next && !rda_cursor_take(c, smb->next - RDA_SMB_BYTES))
		c->offset = c->captured_end; /* what follows was not captured */
	return RDA_SMB_FORM_PLAIN;
}

/* ---- finding it ------------------------------------------------------------------------------ */

bool rda_smb_is_request(const uint8_t *bytes, uint32_t have, bool expected)
{
	struct rda_cursor c = {bytes, 0, have, UINT32_MAX};
	struct rda_smbd_data data;
	struct rda_smb smb;
	uint32_t status;

	if (have >= RDA_SMBD_REQUEST_BYTES && is_negotiation(bytes) && !le16(bytes + 4) &&
	    le16(bytes + 6) && rda_le32(bytes + 12) >= RECEIVE_SIZE_LEAST &&
	    rda_le32(bytes + 16) >= FRAGMENTED_LEAST)
		return true;
	(void)expected; /* it is sure enough without */
	return rda_smb_read_direct(&c, &data, &status) == RDA_SMBD_DATA && data.length &&
	       rda_read_smb(&c, &smb) == RDA_SMB_FORM_PLAIN && !smb.is_response;
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *rda_smb_command_name(uint32_t command)
{
	switch (command) {
#define RDA_O(code, ID, name, waits)                                                               \
	case (code): return name;
		RDA_SMB_COMMANDS(RDA_O)
#undef RDA_O
	default: return NULL;
	}
}

bool rda_smb_command_waits(uint32_t command)
{
	switch (command) {
#define RDA_O(code, ID, name, waits)                                                               \
	case (code): return waits;
		RDA_SMB_COMMANDS(RDA_O)
#undef RDA_O
	default: return false;
	}
}

const char *rda_smb_status_words(uint32_t status)
{
	switch (status) {
#define RDA_S(code, words, usual)                                                                  \
	case (code): return words;
		RDA_SMB_STATUSES(RDA_S)
#undef RDA_S
	default: return NULL;
	}
}

bool rda_smb_status_is_usual(uint32_t status)
{
	switch (status) {
#define RDA_S(code, words, usual)                                                                  \
	case (code): return usual;
		RDA_SMB_STATUSES(RDA_S)
#undef RDA_S
	default: return false;
	}
}
