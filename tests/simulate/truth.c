/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arrays that grow.
 */
#include "tests/simulate/truth.h"

#include <glib.h>

/* Room for one more of `count`. */
#define RESERVE(array, count, allocated)                                                           \
	do {                                                                                       \
		if ((count) == (allocated)) {                                                      \
			(allocated) = (allocated)*2 + 64;                                          \
			(array) = g_realloc_n((array), (allocated), sizeof(*(array)));             \
		}                                                                                  \
	} while (0)

void sim_truth_cleanup(struct sim_truth *truth)
{
	g_free(truth->sent);
	g_free(truth->runs);
	g_free(truth->seen);
}

uint32_t sim_truth_sent(struct sim_truth *truth, const struct sim_sent *sent)
{
	RESERVE(truth->sent, truth->sent_count, truth->sent_allocated);
	truth->sent[truth->sent_count] = *sent;
	return truth->sent_count++;
}

uint32_t sim_truth_run(struct sim_truth *truth, const struct sim_run *run)
{
	RESERVE(truth->runs, truth->run_count, truth->run_allocated);
	truth->runs[truth->run_count] = *run;
	return truth->run_count++;
}

void sim_truth_seen(struct sim_truth *truth, uint32_t index, int64_t time_ns, bool mirrored)
{
	struct sim_sent *sent = &truth->sent[index];

	RESERVE(truth->seen, truth->seen_count, truth->seen_allocated);
	truth->seen[truth->seen_count++] = (struct sim_seen){index, time_ns, mirrored};
	if (!sent->first_seen)
		sent->first_seen = truth->seen_count;
	sent->last_seen = truth->seen_count;
	if (mirrored)
		sent->mirrored++;
	else
		sent->seen++;
}
