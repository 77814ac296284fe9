/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How well a host's next memory key, QPN or starting PSN could be guessed from those it gave out
 * before: entropies of the numbers and of the steps between them, in order of first use. They say
 * what the numbers look like, and not how they are made.
 *
 *     0x57d 0x84e 0xae1 0xc3c 0xe56      steps 0x2d1 0x293 0x15b 0x21a     all different
 *     0x10  0x11  0x12  0x13  0x14       steps 1 1 1 1                     0 bits: the next is 0x15
 */
#include "analyzer/checks/keys/state.h"

#include "analyzer/base/assert.h"

#include <glib.h>
#include <stdlib.h>

/* Fewer numbers say nothing about how they are made. */
enum { KEYS_ENOUGH = 16, NUMBERS_ENOUGH = 8 };

/* Keys that are looked at: the entropy of more is no better known. */
enum { KEYS_LOOKED_AT = 65536 };

/* Less entropy than this (in 1/100 bit), and a few guesses are enough. */
enum { LOW_ENTROPY = 200 };

/* Retransmitted messages follow closely. */
enum { REPEATS_LOOKED_AT = 8 };

/* ---- statistics ------------------------------------------------------------------------------ */

/* 65536 * log2(number); number > 0. Bit by bit: squaring doubles the logarithm. */
static uint64_t log2_of(uint32_t number)
{
	uint32_t whole = 31;
	uint64_t x, fraction = 0;

	while (!(number >> whole))
		whole--;
	x = ((uint64_t)number << 31) >> whole; /* 1.0 is 2^31 */
	for (uint32_t bit = 0x8000; bit; bit >>= 1) {
		x = x * x >> 31;
		if (x >> 32) {
			fraction |= bit;
			x >>= 1;
		}
	}
	return (uint64_t)whole << 16 | fraction;
}

struct spread {
	uint32_t entropy; /* 1/100 bit */
	uint32_t most;	  /* the most frequent number, the least of several */
	uint32_t times;
};

static int compare_numbers(const void *a, const void *b)
{
	uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;

	return one < two ? -1 : one > two;
}

/* Of so many numbers, at least one, which it sorts. H = log2(n) - sum(c log2(c)) / n, c the times
 * of each. */
static struct spread spread_of(uint32_t *numbers, uint32_t count)
{
	struct spread spread = {0};
	uint64_t sum = 0;
	uint32_t run = 0;

	RDA_ASSERT(count > 0);
	qsort(numbers, count, sizeof(*numbers), compare_numbers);
	for (uint32_t i = 0; i < count; i++) {
		run++;
		if (i + 1 < count && numbers[i + 1] == numbers[i])
			continue;
		sum += run * log2_of(run);
		if (run > spread.times) {
			spread.times = run;
			spread.most = numbers[i];
		}
		run = 0;
	}
	spread.entropy = (uint32_t)((log2_of(count) - sum / count) * 100 >> 16);
	return spread;
}

/* The numbers' own spread, and that of the steps from one to the next; `numbers` are sorted. */
static void spreads_of(uint32_t *numbers, uint32_t count, uint32_t mask, struct spread *own,
		       struct spread *steps)
{
	uint32_t *differences = g_new(uint32_t, count);

	for (uint32_t i = 0; i + 1 < count; i++)
		differences[i] = (numbers[i + 1] - numbers[i]) & mask;
	*steps = spread_of(differences, count - 1);
	*own = spread_of(numbers, count);
	g_free(differences);
}

/* ---- memory keys ----------------------------------------------------------------------------- */

/* K10 */
static void key_predictability(struct rda_judge *judge, uint32_t host)
{
	uint32_t given, count = 0, *keys, *low;
	const struct rda_memory_key *first = rda_key_ledger_of(judge->key_ledger, host, &given);
	struct spread own, steps, low_byte;

	if (given < KEYS_ENOUGH)
		return;
	keys = g_new(uint32_t, given);
	for (const struct rda_memory_key *key = first; key && count < KEYS_LOOKED_AT;
	     key = key->next)
		if (key->id.tap == first->id.tap && key->worked->place)
			keys[count++] = key->id.key;
	low = g_new(uint32_t, count + 1);
	for (uint32_t i = 0; i < count; i++)
		low[i] = keys[i] & 0xff;
	if (count >= KEYS_ENOUGH) {
		spreads_of(keys, count, UINT32_MAX, &own, &steps);
		low_byte = spread_of(low, count);
		if (steps.entropy < LOW_ENTROPY || 2 * steps.times >= count ||
		    low_byte.entropy < LOW_ENTROPY)
			rda_finding_say(rda_finding_add(&judge->findings, RDA_CHECK_K10,
							rda_key_host_of(host), first->first_place),
					RDA_SAY_K10_ENTROPY, RDA_ARG_NUMBER("keys", count),
					RDA_ARG_ADDRESS("host", rda_judge_address(judge, host)),
					RDA_ARG_DECIMAL("step_entropy", steps.entropy, 2),
					RDA_ARG_HEX("step", steps.most, 1),
					RDA_ARG_NUMBER("most", steps.times),
					RDA_ARG_NUMBER("steps", count - 1),
					RDA_ARG_DECIMAL("low_byte_entropy", low_byte.entropy, 2));
	}
	g_free(low);
	g_free(keys);
}

/* ---- QPNs and starting PSNs ------------------------------------------------------------------ */

static void note_number(struct rda_key_host *host, uint64_t place, uint32_t qpn, uint32_t psn)
{
	uint32_t looked = 0;

	for (uint32_t i = host->number_count; i > 0 && looked < REPEATS_LOOKED_AT; i--, looked++)
		if (host->numbers[i - 1].qpn == qpn && host->numbers[i - 1].psn == psn)
			return;
	if (host->number_count == RDA_KEY_NUMBERS_MAX) {
		host->more_numbers = true;
		return;
	}
	if (host->number_count == host->numbers_allocated) {
		host->numbers_allocated = MAX(8, 2 * host->numbers_allocated);
		host->numbers =
			g_renew(struct rda_key_number, host->numbers, host->numbers_allocated);
	}
	if (!host->number_count)
		host->number_place = place;
	host->numbers[host->number_count++] = (struct rda_key_number){qpn, psn};
}

void rda_keys_guess_number(const struct rda_key_case *c)
{
	note_number(rda_table_get(&c->judge->keys->hosts, &c->event->requester, NULL),
		    c->event->place, c->event->key, c->event->other);
}

/* K22 */
static void qpn_psn_predictability(struct rda_judge *judge, const struct rda_key_host *watched)
{
	uint32_t count = watched->number_count;
	uint32_t *qpns = g_new(uint32_t, count), *psns = g_new(uint32_t, count);
	struct spread own, qpn_steps, own_psns, psn_steps;

	for (uint32_t i = 0; i < count; i++) {
		qpns[i] = watched->numbers[i].qpn;
		psns[i] = watched->numbers[i].psn;
	}
	spreads_of(qpns, count, 0xffffff, &own, &qpn_steps);
	spreads_of(psns, count, 0xffffff, &own_psns, &psn_steps);
	if (2 * qpn_steps.times >= count || 2 * own_psns.times >= count ||
	    2 * psn_steps.times >= count)
		rda_finding_say(
			rda_finding_add(&judge->findings, RDA_CHECK_K22,
					rda_key_host_of(watched->host), watched->number_place),
			RDA_SAY_K22_STEPS,
			RDA_ARG_IF(watched->more_numbers, RDA_ARG_FLAG("first", true)),
			RDA_ARG_NUMBER("connections", count),
			RDA_ARG_ADDRESS("host", rda_judge_address(judge, watched->host)),
			RDA_ARG_NUMBER("step", qpn_steps.most),
			RDA_ARG_NUMBER("most", qpn_steps.times), RDA_ARG_NUMBER("steps", count - 1),
			RDA_ARG_DECIMAL("psn_entropy", own_psns.entropy, 2),
			RDA_ARG_DECIMAL("most_entropy", (int64_t)(log2_of(count) * 100 >> 16), 2));
	g_free(qpns);
	g_free(psns);
}

void rda_keys_guess_end(struct rda_judge *judge)
{
	const struct rda_table *hosts = &judge->keys->hosts;

	for (uint32_t i = 0; i < rda_key_ledger_hosts(judge->key_ledger); i++)
		key_predictability(judge, i);
	for (uint32_t i = 0; i < hosts->count; i++) {
		const struct rda_key_host *host = hosts->items[i];

		if (host->number_count >= NUMBERS_ENOUGH)
			qpn_psn_predictability(judge, host);
	}
}
