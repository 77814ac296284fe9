/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NVMe over RDMA: the capsules that SENDs carry (NVM Express RDMA transport specification 1.0).
 *
 *     command    | opcode flags CID | NSID | .. | SGL 1: address length key type | dwords 10..15 |
 *                  1      1     2      4    16    16                               24 data
 *     completion | result 8 | SQ head 2 | SQ ID 2 | CID 2 | status 2 |
 *
 * All numbers are little endian. What joins commands and completions is in analyzer/track/ulp/.
 */
#ifndef RDA_NVME_H
#define RDA_NVME_H

#include "dissectors/cursor.h"
#include "dissectors/ulp/nvme.def"

enum { RDA_NVME_COMMAND_BYTES = 64, RDA_NVME_COMPLETION_BYTES = 16 };

/* A command has one of these opcodes' meanings by the queue that it is sent on. */
enum rda_nvme_queue { RDA_NVME_QUEUE_UNKNOWN, RDA_NVME_QUEUE_ADMIN, RDA_NVME_QUEUE_IO };

/* How an operation is numbered: its set in the high byte, its code in the low one. */
enum rda_nvme_set {
	RDA_NVME_SET_UNKNOWN,
	RDA_NVME_SET_ADMIN,
	RDA_NVME_SET_IO,
	RDA_NVME_SET_FABRICS,
};

enum rda_nvme_operation_number {
#define RDA_O(QUEUE, code, ID, name, waits)                                                        \
	RDA_NVME_##QUEUE##_##ID = RDA_NVME_SET_##QUEUE << 8 | (code),
	RDA_NVME_OPERATIONS(RDA_O)
#undef RDA_O
};

#define RDA_NVME_OPCODE_FABRICS 0x7f

/* The first SGL descriptor says where the command's data is: */
enum rda_nvme_data {
	RDA_NVME_DATA_NONE,   /* a descriptor that RDMA has not */
	RDA_NVME_DATA_KEYED,  /* memory of the host, to be read or written by RDMA */
	RDA_NVME_DATA_INLINE, /* in the capsule, behind the command */
};

struct rda_nvme_command {
	uint8_t opcode, flags;
	uint8_t fabrics_type; /* of opcode 0x7f */
	uint16_t cid;
	uint32_t nsid;
	uint8_t data;	    /* enum rda_nvme_data */
	uint8_t sgl_type;   /* descriptor type and subtype */
	uint64_t address;   /* KEYED; of INLINE the offset in the capsule */
	uint32_t length;    /* bytes of data */
	uint32_t key;	    /* KEYED */
	bool reserved_set;  /* what an I/O command, or the RDMA transport, must leave 0 is not 0 */
	uint32_t dwords[6]; /* command dwords 10 to 15 */
};

struct rda_nvme_completion {
	uint64_t result;
	uint16_t sq_head, sq_id, cid;
	uint16_t status; /* without the phase tag: status code 8 bits, type 3, delay 2, more, DNR */
};

/* The status code and its type, as docs and findings have them: type in the high byte. */
static inline uint16_t rda_nvme_status(uint16_t status)
{
	return status & 0x7ff;
}

static inline uint8_t rda_nvme_status_type(uint16_t status)
{
	return status >> 8 & 7;
}

/* Readers take the whole of their header, or nothing. */
bool rda_read_nvme_command(struct rda_cursor *c, struct rda_nvme_command *command);
bool rda_read_nvme_completion(struct rda_cursor *c, struct rda_nvme_completion *completion);

/* Of a Connect: the queue that the connection is to be, and its keep-alive timeout; 0: none. */
uint16_t rda_nvme_connect_queue(const struct rda_nvme_command *command);
uint32_t rda_nvme_connect_keep_alive_ms(const struct rda_nvme_command *command);

/* Whether it is a Set Features (of an admin queue) that sets the keep-alive timeout; 0: none. */
bool rda_nvme_sets_keep_alive(const struct rda_nvme_command *command, uint32_t *keep_ms);

/* The controller that a Connect's data names; which one is the host's is the controller's choice:
 */
#define RDA_NVME_ANY_CONTROLLER 0xffff

/* The data of a Connect, behind the command in its capsule, or wherever it is. */
bool rda_read_nvme_connect_data(struct rda_cursor *c, uint16_t *controller);

/* The controller that the host got, as the completion of its Connect tells. */
static inline uint16_t rda_nvme_connected_controller(const struct rda_nvme_completion *completion)
{
	return (uint16_t)completion->result;
}

/*
 * Whether it can be a command on a queue of NVMe over RDMA, and hardly anything else: what must be
 * 0 is, and the data is described as the transport wants it. `expected`: a port says that the
 * connection is NVMe's.
 */
bool rda_nvme_is_command(const struct rda_nvme_command *command, bool expected);

/* The queue that can have such a command; UNKNOWN: both can. */
enum rda_nvme_queue rda_nvme_queue_of(const struct rda_nvme_command *command);

/* Set and code: enum rda_nvme_operation_number, or a number that has no row. */
uint16_t rda_nvme_operation(const struct rda_nvme_command *command, enum rda_nvme_queue queue);

/* NULL: there is none of that number. */
const char *rda_nvme_operation_name(uint16_t operation);

/* The controller may keep it for ever. */
bool rda_nvme_operation_waits(uint16_t operation);

/* The standard's words for the status of an operation; NULL: it has none. */
const char *rda_nvme_status_words(uint16_t operation, uint16_t status);

/* It is an answer as good as success. */
bool rda_nvme_status_is_usual(uint16_t operation, uint16_t status);

#endif
