/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reasons to send again that no run has obeyed; unobeyed.h has the figure.
 */
#include "analyzer/track/roce/unobeyed.h"

#include "analyzer/track/roce/request.h"

#include <string.h>

static void drop(struct rda_unobeyed *unobeyed, unsigned count)
{
	unobeyed->count = (uint8_t)(unobeyed->count - count);
	memmove(unobeyed->left, unobeyed->left + count, unobeyed->count * sizeof(*unobeyed->left));
}

/* The one that asks for just this, or NULL. */
static struct rda_reason_left *asked_for(struct rda_unobeyed *unobeyed, int64_t psn)
{
	for (unsigned at = 0; at < RDA_UNOBEYED_MAX; at++)
		if (unobeyed->asked[at].psn == psn)
			return &unobeyed->asked[at];
	return NULL;
}

static void note_asked(struct rda_unobeyed *unobeyed, int64_t psn, int64_t time_ns, uint64_t frame)
{
	struct rda_reason_left *asked = asked_for(unobeyed, psn);

	if (!asked)
		asked = &unobeyed->asked[unobeyed->latest++ % RDA_UNOBEYED_MAX];
	*asked = (struct rda_reason_left){psn, time_ns, frame};
}

void rda_unobeyed_add(struct rda_unobeyed *unobeyed, int64_t psn, int64_t time_ns, uint64_t frame)
{
	struct rda_reason_left *left = unobeyed->left;
	unsigned at;

	note_asked(unobeyed, psn, time_ns, frame);
	for (at = 0; at < unobeyed->count; at++)
		if (left[at].psn == psn) {
			left[at] = (struct rda_reason_left){psn, time_ns, frame};
			return;
		}
	if (unobeyed->count == RDA_UNOBEYED_MAX)
		drop(unobeyed, 1);
	for (at = unobeyed->count; at > 0 && left[at - 1].psn > psn; at--)
		left[at] = left[at - 1];
	left[at] = (struct rda_reason_left){psn, time_ns, frame};
	unobeyed->count++;
	unobeyed->any = true;
}

/* How many the run obeys, and those before that it makes useless. */
static unsigned obeyed_by(const struct rda_unobeyed *unobeyed, int64_t psn, int64_t time_ns)
{
	const struct rda_reason_left *left = unobeyed->left;
	unsigned can = 0, old = 0;

	while (can < unobeyed->count && left[can].psn <= psn)
		can++;
	if (!can || left[can - 1].psn == psn)
		return can;
	while (old + 1 < can && time_ns - left[old].ns >= RDA_SILENCE_NS)
		old++;
	return old + 1;
}

const struct rda_reason_left *rda_unobeyed_of(const struct rda_unobeyed *unobeyed, int64_t psn)
{
	for (unsigned at = 0; at < unobeyed->count; at++)
		if (unobeyed->left[at].psn == psn)
			return &unobeyed->left[at];
	return NULL;
}

bool rda_unobeyed_names(const struct rda_unobeyed *unobeyed, int64_t psn, int64_t since_ns)
{
	for (unsigned at = 0; at < RDA_UNOBEYED_MAX; at++)
		if (unobeyed->asked[at].psn == psn)
			return unobeyed->asked[at].ns >= since_ns;
	return false;
}

void rda_unobeyed_run(struct rda_unobeyed *unobeyed, int64_t psn, int64_t time_ns)
{
	struct rda_reason_left *asked = asked_for(unobeyed, psn);

	if (asked)
		asked->psn = 0;
	drop(unobeyed, obeyed_by(unobeyed, psn, time_ns));
}
