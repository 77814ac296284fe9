/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classes of pairs of hosts dealt out to engines. See shard_view.h.
 */
#include "analyzer/rdma-analyze/shard_view.h"

#include "analyzer/base/address.h"
#include "analyzer/base/cold.h"

#include <string.h>

static void forget_pairs(struct rda_shard_view *view)
{
	for (unsigned i = 0; i < RDA_SHARD_PAIRS; i++)
		view->pairs[i].owner = -1;
}

void rda_shard_view_init(struct rda_shard_view *view, struct rda_splitter *splitter,
			 uint64_t load_frame, uint32_t keys_every)
{
	*view = (struct rda_shard_view){
		.splitter = splitter,
		.load_frame = load_frame,
		.latest = -1,
		.keys_every = keys_every,
		.keys_at = keys_every,
	};
	memset(view->owner_of, -1, sizeof(view->owner_of));
	forget_pairs(view);
}

void rda_shard_view_cleanup(struct rda_shard_view *view)
{
	rda_splitter_free(view->splitter);
}

void rda_shard_view_continue_capture(struct rda_shard_view *view)
{
	memcpy(view->before, view->frames, sizeof(view->before));
	rda_splitter_continue_capture(view->splitter);
}

void rda_shard_view_begin_capture(struct rda_shard_view *view)
{
	memcpy(view->before, view->frames, sizeof(view->before));
	view->begun = false;
	view->latest = -1;
	forget_pairs(view);
	rda_splitter_begin_capture(view->splitter);
}

static uint64_t load_of(const struct rda_shard_view *view, unsigned engine)
{
	return view->frames[engine] * view->load_frame + (engine == 0 ? view->read : 0);
}

static int16_t owner_of(struct rda_shard_view *view, uint64_t pair)
{
	int16_t *owner = &view->owner_of[rda_share_class(pair)];

	if (*owner >= 0)
		return *owner;
	*owner = 0;
	for (unsigned i = 1; i < view->count; i++)
		if (load_of(view, i) <= load_of(view, (unsigned)*owner))
			*owner = (int16_t)i;
	return *owner;
}

static void remember(struct rda_shard_view *view, const struct rda_frame *frame, int16_t owner)
{
	uint64_t addresses = rda_shard_addresses(frame);

	view->pairs[rda_shard_pair_place(addresses)] = (struct rda_shard_pair){addresses, owner};
}

RDA_APART int16_t rda_shard_view_look_up(struct rda_shard_view *view, const struct rda_frame *frame)
{
	uint64_t pair = rda_address_ip4_pair(rda_plain_word(frame, RDA_PLAIN_SOURCE),
					     rda_plain_word(frame, RDA_PLAIN_DESTINATION));
	int16_t owner = view->owner_of[rda_share_class(pair)];

	if (!view->begun || owner < 0)
		return -1;
	remember(view, frame, owner);
	return owner;
}

void rda_shard_view_frame(struct rda_shard_view *view, const struct rda_meta *meta,
			  const struct rda_frame *frame, struct rda_shard_seen *seen)
{
	seen->share = rda_splitter_share(view->splitter, meta, frame);
	seen->owner = owner_of(view, seen->share->pair);
	seen->told_owner = seen->share->told ? owner_of(view, seen->share->told_pair) : -1;
	seen->begins = !view->begun;
	seen->between = view->latest != seen->owner;
	view->begun = true;
	seen->keys = rda_shard_view_pass(view, seen->owner);
}

struct rda_part_others rda_shard_view_others(const struct rda_shard_view *view, unsigned engine)
{
	struct rda_part_others others = *rda_splitter_span(view->splitter);

	others.frames -= view->frames[engine] - view->before[engine];
	return others;
}
