/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Group A: results of ATOMICs, and the number of READs and ATOMICs under way.
 */
#include "analyzer/checks/answer/atomic.h"

#include "analyzer/base/psn.h"

#include <glib.h>
#include <string.h>

struct cell_key {
	uint64_t va;
	uint32_t host; /* rda_host.index of the responder */
	uint32_t rkey;
};

/* A word of memory that ATOMICs change. */
struct rda_cell {
	struct cell_key key;	      /* first: the table's key */
	uint64_t value;		      /* valid if known */
	uint64_t place;		      /* of the result that it follows from */
	const struct rda_flow *owner; /* whose ATOMICs are under way, or were last */
	int64_t psn;		      /* of the owner's ATOMIC that it follows from */
	uint32_t outstanding;
	bool known;
	bool contested; /* several flows at once: their order is not known */
};

struct region_key {
	uint32_t host, rkey;
};

/* Where WRITEs went with a key that ATOMICs use. */
struct rda_cell_region {
	struct region_key key; /* first: the table's key */
	uint64_t low, high;    /* [low, high); empty: none */
};

/* One ATOMIC. */
struct rda_atomic {
	int64_t psn;
	struct rda_cell *cell; /* NULL: not followed */
	uint64_t request_place, result_place;
	uint64_t original, swap_add, compare;
	bool swaps; /* CmpSwap, else FetchAdd */
	bool answered;
};

struct rda_atomic_watch {
	struct rda_atomic kept[RDA_ATOMICS_KEPT]; /* a ring */
	uint32_t count;				  /* so far */
};

void rda_cells_init(struct rda_cells *cells, uint64_t seed)
{
	rda_table_init(&cells->words, sizeof(struct cell_key), sizeof(struct rda_cell), seed);
	rda_table_init(&cells->regions, sizeof(struct region_key), sizeof(struct rda_cell_region),
		       seed);
}

void rda_cells_cleanup(struct rda_cells *cells)
{
	rda_table_cleanup(&cells->words, NULL);
	rda_table_cleanup(&cells->regions, NULL);
}

/* ---- words of memory ------------------------------------------------------------------------- */

static struct rda_cell *cell_of(struct rda_cells *cells, const struct rda_at *at)
{
	struct region_key region = {at->flow->receiver->index, at->request->rkey};
	struct cell_key key;

	memset(&key, 0, sizeof(key)); /* padding too: keys are compared as bytes */
	key.va = at->request->va;
	key.host = at->flow->receiver->index;
	key.rkey = at->request->rkey;
	if (cells->words.count >= RDA_CELLS_MAX) {
		struct rda_cell *cell = rda_table_find(&cells->words, &key);

		cells->not_followed += !cell;
		return cell;
	}
	rda_table_get(&cells->regions, &region, NULL);
	return rda_table_get(&cells->words, &key, NULL);
}

/* A WRITE: what it covers is no longer followed. */
static void note_write(const struct rda_at *at, struct rda_cells *cells)
{
	const struct rda_request *q = at->request;
	struct region_key key = {at->flow->receiver->index, q->rkey};
	struct rda_cell_region *region = rda_table_find(&cells->regions, &key);
	uint64_t end = q->va + q->length;

	if (!region || q->length == 0)
		return;
	if (end < q->va)
		end = UINT64_MAX;
	region->low = region->high ? MIN(region->low, q->va) : q->va;
	region->high = MAX(region->high, end);
}

static bool is_written(const struct rda_cells *cells, const struct rda_cell *cell)
{
	struct region_key key = {cell->key.host, cell->key.rkey};
	const struct rda_cell_region *region = rda_table_find(&cells->regions, &key);

	return region && cell->key.va < region->high && region->low < cell->key.va + 8;
}

static void leave(struct rda_cell *cell)
{
	if (cell->outstanding)
		cell->outstanding--;
	if (cell->outstanding == 0)
		cell->contested = false;
}

static void join(struct rda_cell *cell, const struct rda_flow *flow)
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

static void note_atomic(const struct rda_at *at, struct rda_cells *cells,
			struct rda_answer_watch *watch)
{
	const struct rda_packet *packet = at->packet;
	struct rda_atomic_watch *w = watch->atomics;
	struct rda_atomic *atomic;

	if (!w)
		w = watch->atomics = g_new0(struct rda_atomic_watch, 1);
	atomic = &w->kept[w->count % RDA_ATOMICS_KEPT];
	if (w->count >= RDA_ATOMICS_KEPT && atomic->cell && !atomic->answered) {
		atomic->cell->known = false; /* its result would be needed */
		leave(atomic->cell);
	}
	w->count++;
	*atomic = (struct rda_atomic){
		.psn = at->request->begin,
		.cell = cell_of(cells, at),
		.request_place = at->place,
		.swap_add = packet->atomiceth.swap_add,
		.compare = packet->atomiceth.compare,
		.swaps = packet->bth.opcode ==
			 (RDA_OPERATION_COMPARE_SWAP | (packet->bth.opcode & 0xe0)),
	};
	if (atomic->cell)
		join(atomic->cell, at->flow);
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

/* A20: the result of a resend is the saved one, or the ATOMIC was executed again. */
static void atomic_executed_twice(const struct rda_at *at, const struct rda_atomic *atomic,
				  uint64_t original)
{
	struct rda_finding *finding = rda_finding_at(at, RDA_CHECK_A20);

	rda_finding_frame(finding, atomic->result_place);
	rda_finding_frame(finding, atomic->request_place);
	rda_finding_say(finding, RDA_SAY_A20_TWICE, RDA_ARG_PSN("psn", atomic->psn),
			RDA_ARG_NUMBER("value", atomic->original),
			RDA_ARG_NUMBER("other_value", original));
}

/* A21: not what the ATOMIC before it left. */
static void atomic_result_impossible(const struct rda_at *at, const struct rda_atomic *atomic,
				     const struct rda_cell *cell)
{
	struct rda_finding *finding = rda_finding_at(at, RDA_CHECK_A21);

	rda_finding_frame(finding, cell->place);
	rda_finding_frame(finding, atomic->request_place);
	rda_finding_say(finding, RDA_SAY_A21_VALUE, RDA_ARG_PSN("psn", atomic->psn),
			RDA_ARG_NUMBER("value", atomic->original),
			RDA_ARG_MEMORY("address", cell->key.va),
			RDA_ARG_HEX("rkey", cell->key.rkey, 1),
			RDA_ARG_NUMBER("earlier_value", cell->value));
}

static uint64_t value_after(const struct rda_atomic *atomic)
{
	if (!atomic->swaps)
		return atomic->original + atomic->swap_add;
	return atomic->original == atomic->compare ? atomic->swap_add : atomic->original;
}

static void follow_value(const struct rda_at *at, const struct rda_cells *cells,
			 const struct rda_atomic_watch *w, const struct rda_atomic *atomic)
{
	struct rda_cell *cell = atomic->cell;
	bool in_order = cell->owner == at->asker && atomic->psn > cell->psn;

	if (in_order && cell->known && !is_overtaking(w, atomic) && !is_written(cells, cell) &&
	    cell->value != atomic->original)
		atomic_result_impossible(at, atomic, cell);
	if (in_order && !cell->contested) {
		cell->known = true;
		cell->value = value_after(atomic);
		cell->psn = atomic->psn;
		cell->place = at->place;
	}
	leave(cell);
}

/* ---- how many at once ------------------------------------------------------------------------ */

static int16_t reads_allowed(const struct rda_at *at, struct rda_answer_watch *watch)
{
	const struct rda_cm_limits *limits;

	if (watch->reads_allowed)
		return watch->reads_allowed;
	limits = rda_cm_limits_of(at->flow);
	watch->reads_allowed = limits && limits->reads > 0 ? limits->reads : -1;
	return watch->reads_allowed;
}

/* A22: more READs and ATOMICs under way than the two sides agreed on. */
static void too_many_reads_outstanding(const struct rda_at *at, struct rda_answer_watch *watch)
{
	const struct rda_pending *waiting;
	int16_t allowed = reads_allowed(at, watch);
	struct rda_finding *finding;
	uint32_t under_way = 0, usual = allowed < 0 ? UINT32_MAX : (uint32_t)allowed;

	if (!rda_account_waiting(at->flow->account, MIN(watch->reads_most, usual)))
		return;
	/* answers come in order: what lies below one was answered, whether it was seen or not */
	for (uint32_t i = 0; (waiting = rda_account_waiting(at->flow->account, i)) != NULL; i++)
		under_way += waiting->end > watch->answered_psn + 1;
	waiting = rda_account_waiting(at->flow->account, 0);
	if (under_way > watch->reads_most) {
		watch->reads_most = (uint16_t)under_way;
		watch->reads_place = at->place;
		watch->reads_first = waiting->frame;
	}
	if (allowed < 0 || under_way <= (uint32_t)allowed)
		return;
	finding = rda_finding_at(at, RDA_CHECK_A22);
	rda_finding_frame(finding, waiting->frame);
	rda_finding_say(finding, RDA_SAY_A22_AGREED, RDA_ARG_PSN("psn", at->request->begin),
			RDA_ARG_NUMBER("reads", under_way), RDA_ARG_SIGNED("agreed", allowed));
}

/*
 * A22, a note: the set-up was seen and did not say how many, so nobody knows whether these were too
 * many. Responders refuse such a READ, or drop it; some serve it all the same.
 */
void rda_atomic_end(struct rda_judge *judge, const struct rda_flow *flow)
{
	const struct rda_answer_watch *watch = flow->watch.answer;
	struct rda_finding *finding;

	if (watch->reads_most < 2 || watch->reads_allowed > 0 || !flow->pair ||
	    flow->pair->by != RDA_PAIRED_BY_EXCHANGE)
		return;
	finding = rda_finding_add_as(&judge->findings, RDA_CHECK_A22, RDA_SEVERITY_NOTE,
				     RDA_PROOF_SUSPECTED, rda_about_flow(flow), watch->reads_place);
	rda_finding_frame(finding, watch->reads_first);
	rda_finding_say(finding, RDA_SAY_A22_NOT_AGREED,
			RDA_ARG_NUMBER("reads", watch->reads_most));
}

/* ---- hooks ----------------------------------------------------------------------------------- */

void rda_atomic_request(const struct rda_at *at, struct rda_cells *cells,
			struct rda_answer_watch *watch)
{
	if (at->request->roles & (RDA_ROLE_READ | RDA_ROLE_ATOMIC) && at->kind == RDA_REQUEST_NEW)
		too_many_reads_outstanding(at, watch);
	if (at->request->roles & RDA_ROLE_ATOMIC) {
		if (at->original == 0 && rda_has(at->packet, ATOMICETH))
			note_atomic(at, cells, watch);
	} else if (at->request->roles & (RDA_ROLE_WRITE | RDA_ROLE_ATOMIC_WRITE) &&
		   cells->words.count && rda_has(at->packet, RETH)) {
		note_write(at, cells);
	}
}

void rda_atomic_response(const struct rda_at *at, struct rda_cells *cells,
			 struct rda_answer_watch *watch, int64_t psn)
{
	struct rda_atomic *atomic = watch->atomics ? find_atomic(watch->atomics, psn) : NULL;
	uint64_t original;

	if (!atomic || !rda_has(at->packet, ATOMICACKETH))
		return;
	original = at->packet->atomicacketh.original;
	if (atomic->answered) {
		if (original != atomic->original)
			atomic_executed_twice(at, atomic, original);
		return;
	}
	atomic->answered = true;
	atomic->original = original;
	atomic->result_place = at->place;
	if (atomic->cell)
		follow_value(at, cells, watch->atomics, atomic);
}
