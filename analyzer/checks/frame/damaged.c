/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Failed CRCs by their sources, and what became of the packets; see damaged.h. crc.c judges them.
 */
#include "analyzer/checks/frame/damaged.h"

#include "analyzer/checks/frame/state.h"
#include "dissectors/aeth.h"
#include "dissectors/icrc.h"

#include <stdlib.h>
#include <string.h>

/* One that is followed, until it counts for its source. */
struct followed {
	uint64_t place; /* first: the table's key */
	struct rda_icrc_key source;
	uint32_t stored, computed;
	bool damaged; /* as failed_source.damaged */
	uint8_t fate;
};

void rda_failed_crcs_init(struct rda_failed_crcs *failed, uint64_t hash_seed)
{
	rda_table_init(&failed->sources, sizeof(struct rda_icrc_key),
		       sizeof(struct rda_failed_source), hash_seed);
	rda_table_init(&failed->links, sizeof(uint32_t), sizeof(struct rda_failed_link), hash_seed);
	rda_table_init(&failed->followed, sizeof(uint64_t), sizeof(struct followed), hash_seed);
}

void rda_failed_crcs_cleanup(struct rda_failed_crcs *failed)
{
	rda_table_cleanup(&failed->sources, NULL);
	rda_table_cleanup(&failed->links, NULL);
	rda_table_cleanup(&failed->followed, NULL);
}

static void note(struct rda_failures *failures, struct rda_failure failure)
{
	uint32_t at = failures->kept;

	failures->count++;
	while (at && failures->of[at - 1].place > failure.place)
		at--;
	if (at == RDA_FINDING_FRAMES)
		return;
	if (failures->kept < RDA_FINDING_FRAMES)
		failures->kept++;
	memmove(&failures->of[at + 1], &failures->of[at],
		(failures->kept - at - 1) * sizeof(failure));
	failures->of[at] = failure;
}

/* The source of a key, or, where there are too many, the one for all others of the capture. */
static struct rda_failed_source *source_of(struct rda_failed_crcs *failed,
					   const struct rda_icrc_key *of)
{
	struct rda_failed_source *source = rda_table_find(&failed->sources, of);
	struct rda_icrc_key key;
	bool made;

	if (source)
		return source;
	memcpy(&key, of, sizeof(key)); /* padding too: keys are compared as bytes */
	if (failed->sources.count >= RDA_FAILED_SOURCES_MAX) {
		memset(&key, 0, sizeof(key));
		key.capture = of->capture;
	}
	source = rda_table_get(&failed->sources, &key, &made);
	if (made)
		source->flow = -1;
	return source;
}

/* What is followed counts for its source. */
static void count_followed(struct rda_failed_crcs *to, const struct rda_table *followed)
{
	for (uint32_t i = 0; i < followed->count; i++) {
		const struct followed *packet = followed->items[i];
		struct rda_failed_source *source = source_of(to, &packet->source);
		struct rda_failed *kind = packet->damaged ? &source->damaged : &source->mismatched;

		note(&kind->by_fate[packet->fate],
		     (struct rda_failure){packet->place, packet->stored, packet->computed});
	}
}

/* From now on nothing of it is found any more: what becomes of it stays as it is known now. */
static void end_following(struct rda_failed_crcs *failed)
{
	uint64_t seed = failed->followed.seed;

	count_followed(failed, &failed->followed);
	rda_table_cleanup(&failed->followed, NULL);
	rda_table_init(&failed->followed, sizeof(uint64_t), sizeof(struct followed), seed);
}

static void follow(struct rda_failed_crcs *failed, const struct rda_at *at,
		   const struct rda_failed_source *source, const struct rda_crc *crc)
{
	struct followed *packet;

	if (failed->followed.count >= RDA_FOLLOWED_MAX)
		end_following(failed);
	packet = rda_table_get(&failed->followed, &at->place, NULL);
	memcpy(&packet->source, &source->key, sizeof(packet->source));
	packet->stored = crc->stored;
	packet->computed = crc->computed;
	packet->damaged = at->icrc == RDA_ICRC_CHECK_DAMAGED;
}

/* ---- what becomes of requests ---------------------------------------------------------------- */

/* Of a sender that has shown no good ICRC and many others, all are without one. */
static bool has_no_icrcs(const struct rda_at *at)
{
	return at->icrc_source && at->icrc_source->good == 0 &&
	       at->icrc_source->mismatched >= RDA_ICRC_ABSENT_PACKETS;
}

/*
 * The PSN of a request that was sent for the first time and is the next one, as its place and its
 * own number say; -1: it is none. Of one that was sent before, an ACK may be about that.
 */
static int64_t next_psn(const struct rda_at *at)
{
	const struct rda_account *account = at->flow ? at->flow->account : NULL;
	const struct rda_sent *sent;
	int64_t psn;

	if (!account || !(at->packet->opcode->roles & RDA_ROLE_REQUEST) || has_no_icrcs(at))
		return -1;
	if (!at->damaged && (!at->request || at->kind != RDA_REQUEST_NEW))
		return -1;
	psn = at->damaged ? rda_account_widen(account, at->packet->bth.psn) : at->request->begin;
	sent = rda_account_sent(account, psn);
	if (!sent || sent->begin != psn || sent->last_frame != at->place || sent->seen != 1 ||
	    sent->sent > 1 || sent->end != rda_account_progress(account)->next)
		return -1;
	return psn;
}

/* Follows the packet at hand, if an answer may tell what became of it. */
static bool doubt(const struct rda_at *at)
{
	int64_t psn = next_psn(at);
	struct rda_damaged_requests *doubted;

	if (psn < 0)
		return false;
	doubted = rda_frame_make_doubted(at->flow);
	if (doubted->count == RDA_DOUBTED_MAX)
		memmove(&doubted->of[0], &doubted->of[1],
			--doubted->count * sizeof(doubted->of[0]));
	doubted->of[doubted->count].psn = psn;
	doubted->of[doubted->count++].place = at->place;
	return true;
}

/* What an answer tells of one. */
static enum rda_fate fate_of(const struct rda_at *at, int64_t psn)
{
	const struct rda_account *account = at->asker->account;
	const struct rda_packet *packet = at->packet;

	if (rda_has(packet, AETH) && packet->aeth.syndrome == RDA_SYNDROME_NAK_SEQUENCE &&
	    rda_account_widen(account, packet->bth.psn) == psn)
		return RDA_FATE_REFUSED;
	return psn < rda_account_taken(account) ? RDA_FATE_TAKEN : RDA_FATE_OPEN;
}

void rda_failed_crcs_settle(struct rda_failed_crcs *failed, const struct rda_at *at)
{
	bool answer = at->packet->opcode->roles & RDA_ROLE_RESPONSE;
	const struct rda_flow *flow = answer ? at->asker : at->flow;
	struct rda_damaged_requests *doubted = flow ? rda_frame_doubted(flow) : NULL;
	unsigned left = 0;

	if (!doubted || !flow->account || (!answer && !at->request))
		return;
	for (unsigned i = 0; i < doubted->count; i++) {
		struct followed *packet = rda_table_find(&failed->followed, &doubted->of[i].place);
		enum rda_fate fate = RDA_FATE_OPEN;

		if (answer)
			fate = fate_of(at, doubted->of[i].psn);
		else if (at->request->begin == doubted->of[i].psn &&
			 doubted->of[i].place != at->place)
			fate = RDA_FATE_REFUSED;
		if (!packet)
			continue;
		packet->fate = (uint8_t)fate;
		if (fate == RDA_FATE_OPEN)
			doubted->of[left++] = doubted->of[i];
	}
	doubted->count = left;
}

/* ---- packets --------------------------------------------------------------------------------- */

static void failed_icrc(struct rda_failed_crcs *failed, const struct rda_at *at)
{
	bool header = at->icrc == RDA_ICRC_CHECK_DAMAGED, followed = doubt(at);
	struct rda_crc crc = {.stored = 0};
	struct rda_failed_source *source;
	struct rda_failures *open;
	struct rda_icrc_key key;

	rda_icrc_key_of(&key, at->capture, at->meta, at->packet);
	key = rda_icrc_sender_key(&key);
	source = source_of(failed, &key);
	open = header ? &source->damaged.by_fate[RDA_FATE_OPEN]
		      : &source->mismatched.by_fate[RDA_FATE_OPEN];
	if (source->first_place == 0)
		source->first_place = at->place;
	if (followed || open->kept < RDA_FINDING_FRAMES) /* else it is not told */
		rda_icrc(at->frame, at->packet, &crc);
	if (followed)
		follow(failed, at, source, &crc);
	else
		note(open, (struct rda_failure){at->place, crc.stored, crc.computed});
	if (at->flow && source->flow < 0)
		source->flow = at->flow->index;
	source->flows_differ |= at->flow && at->flow->index != source->flow;
}

void rda_failed_crcs_packet(struct rda_failed_crcs *failed, const struct rda_at *at)
{
	struct rda_crc crc = {.stored = 0};
	struct rda_failed_link *link;

	if (at->icrc == RDA_ICRC_CHECK_MISMATCH || at->icrc == RDA_ICRC_CHECK_DAMAGED) {
		failed_icrc(failed, at);
	} else if (at->vcrc_fails) {
		link = rda_table_get(&failed->links, &at->capture, NULL);
		rda_vcrc(at->frame, at->packet, &crc);
		note(&link->failures, (struct rda_failure){at->place, crc.stored, crc.computed});
	}
}

/* ---- parts, and what goes -------------------------------------------------------------------- */

/* Both in one order. */
struct rda_failures rda_failures_together(const struct rda_failures *a,
					  const struct rda_failures *b)
{
	struct rda_failures both = {.count = a->count + b->count};
	uint32_t i = 0, j = 0;

	while (both.kept < RDA_FINDING_FRAMES && (i < a->kept || j < b->kept)) {
		bool first = i < a->kept && (j == b->kept || a->of[i].place < b->of[j].place);

		both.of[both.kept++] = first ? a->of[i++] : b->of[j++];
	}
	return both;
}

struct rda_failed rda_failed_together(const struct rda_failed *a, const struct rda_failed *b)
{
	struct rda_failed both;

	for (unsigned fate = 0; fate < RDA_FATES; fate++)
		both.by_fate[fate] = rda_failures_together(&a->by_fate[fate], &b->by_fate[fate]);
	return both;
}

struct rda_failures rda_failed_all(const struct rda_failed *failed)
{
	struct rda_failures all = {.count = 0};

	for (unsigned fate = 0; fate < RDA_FATES; fate++)
		all = rda_failures_together(&all, &failed->by_fate[fate]);
	return all;
}

static int compare_sources(const void *a, const void *b)
{
	const struct rda_failed_source *one = *(struct rda_failed_source *const *)a;
	const struct rda_failed_source *two = *(struct rda_failed_source *const *)b;
	uint64_t first = one->first_place, second = two->first_place;

	if (!one->key.source.kind != !two->key.source.kind) /* all others are the last */
		return !one->key.source.kind ? 1 : -1;
	return first < second ? -1 : first > second;
}

static void join_source(struct rda_failed_source *to, const struct rda_failed_source *from,
			const struct rda_moved *moved)
{
	int64_t flow =
		from->flow < 0 ? -1 : (int64_t)rda_moved_to(moved->flows, (uint32_t)from->flow);

	to->mismatched = rda_failed_together(&to->mismatched, &from->mismatched);
	to->damaged = rda_failed_together(&to->damaged, &from->damaged);
	if (to->first_place == 0 || from->first_place < to->first_place)
		to->first_place = from->first_place;
	to->flows_differ |= from->flows_differ || (to->flow >= 0 && flow >= 0 && to->flow != flow);
	to->flow = to->flow < 0 ? flow : to->flow;
}

/* Those that failed first are kept apart, as where all frames are in one part. */
static void sort_sources(struct rda_failed_crcs *failed)
{
	const struct rda_moved nothing = {0};
	struct rda_failed_crcs sorted;

	rda_failed_crcs_init(&sorted, 0);
	if (failed->sources.count)
		qsort(failed->sources.items, failed->sources.count, sizeof(void *),
		      compare_sources);
	for (uint32_t i = 0; i < failed->sources.count; i++) {
		const struct rda_failed_source *from = failed->sources.items[i];

		join_source(source_of(&sorted, &from->key), from, &nothing);
	}
	rda_table_cleanup(&failed->sources, NULL);
	failed->sources = sorted.sources;
	rda_table_cleanup(&sorted.links, NULL);
	rda_table_cleanup(&sorted.followed, NULL);
}

void rda_failed_crcs_join(struct rda_failed_crcs *to, const struct rda_failed_crcs *from,
			  const struct rda_moved *moved)
{
	for (uint32_t i = 0; i < from->sources.count; i++) {
		const struct rda_failed_source *source = from->sources.items[i];
		struct rda_failed_source *joined;
		bool made;

		joined = rda_table_get(&to->sources, &source->key, &made);
		if (made)
			joined->flow = -1;
		join_source(joined, source, moved);
	}
	count_followed(to, &from->followed);
	sort_sources(to);
	for (uint32_t i = 0; i < from->links.count; i++) {
		const struct rda_failed_link *link = from->links.items[i];
		struct rda_failed_link *joined = rda_table_get(&to->links, &link->capture, NULL);

		joined->failures = rda_failures_together(&joined->failures, &link->failures);
	}
}

/* A sender that goes is judged by now: what it sent with good ICRCs is not known at the end. */
static void judge_gone(struct rda_failed_source *source, const struct rda_whole *whole,
		       const struct rda_moved *moved)
{
	const struct rda_host *host = rda_table_find(whole->hosts, &source->key.source);

	if ((host && moved->hosts[host->index] != RDA_GONE) ||
	    rda_icrc_judge(rda_icrc_sender(whole->icrc_senders, &source->key),
			   RDA_ICRC_CHECK_MISMATCH) != RDA_ICRC_BAD)
		return;
	source->damaged = rda_failed_together(&source->mismatched, &source->damaged);
	source->mismatched = (struct rda_failed){.by_fate = {{.count = 0}}};
}

void rda_failed_crcs_retire(struct rda_failed_crcs *failed, const struct rda_whole *whole,
			    const struct rda_moved *moved)
{
	end_following(failed);
	for (uint32_t i = 0; i < failed->sources.count; i++) {
		struct rda_failed_source *source = failed->sources.items[i];

		judge_gone(source, whole, moved);
		if (source->flow < 0)
			continue;
		source->flows_differ |= moved->flows[source->flow] == RDA_GONE;
		source->flow = source->flows_differ ? -1 : (int64_t)moved->flows[source->flow];
	}
}
