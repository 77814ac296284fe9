/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a response can answer the requests of a flow, by all that it says: where nothing but the
 * PSN tells whose it is, QPs that all begin at one PSN (NCCL has them begin at 0) look alike.
 *
 *     READ 0, 545 bytes, to QP 0x100      READ 0, 1524 bytes, to QP 0x12
 *     READ Response First, PSN 0, 1024 bytes                             answers the second
 *
 * A response lies among the PSNs that are outstanding, and is of the kind that is asked for there:
 * of a READ at the place and with the bytes that its length gives. The MSN of an ACK, from the
 * first message on, is the count of the messages that end at or below its PSN; not all responders
 * keep to that, and a capture may begin later, so it only chooses among flows that fit otherwise.
 *
 * A NAK may name what precedes the first packet of a flow: that was lost. When it has come after
 * all, any response may answer it, and how many messages end by then is not known: an ACK's count
 * tells nothing against that flow.
 */
#ifndef RDA_FIT_H
#define RDA_FIT_H

#include "analyzer/track/roce/account.h"

enum rda_fit {
	RDA_FIT_NOT,
	RDA_FIT_MAY,
	RDA_FIT_OPEN, /* it may, and nothing tells whether its MSN fits */
	RDA_FIT_WELL, /* its MSN too */
};

enum rda_fit rda_fit_of(const struct rda_account *account, const struct rda_packet *response);

#endif
