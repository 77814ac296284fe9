/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every reader of dissectors/ulp/ on any bytes, captured whole or cut.
 *
 *     what 1 | captured 1 | bytes
 *
 * what: the reader, by its remainder; captured: how much of the bytes is in memory, in 1/255. What
 * they read is used, words and all; no reader takes more than there is.
 */
#include "dissectors/ulp/iser.h"
#include "dissectors/ulp/nfs.h"
#include "dissectors/ulp/nvme.h"
#include "dissectors/ulp/rds.h"
#include "dissectors/ulp/smb.h"
#include "dissectors/ulp/srp.h"
#include "tests/fuzz/must.h"
#include "tests/fuzz/upper.h"
#include "tests/unit/reference.h"

static void read_nvme(struct rda_cursor c)
{
	struct rda_nvme_command command;
	struct rda_nvme_completion completion;
	struct rda_cursor other = c;

	if (rda_read_nvme_command(&c, &command)) {
		uint16_t operation = rda_nvme_operation(&command, rda_nvme_queue_of(&command));

		rda_nvme_operation_name(operation);
		RDA_MUST(command.data == RDA_NVME_DATA_NONE || command.sgl_type);
	}
	if (rda_read_nvme_completion(&other, &completion))
		rda_nvme_status_words(0, rda_nvme_status(completion.status));
}

static void read_rpc(struct rda_cursor c)
{
	struct rda_rpc_chunks chunks = {0};
	struct rda_rpc_segment segment;
	struct rda_rpc_rdma header;
	struct rda_nfs_call call;
	struct rda_nfs_reply reply;
	struct rda_rpc rpc;
	uint32_t before = c.offset;

	if (!rda_read_rpc_rdma(&c, &header))
		return;
	while (rda_rpc_next_segment(&c, &chunks, &segment)) {
		RDA_MUST(c.offset >= before + 16);
		before = c.offset;
	}
	RDA_MUST(chunks.list >= RDA_RPC_LISTS_END);
	if (chunks.list != RDA_RPC_LISTS_END || !rda_read_rpc(&c, &rpc))
		return;
	if (rpc.is_reply) {
		rda_rpc_status_words(rpc.status);
		for (uint16_t number = 0; number < 76; number++) {
			struct rda_cursor results = c;

			rda_read_nfs_reply(&results, RDA_RPC_SET_NFS4, number, &reply);
			rda_read_nfs_reply(&results, RDA_RPC_SET_NFS3, number, &reply);
		}
		return;
	}
	rda_read_nfs_call(&c, rda_rpc_set_of(rpc.program, rpc.version), rpc.procedure, &call);
	RDA_MUST(call.count <= RDA_NFS_OPERATIONS);
	rda_nfs_operation_name(rda_nfs_operation(RDA_RPC_SET_NFS4, call.number));
}

static void read_iser(struct rda_cursor c)
{
	struct rda_scsi_sense sense;
	struct rda_iscsi iscsi;
	struct rda_iser iser;
	struct rda_cursor rejected;
	uint32_t task;

	if (!rda_read_iser(&c, &iser) || !rda_read_iscsi(&c, &iscsi))
		return;
	rejected = c;
	rda_read_iscsi_sense(&c, &iscsi, &sense);
	rda_iscsi_status_words(rda_scsi_status(iscsi.status, &sense));
	rda_iscsi_operation_name(RDA_SCSI_OPERATION | iscsi.cdb);
	rda_read_iscsi_rejected(&rejected, &iscsi, &task);
}

static void read_smb(struct rda_cursor c)
{
	struct rda_smb smb = {.next = 1};
	struct rda_smbd_data data;
	uint32_t status, before;

	if (rda_smb_read_direct(&c, &data, &status) != RDA_SMBD_DATA)
		return;
	do {
		before = c.offset;
		if (rda_read_smb(&c, &smb) != RDA_SMB_FORM_PLAIN)
			return;
		RDA_MUST(c.offset >= before + RDA_SMB_BYTES);
		RDA_MUST(smb.buffer_count <= RDA_SMB_BUFFERS);
	} while (smb.next);
}

static void read_rds(struct rda_cursor c)
{
	struct rda_rds rds;
	uint32_t count = 0;

	if (!rda_read_rds(&c, &rds))
		return;
	RDA_MUST(rda_rds_kind(&rds) <= RDA_RDS_MAP);
	for (int32_t port = rda_rds_next_congested(&c, 0); port >= 0;
	     port = rda_rds_next_congested(&c, (uint32_t)port + 1))
		count++;
	RDA_MUST(count == rda_rds_count_congested(&c) && count <= 8 * RDA_RDS_PIECE_BYTES);
}

static void read_srp(struct rda_cursor c)
{
	struct rda_srp_buffers buffers = {0};
	struct rda_cursor login = c, answer = c;
	struct rda_srp_memory memory;
	struct rda_srp srp, other;
	uint32_t before;

	rda_srp_read_login_request(&login, false, &other);
	login = c;
	rda_srp_read_login_request(&login, true, &other);
	rda_srp_read_login_answer(&answer, &other);
	if (!rda_read_srp(&c, &srp))
		return;
	answer = c;
	rda_srp_status_words(rda_srp_read_status(&answer, &srp));
	RDA_MUST(rda_srp_residual(&srp) <= 2 * (uint64_t)UINT32_MAX);
	rda_srp_operation_name(RDA_SCSI_OPERATION | srp.cdb);
	before = c.offset;
	while (rda_srp_next_memory(&c, &srp, &buffers, &memory)) {
		RDA_MUST(c.offset >= before + 16);
		before = c.offset;
	}
	RDA_MUST(buffers.side == 2 && !buffers.left);
	RDA_MUST(buffers.inside <= buffers.bytes);
}

void rda_upper_read(unsigned reader, const uint8_t *bytes, uint32_t have, uint32_t length)
{
	static void (*const readers[RDA_UPPER_READERS])(struct rda_cursor) = {
		read_nvme, read_rpc, read_iser, read_smb, read_rds, read_srp};
	struct rda_cursor c = {bytes, 0, have, length};
	struct rda_nvme_command command = {0};

	readers[reader](c);
	rda_read_nvme_command(&c, &command);
	for (unsigned expected = 0; expected < 2; expected++) {
		rda_nvme_is_command(&command, expected);
		rda_rpc_is_call(bytes, have, expected);
		rda_iser_is_request(bytes, have, expected);
		rda_smb_is_request(bytes, have, expected);
		rda_rds_is_header(bytes, have, expected);
		rda_srp_is_request(bytes, have, expected);
	}
}

#ifndef RDA_UPPER_CUT
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct rda_frame frame;
	uint32_t length, have;

	if (size < 2 || size > 65536)
		return 0;
	length = (uint32_t)size - 2;
	have = length * bytes[1] / 255;
	frame = rda_frame_copy(bytes + 2, have, length, 1);
	rda_upper_read(bytes[0] % RDA_UPPER_READERS, frame.bytes, have, length);
	rda_frame_free(&frame);
	return 0;
}
#endif
