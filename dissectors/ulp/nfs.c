/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arguments and results of NFS; nfs.h has the figure.
 */
#include "dissectors/ulp/nfs.h"

/* XDR's sizes (RFC 1813, 2.6): fattr3, wcc_attr. */
enum { FATTR3 = 84, WCC_ATTR = 24, STATEID = 16 };

struct row {
	uint8_t set, rank;
	uint16_t number;
	const char *name, *arguments, *results;
};

static const struct row rows[] = {
#define RDA_O(SET, number, name, rank, arguments, results)                                         \
	{RDA_RPC_SET_##SET, rank, number, name, arguments, results},
	RDA_NFS_PROCEDURES(RDA_O)
#undef RDA_O
};

static const struct row *row_of(uint32_t set, uint32_t number)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].set == set && rows[i].number == number)
			return &rows[i];
	return NULL;
}

/* ---- what stands where ----------------------------------------------------------------------- */

/* So many bytes where a flag says that they are there. */
static bool skip_optional(struct rda_cursor *c, uint32_t bytes)
{
	uint32_t there;

	return rda_xdr_number(c, &there) && (!there || rda_xdr_skip(c, bytes));
}

static bool skip_bitmap(struct rda_cursor *c)
{
	uint32_t words;

	return rda_xdr_number(c, &words) && words <= UINT32_MAX / 4 && rda_xdr_skip(c, 4 * words);
}

static bool skip_empty(struct rda_cursor *c)
{
	uint32_t count;

	return rda_xdr_number(c, &count) && count == 0;
}

/* One item as nfs.def writes it; false: what is behind it is not known. */
static bool pass(struct rda_cursor *c, char item, uint32_t *count, bool *counted)
{
	switch (item) {
	case 'i': return rda_xdr_skip(c, 4);
	case 'h': return rda_xdr_skip(c, 8);
	case 's': return rda_xdr_skip(c, STATEID);
	case 'o': return rda_xdr_skip_opaque(c);
	case 'b': return skip_bitmap(c);
	case 'p': return skip_optional(c, FATTR3);
	case 'w': return skip_optional(c, WCC_ATTR);
	case 'z': return skip_empty(c);
	case 'c': return *counted = rda_xdr_number(c, count);
	default: return false;
	}
}

/* True when the cursor is behind all of it. */
static bool pass_all(struct rda_cursor *c, const char *shape, uint32_t *count, bool *counted)
{
	for (; *shape; shape++)
		if (!pass(c, *shape, count, counted))
			return false;
	return true;
}

static bool is_compound(enum rda_rpc_set set, uint32_t procedure)
{
	return (set == RDA_RPC_SET_NFS4 || set == RDA_RPC_SET_NFSCB) &&
	       procedure == RDA_NFS_COMPOUND;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void note_operation(struct rda_nfs_call *call, uint32_t number, unsigned rank, int *highest)
{
	if (call->count < RDA_NFS_OPERATIONS)
		call->operations[call->count++] = number <= UINT8_MAX ? (uint8_t)number : UINT8_MAX;
	if ((int)rank > *highest) {
		*highest = (int)rank;
		call->number = (uint16_t)(number <= UINT16_MAX ? number : UINT16_MAX);
	}
}

static void read_compound(struct rda_cursor *c, enum rda_rpc_set set, struct rda_nfs_call *call)
{
	uint32_t count, number, head = set == RDA_RPC_SET_NFSCB ? 8 : 4, bytes = 0;
	bool counted;
	int highest = -1;

	if (!rda_xdr_skip_opaque(c) || !rda_xdr_skip(c, head) || !rda_xdr_number(c, &count))
		return;
	for (; count && rda_xdr_number(c, &number); count--) {
		const struct row *row = row_of(set, number);

		counted = false;
		note_operation(call, number, row ? row->rank : 2, &highest);
		if (!row)
			return;
		if (!pass_all(c, row->arguments, &bytes, &counted))
			count = 1; /* the last that is known */
		if (counted && call->number == number)
			call->bytes = bytes;
	}
}

void rda_read_nfs_call(struct rda_cursor *c, enum rda_rpc_set set, uint32_t procedure,
		       struct rda_nfs_call *call)
{
	const struct row *row = row_of(set, procedure);
	bool counted = false;

	*call = (struct rda_nfs_call){
		.number = (uint16_t)(procedure <= UINT16_MAX ? procedure : UINT16_MAX)};
	if (is_compound(set, procedure))
		read_compound(c, set, call);
	else if (row && (!pass_all(c, row->arguments, &call->bytes, &counted) && !counted))
		call->bytes = 0;
}

/* ---- replies --------------------------------------------------------------------------------- */

static bool has_status(enum rda_rpc_set set, uint16_t number)
{
	return number &&
	       (set == RDA_RPC_SET_NFS3 || set == RDA_RPC_SET_NFSACL || set == RDA_RPC_SET_NFS4 ||
		set == RDA_RPC_SET_NFSCB || (set == RDA_RPC_SET_MOUNT && number == 1));
}

static void read_results(struct rda_cursor *c, enum rda_rpc_set set, uint16_t main,
			 struct rda_nfs_reply *reply)
{
	uint32_t number, status;

	for (uint32_t i = 0; i < reply->results; i++) {
		const struct row *row;
		bool counted = false;
		uint32_t bytes = 0;

		if (!rda_xdr_number(c, &number) || !rda_xdr_number(c, &status) || status)
			return;
		row = row_of(set, number);
		if (!row)
			return;
		if (!pass_all(c, row->results, &bytes, &counted) && !counted)
			return;
		if (number == main) {
			reply->has_bytes = counted;
			reply->bytes = bytes;
			return;
		}
	}
}

bool rda_read_nfs_reply(struct rda_cursor *c, enum rda_rpc_set set, uint16_t number,
			struct rda_nfs_reply *reply)
{
	const struct row *row = row_of(set, number);

	*reply = (struct rda_nfs_reply){0};
	if (!has_status(set, number))
		return true;
	if (!rda_xdr_number(c, &reply->status))
		return false;
	if (set == RDA_RPC_SET_NFS4 || set == RDA_RPC_SET_NFSCB) {
		if (rda_xdr_skip_opaque(c) && rda_xdr_number(c, &reply->results))
			read_results(c, set, number, reply);
		else
			reply->results = 0;
	} else if (row && !reply->status) {
		pass_all(c, row->results, &reply->bytes, &reply->has_bytes);
	}
	return true;
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *rda_nfs_operation_name(uint32_t operation)
{
	const struct row *row = row_of(operation >> 16, operation & 0xffff);

	return row ? row->name : NULL;
}

static const struct {
	uint8_t version;
	bool usual;
	uint16_t code;
	const char *words;
} statuses[] = {
#define RDA_S(version, code, words, usual) {version, usual, code, words},
	RDA_NFS_STATUSES(RDA_S)
#undef RDA_S
};

/* Its place in statuses[], or the number of them. */
static unsigned status_row(enum rda_rpc_set set, uint32_t status)
{
	bool of_4 = set == RDA_RPC_SET_NFS4 || set == RDA_RPC_SET_NFSCB;
	unsigned i = 0;

	while (i < sizeof(statuses) / sizeof(statuses[0]) &&
	       (statuses[i].code != status || statuses[i].version != (of_4 ? 4 : 3)))
		i++;
	return i;
}

const char *rda_nfs_status_words(enum rda_rpc_set set, uint32_t status)
{
	unsigned i = status_row(set, status);

	return i < sizeof(statuses) / sizeof(statuses[0]) ? statuses[i].words : NULL;
}

bool rda_nfs_status_is_usual(enum rda_rpc_set set, uint32_t status)
{
	unsigned i = status_row(set, status);

	return i < sizeof(statuses) / sizeof(statuses[0]) && statuses[i].usual;
}
