/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of one connection's upper layer that wait for their answers: found by the number
 * that the answer names (a CID, an XID, a task tag), and by the memory that the command lent for
 * its data, since a READ or WRITE names nothing else.
 *
 *     command 17, key 0x4f01 at 0x7000, 4096 bytes      WRITE key 0x4f01 at 0x7400 --> command 17
 *
 * Room is bounded twice: by connection, and for all connections together. Where there is none the
 * connection's oldest command makes place, and is counted. Commands of a connection share the room
 * for pieces of memory, so that one may lend many where others lend few.
 */
#ifndef RDA_ULP_COMMANDS_H
#define RDA_ULP_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

/* Pieces of memory that are known of one command: NVMe names one, SRP up to 255 in each direction,
 * NFS as many as it has segments. And of a connection for each command that it has room for. */
#define RDA_ULP_RANGES	    255
#define RDA_ULP_RANGES_EACH 16

/* Commands of one connection that wait; deeper queues than 1024 are not built. */
#define RDA_ULP_COMMANDS_MAX 4096

/* Of all connections: of about 150 bytes each, and 32 for each piece of memory. */
#define RDA_ULP_COMMANDS_TOTAL 262144

/* Commands with one memory key that are compared with an access: a host may use one for all. */
#define RDA_ULP_SEARCHED 1024

struct rda_ulp_range {
	uint64_t address;
	uint32_t key, length;
};

/* One that was lent. */
struct rda_ulp_lent {
	struct rda_ulp_range range;
	/* places in the pools + 1; 0 none */
	uint32_t command, next_of_command, next_of_key, before_of_key;
};

/* What RPC remembers of a call until its reply comes. */
struct rda_rpc_own {
	uint8_t reply_range; /* where a long reply is written to, from 1; 0: none */
	uint8_t gss_service; /* RPCSEC_GSS */
	bool replied;	     /* the long reply was written: `status` and the next are known */
	bool unchecked;	     /* no checksum vouches for what was written */
	bool has_bytes;
	uint8_t failed;	       /* the operation of a COMPOUND that failed; 0 not known */
	uint8_t operations[8]; /* of a COMPOUND; 0 none */
	uint32_t status, bytes;
};

/* And iSCSI and SRP of a SCSI command. */
struct rda_scsi_own {
	uint16_t lun;
};

/* And NVMe of a command on an admin queue. */
struct rda_nvme_own {
	bool sets_keep_alive;
	uint32_t keep_ms; /* that it sets */
};

/* And RDS of a message. */
struct rda_rds_own {
	uint16_t source, destination; /* ports */
};

struct rda_ulp_command {
	uint64_t serial;	      /* among those of all connections, from 0 */
	uint64_t place;		      /* of its first frame */
	int64_t asked_ns;	      /* time of its first frame */
	int64_t data_ns, data_end_ns; /* the first and the last of its data; valid if `moved` */
	uint64_t bytes;		      /* that it is about */
	uint64_t moved;		      /* of them, by READ or WRITE */
	uint64_t inside;	      /* of them, in the message itself */
	uint64_t id;
	int64_t end;	    /* of it: a PSN, or an offset of TCP */
	uint64_t holes;	    /* in what the answerer sent before it */
	uint16_t operation; /* its row */
	uint8_t lent_count;
	bool waits;  /* the answer comes when something happens, be it never */
	bool broken; /* not all of its data was captured: the parts of its time are not known */
	bool back;   /* the answerer asked, and the asker answers */
	bool early;  /* its answer was shown before it, as it seems */
	bool unsure; /* or may have been, and seemed to be to an earlier one of this number */
	bool lazy;   /* its answer may come with whatever is sent next */
	bool taken;  /* the answerer said that it has it, and answers when it can, be it never */
	union {
		struct rda_rpc_own rpc;
		struct rda_scsi_own scsi;
		struct rda_nvme_own nvme;
		struct rda_rds_own rds;
	} own; /* the protocol's */

	/* places in the pools + 1; 0 none */
	uint32_t newer, older, next_of_id, before_of_id;
	uint32_t first_lent, last_lent;
};

struct rda_ulp_commands {
	struct rda_ulp_command *items; /* owned */
	struct rda_ulp_lent *lent;     /* owned */
	uint32_t *by_id, *by_key;      /* owned: chains */
	uint32_t allocated;	       /* of items: a power of two, or 0 */
	uint32_t lent_allocated, lent_unused;
	uint32_t count, oldest, newest, unused;
	uint64_t seed;
	uint64_t forgotten; /* made place, or were not kept, for want of room */
};

void rda_ulp_commands_init(struct rda_ulp_commands *commands, uint64_t seed);
void rda_ulp_commands_cleanup(struct rda_ulp_commands *commands);

/*
 * A new command, zeroed but for its number; *total is what all connections have room for. NULL:
 * there is no room. Pointers to others are not valid any more.
 */
struct rda_ulp_command *rda_ulp_commands_add(struct rda_ulp_commands *commands, uint64_t id,
					     uint32_t *total);

/* Memory of it, of more than 0 bytes; false: there is no room, and it is left out. */
bool rda_ulp_commands_lend(struct rda_ulp_commands *commands, struct rda_ulp_command *command,
			   const struct rda_ulp_range *range);

/* The latest of that number, or that memory; or NULL. */
struct rda_ulp_command *rda_ulp_commands_find(const struct rda_ulp_commands *commands, uint64_t id);
struct rda_ulp_command *rda_ulp_commands_of(const struct rda_ulp_commands *commands, uint32_t key,
					    uint64_t address);

/* What it lent, in this order; or NULL. */
const struct rda_ulp_lent *rda_ulp_commands_first_lent(const struct rda_ulp_commands *commands,
						       const struct rda_ulp_command *command);
const struct rda_ulp_lent *rda_ulp_commands_next_lent(const struct rda_ulp_commands *commands,
						      const struct rda_ulp_lent *lent);

/* It waits no more. */
void rda_ulp_commands_remove(struct rda_ulp_commands *commands, struct rda_ulp_command *command);

/* The oldest, and the one that was made behind another; or NULL. */
const struct rda_ulp_command *rda_ulp_commands_first(const struct rda_ulp_commands *commands);
const struct rda_ulp_command *rda_ulp_commands_next(const struct rda_ulp_commands *commands,
						    const struct rda_ulp_command *command);

#endif
