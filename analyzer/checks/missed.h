/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is suspected of a connection of which the capture missed much.
 *
 * A buffer that overflows, or a mirror that is faster than the port it is sent to, takes some
 * packets and leaves others, in rows or one by one. What acknowledgments prove to have passed
 * unseen (Q01) is the least of it: what was sent again since, answers and NAKs are not among that.
 * Or the program that captured says what it dropped (Q08).
 * So where it is one request in 50 or more, or one frame, a timeout may have been a NAK that is not
 * there, a QP that seems to have given up may have been answered, and what seems to be sent again
 * may be the QP's next life: what is suspected there weighs a step less, an error as a warning and
 * a warning as a note. What is proven holds, whatever was missed.
 */
#ifndef RDA_MISSED_H
#define RDA_MISSED_H

#include "analyzer/checks/judge.h"

/* Overall: whether any program that captured says that it dropped much. */
bool rda_missed_frames(const struct rda_overall *overall);

/* Before findings are weighed anew: what a part of the captures weighed is not what all of them do.
 */
void rda_missed_forget(struct rda_judge *judge);

/* A finding that has its connection and its proof; anew where it was weighed before. */
void rda_missed_weaken(const struct rda_judge *judge, struct rda_finding *finding);

#endif
