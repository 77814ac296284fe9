/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packets of two taps, put in order of their fingerprints and held against each other. See
 * passage.h.
 */
#include "analyzer/taps/passage.h"

#include "analyzer/track/roce/copies.h"

#include <glib.h>
#include <string.h>

void rda_passages_init(struct rda_passages *passages)
{
	*passages = (struct rda_passages){.most = RDA_PASSAGE_PACKETS, .coarse = true};
}

void rda_passages_cleanup(struct rda_passages *passages)
{
	g_free(passages->packets);
	passages->packets = NULL;
	g_free(passages->waits);
	passages->waits = NULL;
	g_free(passages->order);
	passages->order = NULL;
}

void rda_passages_add(struct rda_passages *passages, const struct rda_passage *packet)
{
	if (passages->count >= passages->most) {
		passages->not_kept++;
		return;
	}
	if (passages->count == passages->allocated) {
		passages->allocated = MAX(1024, 2 * passages->allocated);
		passages->packets =
			g_renew(struct rda_passage, passages->packets, passages->allocated);
	}
	passages->packets[passages->count++] = *packet;
	passages->coarse = passages->coarse && packet->time_ns % 1000 == 0;
}

void rda_passages_add_wait(struct rda_passages *passages, const struct rda_passage_wait *wait)
{
	if (passages->wait_count >= passages->most)
		return;
	if (passages->wait_count == passages->waits_allocated) {
		passages->waits_allocated = MAX(64, 2 * passages->waits_allocated);
		passages->waits = g_renew(struct rda_passage_wait, passages->waits,
					  passages->waits_allocated);
	}
	passages->waits[passages->wait_count++] = *wait;
}

static uint32_t index_of(uint32_t number, const uint32_t *numbers, uint32_t count)
{
	uint32_t low = 0, high = count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (numbers[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && numbers[low] == number ? low : RDA_PASSAGE_NO_FLOW;
}

void rda_passages_settle(struct rda_passages *passages, const uint32_t *numbers, uint32_t count)
{
	for (uint32_t i = 0; i < passages->count; i++) {
		struct rda_passage *packet = &passages->packets[i];

		if (packet->flow != RDA_PASSAGE_NO_FLOW)
			packet->flow = index_of(packet->flow, numbers, count);
	}
	for (uint32_t i = 0; i < passages->wait_count; i++)
		passages->waits[i].flow = index_of(passages->waits[i].flow, numbers, count);
}

/* ---- in order of fingerprints ---------------------------------------------------------------- */

struct order {
	const struct rda_passages *of;
	bool by_icrc;
};

static int compare_prints(const struct rda_passage *a, const struct rda_passage *b, bool by_icrc)
{
	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return by_icrc ? (a->icrc > b->icrc) - (a->icrc < b->icrc) : 0;
}

static gint compare(gconstpointer one, gconstpointer two, gpointer context)
{
	const struct order *order = context;
	uint32_t i = *(const uint32_t *)one, j = *(const uint32_t *)two;
	int by = compare_prints(&order->of->packets[i], &order->of->packets[j], order->by_icrc);

	return by ? by : (i > j) - (i < j);
}

static uint32_t *sorted(const struct rda_passages *of, bool by_icrc)
{
	struct order order = {of, by_icrc};
	uint32_t *all = g_new(uint32_t, of->count + 1);

	for (uint32_t i = 0; i < of->count; i++)
		all[i] = i;
	g_qsort_with_data(all, (gint)of->count, sizeof(*all), compare, &order);
	return all;
}

void rda_passages_put_in_order(struct rda_passages *passages)
{
	g_free(passages->order);
	passages->order = passages->lacks_icrc ? NULL : sorted(passages, true);
}

/* The caller's. */
static uint32_t *order_of(const struct rda_passages *of, bool by_icrc)
{
	return by_icrc && of->order ? g_memdup2(of->order, sizeof(*of->order) * of->count)
				    : sorted(of, by_icrc);
}

/* ---- matching -------------------------------------------------------------------------------- */

struct match {
	const struct rda_passages *x, *y;
	uint32_t *of_x, *of_y; /* in order of fingerprints */
	uint32_t *to_y, *to_x;
	bool *sure; /* of each of x, that it is alone at both taps */
	bool by_icrc;
	uint32_t matched;
	int64_t offset_ns;
};

static void tie(struct match *m, uint32_t x, uint32_t y, bool sure)
{
	m->to_y[x] = y;
	m->to_x[y] = x;
	m->sure[x] = sure;
	m->matched++;
}

static uint64_t far_apart(const struct match *m, uint32_t x, uint32_t y)
{
	uint64_t d = (uint64_t)m->y->packets[y].time_ns - (uint64_t)m->x->packets[x].time_ns -
		     (uint64_t)m->offset_ns;

	return (int64_t)d < 0 ? -d : d;
}

static bool is_close(const struct rda_passages *of, uint32_t a, uint32_t b)
{
	uint64_t d = (uint64_t)of->packets[b].time_ns - (uint64_t)of->packets[a].time_ns;

	return d <= RDA_COPY_NS;
}

/* Of one fingerprint at one tap: those that are left over and stand close to one that is not, or
 * behind one that the other tap lacks too. */
static void mark_twins(const struct rda_passages *of, uint32_t *to, const uint32_t *run,
		       uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		bool before = i && is_close(of, run[i - 1], run[i]);
		bool behind = i + 1 < count && is_close(of, run[i], run[i + 1]) &&
			      rda_passage_is_matched(to[run[i + 1]]);

		if (!rda_passage_is_matched(to[run[i]]) && (before || behind))
			to[run[i]] = RDA_PASSAGE_TWIN;
	}
}

/* Of one fingerprint: those of the fewer, in order, each to the nearest of the others that leaves
 * enough for those behind it. Those that are left over are copies. */
static void tie_run(struct match *m, const uint32_t *xs, uint32_t nx, const uint32_t *ys,
		    uint32_t ny)
{
	uint32_t fewer = MIN(nx, ny), more = MAX(nx, ny), next = 0;

	for (uint32_t i = 0; i < nx; i++)
		m->to_y[xs[i]] = RDA_PASSAGE_COPY;
	for (uint32_t i = 0; i < ny; i++)
		m->to_x[ys[i]] = RDA_PASSAGE_COPY;
	for (uint32_t i = 0; i < fewer; i++) {
		uint32_t best = next, last = more - (fewer - i);

		for (uint32_t j = next; j <= last && j < next + 64; j++)
			if (far_apart(m, xs[nx <= ny ? i : j], ys[nx <= ny ? j : i]) <
			    far_apart(m, xs[nx <= ny ? i : best], ys[nx <= ny ? best : i]))
				best = j;
		tie(m, xs[nx <= ny ? i : best], ys[nx <= ny ? best : i], more == 1);
		next = best + 1;
	}
	mark_twins(m->x, m->to_y, xs, nx);
	mark_twins(m->y, m->to_x, ys, ny);
}

static uint32_t run_of(const struct rda_passages *of, const uint32_t *all, uint32_t from,
		       bool by_icrc)
{
	uint32_t to = from + 1;

	while (to < of->count &&
	       compare_prints(&of->packets[all[from]], &of->packets[all[to]], by_icrc) == 0)
		to++;
	return to - from;
}

/* Of those that are alone at both taps, or of the others. */
static void walk(struct match *m, bool alone)
{
	uint32_t i = 0, j = 0;

	while (i < m->x->count || j < m->y->count) {
		int by = i == m->x->count ? 1
			 : j == m->y->count
				 ? -1
				 : compare_prints(&m->x->packets[m->of_x[i]],
						  &m->y->packets[m->of_y[j]], m->by_icrc);
		uint32_t nx = by <= 0 ? run_of(m->x, m->of_x, i, m->by_icrc) : 0;
		uint32_t ny = by >= 0 ? run_of(m->y, m->of_y, j, m->by_icrc) : 0;

		if (nx && ny && (nx == 1 && ny == 1) == alone)
			tie_run(m, &m->of_x[i], nx, &m->of_y[j], ny);
		else if (!ny && !alone)
			mark_twins(m->x, m->to_y, &m->of_x[i], nx);
		else if (!nx && !alone)
			mark_twins(m->y, m->to_x, &m->of_y[j], ny);
		i += nx;
		j += ny;
	}
}

/* One tap's packets that found none, or are one too many, by their places in the order of
 * fingerprints. */
struct left {
	const struct rda_passages *of;
	const uint32_t *all;
	GArray *places;
};

static void left_over(struct left *left, const struct rda_passages *of, const uint32_t *all,
		      const uint32_t *to)
{
	*left = (struct left){of, all, g_array_new(FALSE, FALSE, sizeof(uint32_t))};
	for (uint32_t i = 0; i < of->count; i++)
		if (!rda_passage_is_matched(to[all[i]]))
			g_array_append_val(left->places, i);
}

static uint32_t left_at(const struct left *left, guint index)
{
	return left->all[g_array_index(left->places, uint32_t, index)];
}

static uint64_t hash_at(const struct left *left, guint index)
{
	return left->of->packets[left_at(left, index)].hash;
}

/* How many of those left, from there on, have its fingerprint, whatever their ICRC. */
static guint alike_of(const struct left *left, guint from)
{
	guint to = from + 1;

	while (to < left->places->len && hash_at(left, to) == hash_at(left, from))
		to++;
	return to - from;
}

/* Whether no other packet of the tap has its fingerprint. */
static bool is_alone(const struct left *left, guint index)
{
	uint32_t place = g_array_index(left->places, uint32_t, index);
	uint64_t hash = hash_at(left, index);

	return !(place && left->of->packets[left->all[place - 1]].hash == hash) &&
	       !(place + 1 < left->of->count &&
		 left->of->packets[left->all[place + 1]].hash == hash);
}

/* Damaged, with another ICRC than all that the other tap has. */
static bool is_damaged_stray(const uint32_t *to, const struct rda_passages *of, uint32_t i)
{
	return to[i] == RDA_PASSAGE_NONE && of->packets[i].damaged;
}

/* Packets that have another ICRC at the other tap, as one of the two is damaged. */
static void walk_damaged(struct match *m)
{
	struct left xs, ys;
	guint i = 0, j = 0;

	left_over(&xs, m->x, m->of_x, m->to_y);
	left_over(&ys, m->y, m->of_y, m->to_x);
	while (i < xs.places->len && j < ys.places->len) {
		uint32_t x = left_at(&xs, i), y = left_at(&ys, j);
		const struct rda_passage *a = &m->x->packets[x], *b = &m->y->packets[y];
		guint nx = a->hash <= b->hash ? alike_of(&xs, i) : 0;
		guint ny = a->hash >= b->hash ? alike_of(&ys, j) : 0;

		if (nx == 1 && ny == 1 &&
		    (is_damaged_stray(m->to_y, m->x, x) || is_damaged_stray(m->to_x, m->y, y)))
			tie(m, x, y, is_alone(&xs, i) && is_alone(&ys, j));
		i += nx;
		j += ny;
	}
	g_array_free(xs.places, TRUE);
	g_array_free(ys.places, TRUE);
}

static gint compare_times(gconstpointer one, gconstpointer two)
{
	int64_t a = *(const int64_t *)one, b = *(const int64_t *)two;

	return (a > b) - (a < b);
}

/* The median difference of those that are matched. */
static void find_offset(struct match *m)
{
	GArray *differences = g_array_new(FALSE, FALSE, sizeof(int64_t));

	for (uint32_t i = 0; i < m->x->count; i++) {
		int64_t d;

		if (m->to_y[i] == RDA_PASSAGE_NONE)
			continue;
		d = (int64_t)((uint64_t)m->y->packets[m->to_y[i]].time_ns -
			      (uint64_t)m->x->packets[i].time_ns);
		g_array_append_val(differences, d);
	}
	g_array_sort(differences, compare_times);
	if (differences->len)
		m->offset_ns = g_array_index(differences, int64_t, differences->len / 2);
	g_array_free(differences, TRUE);
}

uint32_t rda_passages_match(const struct rda_passages *x, const struct rda_passages *y,
			    uint32_t **to_y, uint32_t **to_x, bool **sure)
{
	bool by_icrc = !x->lacks_icrc && !y->lacks_icrc;
	struct match m = {
		.x = x,
		.y = y,
		.by_icrc = by_icrc,
		.of_x = order_of(x, by_icrc),
		.of_y = order_of(y, by_icrc),
		.to_y = g_new(uint32_t, x->count + 1),
		.to_x = g_new(uint32_t, y->count + 1),
		.sure = g_new0(bool, x->count + 1),
	};

	memset(m.to_y, 0xff, sizeof(uint32_t) * x->count);
	memset(m.to_x, 0xff, sizeof(uint32_t) * y->count);
	walk(&m, true);
	find_offset(&m);
	walk(&m, false);
	if (by_icrc)
		walk_damaged(&m);
	g_free(m.of_x);
	g_free(m.of_y);
	*to_y = m.to_y;
	*to_x = m.to_x;
	if (sure)
		*sure = m.sure;
	else
		g_free(m.sure);
	return m.matched;
}

uint8_t *rda_passages_seen(const uint32_t *match, uint32_t count)
{
	uint8_t *seen = g_new0(uint8_t, count / 8 + 1);

	for (uint32_t i = 0; i < count; i++)
		seen[i / 8] |= (uint8_t)((unsigned)rda_passage_is_matched(match[i]) << i % 8);
	return seen;
}
