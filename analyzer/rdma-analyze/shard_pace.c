/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A lock, and who waits for whom. See shard_pace.h.
 */
#include "analyzer/rdma-analyze/shard_pace.h"

#include <glib.h>

struct rda_shard_pace {
	GMutex lock;
	GCond told;   /* by the leader, to followers */
	GCond passed; /* by followers, to the leader */
	struct rda_shard_pace_mark mark;
	bool ended, left;
	unsigned followers;
	uint64_t *at; /* owned; of each follower */
};

struct rda_shard_pace *rda_shard_pace_new(unsigned followers)
{
	struct rda_shard_pace *pace = g_new0(struct rda_shard_pace, 1);

	g_mutex_init(&pace->lock);
	g_cond_init(&pace->told);
	g_cond_init(&pace->passed);
	pace->followers = followers;
	pace->at = g_new0(uint64_t, followers);
	return pace;
}

void rda_shard_pace_free(struct rda_shard_pace *pace)
{
	g_mutex_clear(&pace->lock);
	g_cond_clear(&pace->told);
	g_cond_clear(&pace->passed);
	g_free(pace->at);
	g_free(pace);
}

static bool is_far_ahead(const struct rda_shard_pace *pace)
{
	for (unsigned i = 0; i < pace->followers; i++)
		if (pace->at[i] < pace->mark.frames &&
		    pace->mark.frames - pace->at[i] > RDA_SHARD_PACE_AHEAD)
			return true;
	return false;
}

void rda_shard_pace_lead(struct rda_shard_pace *pace, const struct rda_shard_pace_mark *mark)
{
	g_mutex_lock(&pace->lock);
	pace->mark = *mark;
	g_cond_broadcast(&pace->told);
	while (is_far_ahead(pace))
		g_cond_wait(&pace->passed, &pace->lock);
	g_mutex_unlock(&pace->lock);
}

void rda_shard_pace_end(struct rda_shard_pace *pace, const struct rda_shard_pace_mark *mark)
{
	g_mutex_lock(&pace->lock);
	pace->mark = *mark;
	pace->ended = true;
	g_cond_broadcast(&pace->told);
	g_mutex_unlock(&pace->lock);
}

bool rda_shard_pace_follow(struct rda_shard_pace *pace, unsigned follower, uint64_t frames,
			   struct rda_shard_pace_mark *mark)
{
	bool more;

	g_mutex_lock(&pace->lock);
	pace->at[follower] = frames;
	g_cond_signal(&pace->passed);
	while (pace->mark.frames <= frames && !pace->ended)
		g_cond_wait(&pace->told, &pace->lock);
	*mark = pace->mark;
	more = pace->mark.frames > frames;
	g_mutex_unlock(&pace->lock);
	return more;
}

void rda_shard_pace_leave(struct rda_shard_pace *pace, unsigned follower)
{
	g_mutex_lock(&pace->lock);
	pace->at[follower] = UINT64_MAX;
	pace->left = true;
	g_cond_signal(&pace->passed);
	g_mutex_unlock(&pace->lock);
}

bool rda_shard_pace_was_left(const struct rda_shard_pace *pace)
{
	return pace->left;
}
