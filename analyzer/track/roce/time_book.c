/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of time, and their sums; time_book.h has the figure.
 */
#include "analyzer/track/roce/time_book.h"

#include "analyzer/base/assert.h"
#include "analyzer/base/cold.h"

#include <glib.h>
#include <string.h>

_Static_assert(RDA_TIME_CAUSE_COUNT <= 16, "rda_time_part.cause has room for each");
_Static_assert(RDA_TIME_DEPTHS < 32, "rda_time_part.depth has room for each");
_Static_assert(RDA_MESSAGE_COUNT <= 8, "rda_time_part.kind has room for each");

/* Connections that end soon have few parts. */
enum { FIRST_PARTS = 12 };

RDA_COLD struct rda_time_book *rda_time_book_new(int64_t first_ns)
{
	struct rda_time_book *book = g_new0(struct rda_time_book, 1);

	book->settled_ns = book->mark_ns = first_ns;
	return book;
}

void rda_time_book_free(struct rda_time_book *book)
{
	if (!book)
		return;
	g_free(book->parts);
	g_free(book->summed);
	g_free(book->depths);
	g_free(book->held);
	g_free(book);
}

uint64_t rda_time_book_bytes(const struct rda_time_book *book)
{
	if (!book)
		return 0;
	return sizeof(*book) + book->room * sizeof(*book->parts) +
	       (book->summed ? sizeof(*book->summed) : 0) +
	       book->depth_count * sizeof(*book->depths) +
	       (book->held ? RDA_HELD_KINDS * sizeof(*book->held) : 0);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static int64_t length_of(const struct rda_time_part *part)
{
	return (int64_t)part->ns_high << 32 | part->ns_low;
}

static void set_length(struct rda_time_part *part, int64_t ns)
{
	part->ns_low = (uint32_t)ns;
	part->ns_high = (unsigned)(ns >> 32) & 0xfffff;
}

static bool is_alike(const struct rda_time_part *one, const struct rda_time_part *two)
{
	return one->cause == two->cause && one->depth == two->depth && one->kind == two->kind;
}

/* What holds of a book: its parts follow each other, and end at the mark. */
static void check(const struct rda_time_book *book)
{
	int64_t at = book->settled_ns;

	for (uint32_t i = 0; i < book->count; i++) {
		RDA_ASSERT(length_of(&book->parts[i]) > 0);
		at += length_of(&book->parts[i]);
	}
	RDA_ASSERT(at == book->mark_ns);
}

RDA_COLD void rda_time_log_add(struct rda_time_log *log, struct rda_time_told told)
{
	if (log->count == log->allocated) {
		log->allocated = log->allocated ? log->allocated * 2 : RDA_TIME_PARTS;
		log->told = g_renew(struct rda_time_told, log->told, log->allocated);
	}
	log->told[log->count++] = told;
}

/* What comes behind all that was summed, and is of the sort that `part` is. */
static void sum(struct rda_time_book *book, const struct rda_time_part *part, int64_t ns)
{
	int64_t end_ns = book->settled_ns + ns;

	if (!book->summed)
		book->summed = g_new0(struct rda_time_summed, 1);
	if (book->log)
		rda_time_log_add(book->log, (struct rda_time_told){book->flow, book->settled_ns,
								   end_ns, (uint8_t)part->cause,
								   (uint8_t)part->depth});
	if (part->depth) {
		book->depths[part->depth - 1].ns += ns;
		book->summed->kinds[part->kind] += ns;
	} else {
		book->summed->ns[part->cause] += ns;
	}
	book->settled_ns = end_ns;
}

/* The oldest `count` parts are summed. */
static void settle(struct rda_time_book *book, uint32_t count)
{
	if (!count) /* there are no parts yet, perhaps */
		return;
	for (uint32_t i = 0; i < count; i++)
		sum(book, &book->parts[i], length_of(&book->parts[i]));
	book->count -= count;
	memmove(book->parts, book->parts + count, book->count * sizeof(*book->parts));
}

/* There is room for one more. */
static void make_room(struct rda_time_book *book)
{
	if (book->count < book->room)
		return;
	if (book->room == RDA_TIME_PARTS) {
		settle(book, RDA_TIME_PARTS / 2);
		return;
	}
	book->room = book->room ? RDA_TIME_PARTS : FIRST_PARTS;
	book->parts = g_renew(struct rda_time_part, book->parts, book->room);
}

/* All from the mark to `end_ns` is a part like this one; if it is like the one before it, that goes
 * on. */
static void add(struct rda_time_book *book, struct rda_time_part part, int64_t end_ns)
{
	struct rda_time_part *last = book->count ? &book->parts[book->count - 1] : NULL;
	int64_t ns = end_ns - book->mark_ns;

	if (end_ns <= book->mark_ns)
		return;
	book->mark_ns = end_ns;
	if (ns > RDA_TIME_PART_MOST) {
		settle(book, book->count);
		sum(book, &part, ns);
		return;
	}
	if (last && is_alike(last, &part) && length_of(last) <= RDA_TIME_PART_MOST - ns) {
		set_length(last, length_of(last) + ns);
		return;
	}
	make_room(book);
	set_length(&part, ns);
	book->parts[book->count++] = part;
}

static struct rda_time_part part_of(enum rda_time_cause cause)
{
	return (struct rda_time_part){.cause = (unsigned)cause & 15};
}

void rda_time_book_add(struct rda_time_book *book, enum rda_time_cause cause, int64_t end_ns)
{
	add(book, part_of(cause), end_ns);
}

void rda_time_book_idle(struct rda_time_book *book, int64_t end_ns)
{
	int64_t ns = end_ns - book->mark_ns;

	if (ns <= 0)
		return;
	if (book->idles++ == 0 || ns < book->idle_least_ns)
		book->idle_least_ns = ns;
	book->idle_most_ns = MAX(book->idle_most_ns, ns);
	rda_time_book_add(book, RDA_TIME_IDLE, end_ns);
}

void rda_time_book_take_back(struct rda_time_book *book, enum rda_time_cause cause, int64_t from,
			     int64_t to)
{
	struct rda_time_part parts[RDA_TIME_PARTS];
	int64_t begin_ns, end_ns;
	uint32_t count, i;

	if (book->count > RDA_TIME_PARTS - 3) /* it may cut one in two */
		settle(book, RDA_TIME_PARTS / 2);
	count = book->count;
	if (count)
		memcpy(parts, book->parts, count * sizeof(*parts));
	from = MAX(from, book->settled_ns);
	if (from >= to)
		return;
	book->count = 0;
	book->mark_ns = begin_ns = end_ns = book->settled_ns;
	for (i = 0; i < count && book->mark_ns < from; i++) {
		end_ns += length_of(&parts[i]);
		add(book, parts[i], MIN(end_ns, from));
	}
	add(book, part_of(cause), to);
	for (i = 0, end_ns = begin_ns; i < count; i++) {
		end_ns += length_of(&parts[i]);
		add(book, parts[i], end_ns);
	}
	check(book);
}

void rda_time_book_no_stall(struct rda_time_book *book)
{
	int64_t *ns = book && book->summed ? book->summed->ns : NULL;

	for (uint32_t i = 0; book && i < book->count; i++)
		if (book->parts[i].cause >= RDA_TIME_RECOVERY)
			book->parts[i].cause = RDA_TIME_WAITING;
	for (unsigned i = RDA_TIME_RECOVERY; ns && i < RDA_TIME_CAUSE_COUNT; i++) {
		ns[RDA_TIME_WAITING] += ns[i];
		ns[i] = 0;
	}
}

/* ---- depths of the queue --------------------------------------------------------------------- */

/* The index of so many requests, from 1 on: 1 2 3 4 5-6 7-8 9-12 13-16 ... */
static uint8_t depth_of(uint64_t requests)
{
	uint64_t power = 2;
	uint8_t depth = 1;

	for (; depth < RDA_TIME_DEPTHS - 1 && requests > power; power *= 2)
		depth += 2;
	if (requests <= 1)
		return 0;
	return requests <= power - power / 4 && power > 2 ? depth - 1 : depth;
}

/* There was none so deep. */
RDA_COLD static void deepen(struct rda_time_book *book, uint32_t count)
{
	book->depths = g_renew(struct rda_time_depth, book->depths, count);
	memset(book->depths + book->depth_count, 0,
	       (count - book->depth_count) * sizeof(*book->depths));
	book->depth_count = count;
}

void rda_time_book_wait(struct rda_time_book *book, uint64_t requests, enum rda_message kind,
			int64_t end_ns)
{
	uint8_t depth = depth_of(requests);
	struct rda_time_part part = part_of(RDA_TIME_WAITING);
	struct rda_time_depth *met;

	if (end_ns <= book->mark_ns)
		return;
	if (depth >= book->depth_count)
		deepen(book, depth + 1u);
	met = &book->depths[depth];
	met->waits++;
	met->most = (uint32_t)MAX(met->most, MIN(requests, UINT32_MAX));
	part.depth = (depth + 1u) & 31;
	part.kind = (unsigned)kind & 7;
	add(book, part, end_ns);
}

/* ---- holds ----------------------------------------------------------------------------------- */

void rda_time_book_held(struct rda_time_book *book, unsigned index,
			const struct rda_time_hold *hold, int64_t ns)
{
	struct rda_held *held;

	if (!book->held)
		book->held = g_new0(struct rda_held, RDA_HELD_KINDS);
	held = &book->held[index];
	if (!held->gaps) {
		memcpy(held->mac, hold->mac, sizeof(held->mac));
		held->priority = hold->priority;
	} else if (held->priority != hold->priority ||
		   memcmp(held->mac, hold->mac, sizeof(held->mac)) != 0) {
		return;
	}
	held->gaps++;
	held->ns += ns;
	held->longest_ns = MAX(held->longest_ns, ns);
}

/* ---- the sum --------------------------------------------------------------------------------- */

void rda_time_book_copy(struct rda_time_ending *to, const struct rda_time_book *from,
			int64_t first_ns)
{
	struct rda_time_book *book = &to->book;

	memset(book, 0, sizeof(*book));
	memset(&to->summed, 0, sizeof(to->summed));
	book->settled_ns = book->mark_ns = first_ns;
	if (from) {
		*book = *from;
		book->log = NULL;
		book->depths = g_memdup2(from->depths, from->depth_count * sizeof(*from->depths));
		book->held = g_memdup2(from->held,
				       from->held ? RDA_HELD_KINDS * sizeof(*from->held) : 0);
		if (from->count)
			memcpy(to->parts, from->parts, from->count * sizeof(*from->parts));
		if (from->summed)
			to->summed = *from->summed;
	}
	book->parts = to->parts;
	book->room = RDA_TIME_PARTS;
	book->summed = &to->summed;
}

void rda_time_book_finish(struct rda_time_ending *ending, struct rda_time_sums *sums)
{
	struct rda_time_book *book = &ending->book;

	check(book);
	settle(book, book->count);
	memset(sums, 0, sizeof(*sums));
	memcpy(sums->ns, ending->summed.ns, sizeof(sums->ns));
	for (uint32_t i = 0; i < book->depth_count; i++)
		sums->depths[i] = book->depths[i];
	memcpy(sums->kinds, ending->summed.kinds, sizeof(sums->kinds));
	sums->idles = book->idles;
	sums->idle_least_ns = book->idle_least_ns;
	sums->idle_most_ns = book->idle_most_ns;
	if (book->held)
		memcpy(sums->held, book->held, sizeof(sums->held));
	g_free(book->depths);
	g_free(book->held);
}
