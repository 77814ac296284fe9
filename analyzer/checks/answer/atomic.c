/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results of ATOMICs; see atomic.h.
 */
#include "analyzer/checks/answer/atomic.h"

#include "analyzer/track/keys/key_ledger.h"

#include <glib.h>

struct rda_cell_key {
	uint64_t va;
	uint64_t key; /* rda_memory_key.index */
};

/* A word of memory that ATOMICs change. */
struct rda_cell {
	struct rda_cell_key key; /* first: the table's key */
	uint64_t value;		 /* valid if known */
	uint64_t place;		 /* of the result that it follows from */
	uint32_t owner;		 /* the flow whose ATOMICs are under way, or were last */
	int64_t psn;		 /* of the owner's ATOMIC that it follows from */
	uint32_t outstanding;
	bool known;
	bool contested; /* several flows at once: their order is not known */
	const struct rda_cell_region *region;
};

/* Where WRITEs went with a key that ATOMICs use. */
struct rda_cell_region {
	uint32_t key;	    /* first: the table's key; rda_memory_key.index */
	uint32_t rkey;	    /* its number */
	uint64_t low, last; /* low > last: nowhere */
};

/* One ATOMIC. */
struct rda_atomic {
	int64_t psn;
	struct rda_cell *cell; /* NULL: not followed */
	uint64_t request_place, result_place;
	uint64_t original;
	struct rda_key_atomic does;
	bool answered;
	bool checked; /* an ICRC vouches for its first result */
};

/* The latest ATOMICs of a flow. */
struct rda_atomic_watch {
	uint32_t flow;				  /* first: the table's key; rda_flow.index */
	uint32_t count;				  /* so far */
	struct rda_atomic kept[RDA_ATOMICS_KEPT]; /* a ring */
};

void rda_atomics_init(struct rda_atomics *atomics, uint64_t seed)
{
	rda_table_init(&atomics->flows, sizeof(uint32_t), sizeof(struct rda_atomic_watch), seed);
	rda_table_init(&atomics->cells, sizeof(struct rda_cell_key), sizeof(struct rda_cell), seed);
	rda_table_init(&atomics->regions, sizeof(uint32_t), sizeof(struct rda_cell_region), seed);
}

void rda_atomics_cleanup(struct rda_atomics *atomics)
{
	rda_table_cleanup(&atomics->flows, NULL);
	rda_table_cleanup(&atomics->cells, NULL);
	rda_table_cleanup(&atomics->regions, NULL);
}

/* ---- words of memory ------------------------------------------------------------------------- */

/* A WRITE that was under way before the first ATOMIC may have gone anywhere. */
static const struct rda_cell_region *region_of(struct rda_atomics *atomics,
					       const struct rda_memory_key *key)
{
	bool made, writing = key->asked[RDA_KEY_USE_WRITE] != key->worked->count[RDA_KEY_USE_WRITE];
	struct rda_cell_region *region = rda_table_get(&atomics->regions, &key->index, &made);

	if (made) {
		region->rkey = key->id.key;
		region->low = writing ? 0 : UINT64_MAX;
		region->last = writing ? UINT64_MAX : 0;
	}
	return region;
}

static struct rda_cell *cell_of(struct rda_atomics *atomics, const struct rda_memory_key *key,
				uint64_t va)
{
	struct rda_cell_key cell_key = {va, key->index};
	struct rda_cell *cell = rda_table_find(&atomics->cells, &cell_key);

	if (cell || atomics->cells.count >= RDA_CELLS_MAX)
		return cell;
	cell = rda_table_get(&atomics->cells, &cell_key, NULL);
	cell->owner = RDA_KEY_NO_FLOW;
	cell->region = region_of(atomics, key);
	return cell;
}

/* A WRITE: what it covers is no longer followed. */
static void note_write(struct rda_atomics *atomics, const struct rda_key_event *event,
		       const struct rda_memory_key *key)
{
	struct rda_cell_region *region = rda_table_find(&atomics->regions, &key->index);

	if (!region || event->length == 0)
		return;
	region->low = MIN(region->low, event->va);
	region->last = MAX(region->last, rda_span_last(event->va, event->length));
}

static bool is_written(const struct rda_cell *cell)
{
	return cell->key.va <= cell->region->last &&
	       cell->region->low <= rda_span_last(cell->key.va, 8);
}

static void leave(struct rda_cell *cell)
{
	if (cell->outstanding)
		cell->outstanding--;
	if (cell->outstanding == 0)
		cell->contested = false;
}

static void join(struct rda_cell *cell, uint32_t flow)
{
	if (cell->owner != flow) {
		cell->psn = INT64_MIN;
		if (cell->outstanding) {
			cell->contested = true;
			cell->known = false;
		}
	}
	cell->owner = flow;
	cell->outstanding++;
}

/* ---- ATOMICs --------------------------------------------------------------------------------- */

static void note_atomic(struct rda_atomics *atomics, const struct rda_key_event *event,
			const struct rda_memory_key *key)
{
	struct rda_atomic_watch *w = rda_table_get(&atomics->flows, &event->flow, NULL);
	struct rda_atomic *atomic = &w->kept[w->count % RDA_ATOMICS_KEPT];

	if (w->count >= RDA_ATOMICS_KEPT && atomic->cell && !atomic->answered) {
		atomic->cell->known = false; /* its result would be needed */
		leave(atomic->cell);
	}
	w->count++;
	*atomic = (struct rda_atomic){
		.psn = event->psn,
		.cell = key ? cell_of(atomics, key, event->va) : NULL,
		.request_place = event->place,
		.does = *event->atomic,
	};
	if (atomic->cell)
		join(atomic->cell, event->flow);
}

static struct rda_atomic *find_atomic(struct rda_atomic_watch *w, int64_t psn)
{
	uint32_t kept = MIN(w->count, RDA_ATOMICS_KEPT);

	for (uint32_t i = 0; i < kept; i++)
		if (w->kept[i].psn == psn)
			return &w->kept[i];
	return NULL;
}

/* One before it, of the same word, whose result was not seen: the value is not known. */
static bool is_overtaking(const struct rda_atomic_watch *w, const struct rda_atomic *atomic)
{
	uint32_t kept = MIN(w->count, RDA_ATOMICS_KEPT);

	for (uint32_t i = 0; i < kept; i++)
		if (w->kept[i].cell == atomic->cell && !w->kept[i].answered &&
		    w->kept[i].psn < atomic->psn)
			return true;
	return false;
}

static bool is_checked(const struct rda_key_event *result)
{
	return !(result->doubt & RDA_KEY_UNCHECKED);
}

static struct rda_subject sender_of(const struct rda_key_event *result)
{
	return (struct rda_subject){RDA_SUBJECT_FLOW, result->peer};
}

/* A20: the result of a resend is the saved one, or the ATOMIC was executed again; or one of the two
 * came damaged, where no ICRC tells, or the QP was set up anew, and it is no resend. */
static void atomic_executed_twice(struct rda_judge *judge, const struct rda_key_event *result,
				  const struct rda_atomic *atomic)
{
	bool checked = atomic->checked && is_checked(result);
	bool anew = result->doubt & RDA_KEY_PERHAPS_ANEW;
	struct rda_finding *finding = rda_finding_of_bytes(judge, checked && !anew, RDA_CHECK_A20,
							   sender_of(result), result->place);

	rda_finding_frame(finding, atomic->result_place);
	rda_finding_frame(finding, atomic->request_place);
	rda_finding_say(finding, RDA_SAY_A20_TWICE, RDA_ARG_PSN("psn", atomic->psn),
			RDA_ARG_NUMBER("value", atomic->original),
			RDA_ARG_NUMBER("other_value", result->va),
			RDA_ARG_FLAG("unchecked", !checked), RDA_ARG_FLAG("perhaps_anew", anew));
}

/* A21: not what the ATOMIC before it left. */
static void atomic_result_impossible(struct rda_judge *judge, const struct rda_key_event *result,
				     const struct rda_atomic *atomic)
{
	const struct rda_cell *cell = atomic->cell;
	struct rda_finding *finding =
		rda_finding_add(&judge->findings, RDA_CHECK_A21, sender_of(result), result->place);

	rda_finding_frame(finding, cell->place);
	rda_finding_frame(finding, atomic->request_place);
	rda_finding_say(finding, RDA_SAY_A21_VALUE, RDA_ARG_PSN("psn", atomic->psn),
			RDA_ARG_NUMBER("value", atomic->original),
			RDA_ARG_MEMORY("address", cell->key.va),
			RDA_ARG_KEY("rkey", cell->region->rkey),
			RDA_ARG_NUMBER("earlier_value", cell->value));
}

static uint64_t value_after(const struct rda_atomic *atomic)
{
	if (!atomic->does.swaps)
		return atomic->original + atomic->does.swap_add;
	return atomic->original == atomic->does.compare ? atomic->does.swap_add : atomic->original;
}

static void follow_value(struct rda_judge *judge, const struct rda_key_event *result,
			 const struct rda_atomic_watch *w, const struct rda_atomic *atomic)
{
	struct rda_cell *cell = atomic->cell;
	bool in_order = cell->owner == result->flow && atomic->psn > cell->psn;

	if (in_order && cell->known && !is_overtaking(w, atomic) && !is_written(cell) &&
	    cell->value != atomic->original)
		atomic_result_impossible(judge, result, atomic);
	if (in_order && !cell->contested) {
		cell->known = true;
		cell->value = value_after(atomic);
		cell->psn = atomic->psn;
		cell->place = result->place;
	}
	leave(cell);
}

static void take_result(struct rda_atomic *atomic, const struct rda_key_event *result)
{
	atomic->answered = true;
	atomic->original = result->va;
	atomic->result_place = result->place;
	atomic->checked = is_checked(result);
}

static void note_result(struct rda_judge *judge, const struct rda_atomics *atomics,
			const struct rda_key_event *result)
{
	struct rda_atomic_watch *w = rda_table_find(&atomics->flows, &result->flow);
	struct rda_atomic *atomic = w ? find_atomic(w, result->psn) : NULL;

	if (!atomic)
		return;
	if (atomic->answered) {
		if (result->va != atomic->original && !(result->doubt & RDA_KEY_ANEW))
			atomic_executed_twice(judge, result, atomic);
		if (!(result->doubt & (RDA_KEY_ANEW | RDA_KEY_PERHAPS_ANEW)))
			return;
		/* what comes again from now on is compared with this one */
		if (atomic->cell && result->va != atomic->original)
			atomic->cell->known = false;
		take_result(atomic, result);
		return;
	}
	take_result(atomic, result);
	if (atomic->cell)
		follow_value(judge, result, w, atomic);
}

void rda_atomics_take(struct rda_judge *judge, struct rda_atomics *atomics,
		      const struct rda_key_event *event, const struct rda_key_news *news)
{
	if (event->kind == RDA_KEY_RESULT)
		note_result(judge, atomics, event);
	else if (event->kind != RDA_KEY_ASKED || event->stag)
		return;
	else if (event->use == RDA_KEY_USE_ATOMIC && event->answers)
		note_atomic(atomics, event, news->key);
	else if (event->use == RDA_KEY_USE_WRITE && news->key)
		note_write(atomics, event, news->key);
}
