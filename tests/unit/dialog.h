/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What host 1 asks of host 2 and what that answers, in one line, through the whole engine; and what
 * the checks of group A (and M09) find in it.
 *
 *     "cm 3 7 send 10-12 nak 11 wait 5 send 11-12 ack 12"        ->  ""
 *     "send 10-12 nak 11 nak 11"                                 ->  "A07w?1"
 *
 * cm RETRIES RNR_RETRIES READS  REQ and REP with these limits (READS: of either side)
 * send write read flush N | A-B requests of one packet, each a message (READ: one response)
 * inv N                         a SEND with Invalidate
 * first middle last N | A-B     packets of a SEND of several
 * faa N=ADD, cas N=COMPARE:SWAP on the same word of memory; `put N`: a WRITE to it
 * ack N[/MSN] response N        positive answers; `credits C N`: an ACK with this credit code
 * result N=VALUE                of an ATOMIC
 * nak N[/MSN] rnr N fatal XX N  negative ones; rnr has timer code 14 (1.28 ms); XX in hex
 * syndrome XX N                 an ACK packet with any syndrome
 * wait MS, us US                time
 * other                         a packet of other hosts: the capture goes on
 *
 * A verb holds until the next one; time and other packets come between. MSNs are right when every
 * PSN from the first on is a message.
 *
 * What is found: codes in their order, the severity's letter, ! proven or ? suspected, the count.
 */
#ifndef RDA_TEST_DIALOG_H
#define RDA_TEST_DIALOG_H

#include "tests/unit/feed.h"

struct rda_dialog {
	const char *script, *found;
};

/* Tells each, from several first PSNs, so that PSNs and MSNs wrap in every place. */
void rda_dialogs_check(const struct rda_dialog *dialogs, unsigned count);

/* Tells one, whose PSN 0 is `first`; to be ended by rda_feed_end. */
void rda_dialog_tell(struct rda_feed *feed, const char *script, uint32_t first);

#endif
