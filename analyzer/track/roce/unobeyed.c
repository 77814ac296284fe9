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

/* Its place among those as they came, or RDA_UNOBEYED_MAX. */
static unsigned asked_at(const struct rda_unobeyed *unobeyed, int64_t psn)
{
	unsigned at = 0;

	while (at < RDA_UNOBEYED_MAX && unobeyed->asked[at].psn != psn)
		at++;
	return at;
}

static void note_asked(struct rda_unobeyed *unobeyed, const struct rda_reason_left *reason)
{
	unsigned at = asked_at(unobeyed, reason->psn);

	if (at == RDA_UNOBEYED_MAX)
		at = unobeyed->latest++ % RDA_UNOBEYED_MAX;
	unobeyed->asked[at] = *reason;
}

void rda_unobeyed_add(struct rda_unobeyed *unobeyed, int64_t psn, int64_t time_ns, uint64_t frame)
{
	const struct rda_reason_left reason = {psn, time_ns, frame};
	struct rda_reason_left *left = unobeyed->left;
	unsigned at;

	note_asked(unobeyed, &reason);
	for (at = 0; at < unobeyed->count; at++)
		if (left[at].psn == psn) {
			left[at] = reason;
			return;
		}
	if (unobeyed->count == RDA_UNOBEYED_MAX)
		drop(unobeyed, 1);
	for (at = unobeyed->count; at > 0 && left[at - 1].psn > psn; at--)
		left[at] = left[at - 1];
	left[at] = reason;
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
	unsigned at = asked_at(unobeyed, psn);

	return at < RDA_UNOBEYED_MAX ? &unobeyed->asked[at] : NULL;
}

bool rda_unobeyed_names(const struct rda_unobeyed *unobeyed, int64_t psn, int64_t since_ns)
{
	const struct rda_reason_left *reason = rda_unobeyed_of(unobeyed, psn);

	return reason && reason->ns >= since_ns;
}

bool rda_unobeyed_implied(const struct rda_unobeyed *unobeyed, int64_t psn, int64_t since_ns)
{
	for (unsigned i = 0; i < unobeyed->count && unobeyed->left[i].psn < psn; i++)
		if (!unobeyed->left[i].frame && unobeyed->left[i].ns >= since_ns)
			return true;
	return false;
}

void rda_unobeyed_run(struct rda_unobeyed *unobeyed, int64_t psn, int64_t time_ns)
{
	unsigned at = asked_at(unobeyed, psn);

	if (at < RDA_UNOBEYED_MAX)
		unobeyed->asked[at].psn = 0;
	drop(unobeyed, obeyed_by(unobeyed, psn, time_ns));
}
