/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Capsules of NVMe over RDMA; nvme.h has the figure.
 */
#include "dissectors/ulp/nvme.h"

/* Offsets in a command. */
enum {
	FLAGS = 1,
	CID = 2,
	NSID = 4,
	FABRICS_TYPE = 4,
	CDW2 = 8,
	METADATA = 16,
	SGL = 24,
	SGL_LENGTH = SGL + 8,
	SGL_KEY = SGL + 11,
	SGL_TYPE = SGL + 15,
	CDW10 = 40,
};

/* And in the data of a Connect (NVMe over Fabrics 1.1, 3.3). */
enum { CONNECT_CONTROLLER = 16 };

/* Descriptor type in the high half, subtype in the low one (NVMe base 2.0, figures 99 to 106). */
enum {
	SGL_IN_CAPSULE = 0x01,
	SGL_KEYED = 0x40,
	SGL_KEYED_INVALIDATE = 0x4f,
};

/* Without the two bits of fused pairs: the command uses SGLs, as the transport demands. */
enum { FLAGS_SGL = 0x40, FLAGS_MASK = 0xfc };

static uint16_t le16(const uint8_t *p)
{
	return (uint16_t)(p[1] << 8 | p[0]);
}

static uint64_t le64(const uint8_t *p)
{
	return (uint64_t)rda_le32(p + 4) << 32 | rda_le32(p);
}

static void read_data(struct rda_nvme_command *command, const uint8_t *p)
{
	command->sgl_type = p[SGL_TYPE];
	command->address = le64(p + SGL);
	if (command->sgl_type == SGL_KEYED || command->sgl_type == SGL_KEYED_INVALIDATE) {
		command->length = rda_le32(p + SGL_LENGTH) & 0xffffff;
		command->key = rda_le32(p + SGL_KEY);
		command->data = RDA_NVME_DATA_KEYED;
	} else if (command->sgl_type == SGL_IN_CAPSULE) {
		command->length = rda_le32(p + SGL_LENGTH);
		command->data = RDA_NVME_DATA_INLINE;
	}
}

bool rda_read_nvme_command(struct rda_cursor *c, struct rda_nvme_command *command)
{
	const uint8_t *p = rda_cursor_take(c, RDA_NVME_COMMAND_BYTES);

	if (!p)
		return false;
	*command = (struct rda_nvme_command){
		.opcode = p[0],
		.flags = p[FLAGS],
		.cid = le16(p + CID),
		.nsid = rda_le32(p + NSID),
	};
	if (command->opcode == RDA_NVME_OPCODE_FABRICS)
		command->fabrics_type = p[FABRICS_TYPE];
	read_data(command, p);
	command->reserved_set = le64(p + CDW2) || le64(p + METADATA);
	for (unsigned i = 0; i < 6; i++)
		command->dwords[i] = rda_le32(p + CDW10 + 4 * i);
	return true;
}

bool rda_read_nvme_completion(struct rda_cursor *c, struct rda_nvme_completion *completion)
{
	const uint8_t *p = rda_cursor_take(c, RDA_NVME_COMPLETION_BYTES);

	if (!p)
		return false;
	*completion = (struct rda_nvme_completion){
		.result = le64(p),
		.sq_head = le16(p + 8),
		.sq_id = le16(p + 10),
		.cid = le16(p + 12),
		.status = (uint16_t)(le16(p + 14) >> 1),
	};
	return true;
}

uint16_t rda_nvme_connect_queue(const struct rda_nvme_command *command)
{
	return command->dwords[0] >> 16;
}

uint32_t rda_nvme_connect_keep_alive_ms(const struct rda_nvme_command *command)
{
	return command->dwords[2];
}

bool rda_nvme_sets_keep_alive(const struct rda_nvme_command *command, uint32_t *keep_ms)
{
	enum { KEEP_ALIVE_TIMER = 0x0f }; /* NVMe base 2.0, 5.27.1.12 */

	*keep_ms = command->dwords[1];
	return command->opcode == (RDA_NVME_ADMIN_SET_FEATURES & 0xff) &&
	       (command->dwords[0] & 0xff) == KEEP_ALIVE_TIMER;
}

bool rda_read_nvme_connect_data(struct rda_cursor *c, uint16_t *controller)
{
	const uint8_t *p = rda_cursor_take(c, CONNECT_CONTROLLER + 2);

	if (p)
		*controller = le16(p + CONNECT_CONTROLLER);
	return p != NULL;
}

static bool has_name(const struct rda_nvme_command *command)
{
	return rda_nvme_operation_name(rda_nvme_operation(command, RDA_NVME_QUEUE_ADMIN)) ||
	       rda_nvme_operation_name(rda_nvme_operation(command, RDA_NVME_QUEUE_IO));
}

bool rda_nvme_is_command(const struct rda_nvme_command *command, bool expected)
{
	if ((command->flags & FLAGS_MASK) != FLAGS_SGL || command->data == RDA_NVME_DATA_NONE)
		return false;
	if (expected)
		return true;
	if (command->reserved_set || !has_name(command))
		return false;
	if (command->data == RDA_NVME_DATA_INLINE)
		return command->address == 0 && command->length % 4 == 0;
	return command->length % 4 == 0 && (command->length == 0) == (command->address == 0) &&
	       (command->length != 0 || command->key == 0);
}

/* A READ says its length twice: in the descriptor, and as blocks of a size that is a power of two.
 */
static bool is_in_blocks(const struct rda_nvme_command *command)
{
	uint32_t blocks = (command->dwords[2] & 0xffff) + 1;
	uint32_t size = command->length / blocks;

	return command->length % blocks == 0 && size >= 512 && (size & (size - 1)) == 0;
}

enum rda_nvme_queue rda_nvme_queue_of(const struct rda_nvme_command *command)
{
	uint32_t dwords = (command->dwords[0] >> 16 | command->dwords[1] << 16) + 1;

	switch (command->opcode) {
	case RDA_NVME_ADMIN_IDENTIFY & 0xff:
	case RDA_NVME_ADMIN_GET_FEATURES & 0xff:
	case RDA_NVME_ADMIN_KEEP_ALIVE & 0xff: return RDA_NVME_QUEUE_ADMIN;
	case RDA_NVME_IO_FLUSH & 0xff: /* fabrics have no admin commands of these codes */
	case RDA_NVME_IO_WRITE & 0xff:
	case RDA_NVME_IO_COMPARE & 0xff: return RDA_NVME_QUEUE_IO;
	case RDA_NVME_IO_READ & 0xff:
		if (command->nsid == 0 || command->length == 4 * (uint64_t)dwords)
			return RDA_NVME_QUEUE_ADMIN;
		return is_in_blocks(command) ? RDA_NVME_QUEUE_IO : RDA_NVME_QUEUE_UNKNOWN;
	case RDA_NVME_OPCODE_FABRICS:
		if (command->fabrics_type == (RDA_NVME_FABRICS_CONNECT & 0xff))
			return rda_nvme_connect_queue(command) ? RDA_NVME_QUEUE_IO
							       : RDA_NVME_QUEUE_ADMIN;
		return RDA_NVME_QUEUE_UNKNOWN;
	default: return command->nsid ? RDA_NVME_QUEUE_UNKNOWN : RDA_NVME_QUEUE_ADMIN;
	}
}

uint16_t rda_nvme_operation(const struct rda_nvme_command *command, enum rda_nvme_queue queue)
{
	if (command->opcode == RDA_NVME_OPCODE_FABRICS)
		return (uint16_t)(RDA_NVME_SET_FABRICS << 8 | command->fabrics_type);
	if (queue == RDA_NVME_QUEUE_ADMIN)
		return (uint16_t)(RDA_NVME_SET_ADMIN << 8 | command->opcode);
	if (queue == RDA_NVME_QUEUE_IO)
		return (uint16_t)(RDA_NVME_SET_IO << 8 | command->opcode);
	return (uint16_t)(RDA_NVME_SET_UNKNOWN << 8 | command->opcode);
}

const char *rda_nvme_operation_name(uint16_t operation)
{
	switch (operation) {
#define RDA_O(QUEUE, code, ID, name, waits)                                                        \
	case RDA_NVME_##QUEUE##_##ID: return name;
		RDA_NVME_OPERATIONS(RDA_O)
#undef RDA_O
	default: return NULL;
	}
}

bool rda_nvme_operation_waits(uint16_t operation)
{
	switch (operation) {
#define RDA_O(QUEUE, code, ID, name, waits)                                                        \
	case RDA_NVME_##QUEUE##_##ID: return waits;
		RDA_NVME_OPERATIONS(RDA_O)
#undef RDA_O
	default: return false;
	}
}

/* Which commands a row of statuses is about. */
enum { RDA_NVME_SET_ANY = RDA_NVME_SET_UNKNOWN };

struct status {
	uint8_t set, type, code;
	bool usual;
	const char *words;
};

/* NULL: it has no row. */
static const struct status *row_of(uint16_t operation, uint16_t status)
{
	static const struct status rows[] = {
#define RDA_S(SET, type, code, words, usual) {RDA_NVME_SET_##SET, type, code, usual, words},
		RDA_NVME_STATUSES(RDA_S)
#undef RDA_S
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].type == rda_nvme_status_type(status) &&
		    rows[i].code == (status & 0xff) &&
		    (rows[i].set == RDA_NVME_SET_ANY || rows[i].set == operation >> 8))
			return &rows[i];
	return NULL;
}

const char *rda_nvme_status_words(uint16_t operation, uint16_t status)
{
	const struct status *row = row_of(operation, status);

	return row ? row->words : NULL;
}

bool rda_nvme_status_is_usual(uint16_t operation, uint16_t status)
{
	const struct status *row = row_of(operation, status);

	return row && row->usual;
}
