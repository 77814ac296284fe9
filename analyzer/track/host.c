/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Per-host counters that follow from single packets: NAKs, RNR NAKs, CNPs, CE marks. Those that
 * need the state of a connection stay RDA_UNKNOWN until something computes them.
 */
#include "analyzer/track/host.h"

#include "analyzer/base/address.h"
#include "analyzer/track/flow.h"
#include "dissectors/icrc.h"

void rda_host_init(struct rda_host *host)
{
#define RDA_C(name) host->name = RDA_UNKNOWN;
	RDA_HOST_COUNTERS(RDA_C)
#undef RDA_C
	host->nak_seq_sent = host->packet_seq_err = 0;
	host->rnr_nak_sent = host->rnr_nak_received = 0;
	host->remote_access_errors_sent = host->remote_access_errors_received = 0;
	host->remote_invalid_request_sent = host->remote_invalid_request_received = 0;
	host->remote_op_errors_sent = host->remote_op_errors_received = 0;
	host->ecn_marked_received = host->cnp_sent = host->cnp_received = 0;
	host->icrc_errors_received = 0;
}

struct rda_host *rda_host_of(struct rda_table *hosts, const struct rda_address *address)
{
	bool made;
	struct rda_host *host = rda_table_get(hosts, address, &made);

	if (made) {
		rda_host_init(host);
		host->index = hosts->count - 1;
	}
	return host;
}

void rda_host_has_accounts(struct rda_host *host)
{
	if (host->duplicate_request != RDA_UNKNOWN)
		return;
	host->duplicate_request = host->out_of_sequence = 0;
	host->local_ack_timeout_err = host->implied_nak_seq_err = 0;
	host->roce_adp_retrans = 0;
}

void rda_host_has_requests(struct rda_host *host)
{
	if (host->retry_exceeded == RDA_UNKNOWN)
		host->retry_exceeded = host->rnr_retry_exceeded = 0;
}

static void count_nak(struct rda_host *sender, struct rda_host *receiver, enum rda_nak nak)
{
	switch (nak) {
	case RDA_NAK_SEQUENCE:
		sender->nak_seq_sent++;
		receiver->packet_seq_err++;
		break;
	case RDA_NAK_INVALID_REQUEST:
		sender->remote_invalid_request_sent++;
		receiver->remote_invalid_request_received++;
		break;
	case RDA_NAK_REMOTE_ACCESS:
		sender->remote_access_errors_sent++;
		receiver->remote_access_errors_received++;
		break;
	case RDA_NAK_REMOTE_OPERATIONAL:
		sender->remote_op_errors_sent++;
		receiver->remote_op_errors_received++;
		break;
	default: break;
	}
}

void rda_host_packet(struct rda_host *sender, struct rda_host *receiver,
		     const struct rda_frame *frame, const struct rda_packet *packet)
{
	sender->packets_sent++;
	if (rda_ip4_is_marked(frame, packet))
		receiver->ecn_marked_received++;
	if (packet->opcode->roles & RDA_ROLE_REQUEST)
		return;
	if (packet->opcode->roles & RDA_ROLE_CNP) {
		sender->cnp_sent++;
		receiver->cnp_received++;
	}
	if (!rda_has(packet, AETH))
		return;
	if (rda_aeth_kind(&packet->aeth) == RDA_AETH_RNR) {
		sender->rnr_nak_sent++;
		receiver->rnr_nak_received++;
	} else if (rda_aeth_kind(&packet->aeth) == RDA_AETH_NAK) {
		count_nak(sender, receiver, rda_nak_of_syndrome(packet->aeth.syndrome));
	}
}

int rda_host_compare(const void *a, const void *b)
{
	return rda_address_compare(&(*(struct rda_host *const *)a)->address,
				   &(*(struct rda_host *const *)b)->address);
}

struct rda_host *rda_host_find(struct rda_host *hosts, const uint32_t *sorted, uint32_t count,
			       const struct rda_address *address)
{
	uint32_t low = 0;

	while (low < count) {
		uint32_t middle = low + (count - low) / 2;
		int order = rda_address_compare(&hosts[sorted[middle]].address, address);

		if (order == 0)
			return &hosts[sorted[middle]];
		if (order < 0)
			low = middle + 1;
		else
			count = middle;
	}
	return NULL;
}
