/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dialogs, told; see dialog.h.
 */
#include "tests/unit/dialog.h"

#include "tests/unit/said.h"
#include "tests/unit/suite.h"

#include <glib.h>
#include <stdlib.h>

enum { ASKER = 1, RESPONDER = 2, OTHER = 3, ASKER_QP = 0x11, RESPONDER_QP = 0x22 };
enum { MS = 1000000, US = 1000, CREDITS_NONE = 31, RNR_CODE = 14 };

struct telling {
	struct rda_feed *feed;
	uint32_t zero;	/* the PSN that stands for 0 */
	int64_t first;	/* the first that was asked, from 0; -1 none yet */
	uint8_t credit; /* code */
	unsigned code;	/* the hex number before the PSN */
};

/* A word: N, A-B, N/MSN, N=VALUE, N=VALUE:VALUE */
struct word {
	int64_t low, high, msn;
	uint64_t value, second;
};

static struct word read_word(const char *text)
{
	struct word word = {.msn = -1};
	char *end;

	word.low = word.high = strtoll(text, &end, 10);
	if (*end == '-')
		word.high = strtoll(end + 1, &end, 10);
	if (*end == '/')
		word.msn = strtoll(end + 1, &end, 10);
	if (*end == '=')
		word.value = strtoull(end + 1, &end, 10);
	if (*end == ':')
		word.second = strtoull(end + 1, &end, 10);
	ck_assert_msg(*end == '\0', "what is %s?", text);
	return word;
}

/* RDA_ASKED(A): A("verb", opcode, bytes of its RETH or AtomicETH) */
#define RDA_ASKED(A)                                                                               \
	A("send", RC, SEND_ONLY, 0)                                                                \
	A("first", RC, SEND_FIRST, 0)                                                              \
	A("middle", RC, SEND_MIDDLE, 0)                                                            \
	A("last", RC, SEND_LAST, 0)                                                                \
	A("write", RC, WRITE_ONLY, 16)                                                             \
	A("put", RC, WRITE_ONLY, 16)                                                               \
	A("inv", RC, SEND_ONLY_INV, 4)                                                             \
	A("read", RC, READ_REQUEST, 16)                                                            \
	A("flush", RC, FLUSH, 20)                                                                  \
	A("faa", RC, FETCH_ADD, 28)                                                                \
	A("cas", RC, COMPARE_SWAP, 28)

static struct rda_extended header_of(const char *verb, uint32_t bytes, const struct word *word)
{
	struct rda_extended header = rda_reth(0x1000, 0x77, 8);
	struct rda_build b = {0};

	header.length = MIN(bytes, header.length);
	if (strcmp(verb, "write") == 0)
		return rda_reth(0x9000, 0x77, 8);
	if (bytes == 20) { /* FETH and RETH */
		rda_put32(&b, 1);
		rda_put64(&b, 0x1000);
		rda_put32(&b, 0x77);
		rda_put32(&b, 8);
	} else if (bytes == 28) {
		rda_put64(&b, 0x1000);
		rda_put32(&b, 0x77);
		rda_put64(&b, strcmp(verb, "cas") == 0 ? word->second : word->value);
		rda_put64(&b, word->value);
	} else {
		return header;
	}
	header.length = b.length;
	memcpy(header.bytes, b.bytes, b.length);
	return header;
}

static bool ask(struct telling *t, const char *verb, const struct word *word)
{
	static const struct {
		const char *verb;
		uint8_t opcode;
		uint32_t bytes;
	} asked[] = {
#define RDA_A(verb, transport, operation, bytes) {verb, RDA_OPCODE(transport, operation), bytes},
		RDA_ASKED(RDA_A)
#undef RDA_A
	};

	for (unsigned i = 0; i < RDA_COUNT(asked); i++) {
		struct rda_extended header = header_of(verb, asked[i].bytes, word);

		if (strcmp(asked[i].verb, verb) != 0)
			continue;
		if (t->first < 0)
			t->first = word->low;
		for (int64_t n = word->low; n <= word->high; n++) {
			struct rda_recipe recipe =
				rda_with(rda_packet_of(ASKER, RESPONDER, RESPONDER_QP,
						       asked[i].opcode, t->zero + (uint32_t)n),
					 &header);

			recipe.ack_req = true;
			if (asked[i].opcode == RDA_OPCODE(RC, WRITE_ONLY))
				recipe.payload = (const uint8_t *)"12345678",
				recipe.payload_length = 8;
			rda_feed(t->feed, &recipe);
		}
		return true;
	}
	return false;
}

static void answer(struct telling *t, uint8_t opcode, uint8_t syndrome, const struct word *word,
		   bool result)
{
	bool positive = syndrome < 0x20;

	for (int64_t n = word->low; n <= word->high; n++) {
		int64_t msn = word->msn >= 0 ? word->msn : n - t->first + positive;
		struct rda_extended header = rda_aeth(syndrome, (uint32_t)(t->zero + msn));
		struct rda_recipe recipe;

		if (result)
			for (unsigned i = 0; i < 8; i++)
				header.bytes[header.length++] =
					(uint8_t)(word->value >> (56 - 8 * i));
		recipe = rda_with(
			rda_packet_of(RESPONDER, ASKER, ASKER_QP, opcode, t->zero + (uint32_t)n),
			&header);
		rda_feed(t->feed, &recipe);
	}
}

static void reply(struct telling *t, const char *verb, const struct word *word)
{
	uint8_t ack = RDA_OPCODE(RC, ACKNOWLEDGE);

	if (strcmp(verb, "ack") == 0)
		answer(t, ack, CREDITS_NONE, word, false);
	else if (strcmp(verb, "nak") == 0)
		answer(t, ack, 0x60, word, false);
	else if (strcmp(verb, "rnr") == 0)
		answer(t, ack, 0x20 | RNR_CODE, word, false);
	else if (strcmp(verb, "fatal") == 0 || strcmp(verb, "syndrome") == 0 ||
		 strcmp(verb, "credits") == 0)
		answer(t, ack, (uint8_t)t->code, word, false);
	else if (strcmp(verb, "response") == 0)
		answer(t, RDA_OPCODE(RC, READ_RESPONSE_ONLY), CREDITS_NONE, word, false);
	else if (strcmp(verb, "result") == 0)
		answer(t, RDA_OPCODE(RC, ATOMIC_ACKNOWLEDGE), CREDITS_NONE, word, true);
	else
		ck_abort_msg("what is %s?", verb);
}

static char **connect(struct telling *t, char **words)
{
	struct rda_cm_message req = {.from = ASKER,
				     .to = RESPONDER,
				     .attribute = 0x10,
				     .local_id = 1,
				     .qpn = ASKER_QP,
				     .path_mtu = 3};
	struct rda_cm_message rep = {.from = RESPONDER,
				     .to = ASKER,
				     .attribute = 0x13,
				     .local_id = 2,
				     .remote_id = 1,
				     .qpn = RESPONDER_QP};

	req.retry_count = (uint8_t)atoi(words[1]);
	rep.rnr_retry_count = (uint8_t)atoi(words[2]);
	req.depth = rep.resources = (uint8_t)atoi(words[3]);
	rda_feed_cm(t->feed, &req);
	rda_feed_cm(t->feed, &rep);
	return words + 3;
}

static void say(struct telling *t, const char *verb, const char *text)
{
	struct word word = read_word(text);

	if (!ask(t, verb, &word))
		reply(t, verb, &word);
}

void rda_dialog_tell(struct rda_feed *feed, const char *script, uint32_t first)
{
	char **all = g_strsplit(script, " ", -1), **words = all;
	struct telling telling = {.feed = feed, .zero = first, .first = -1}, *t = &telling;
	const char *verb = "";

	rda_feed_begin(feed);
	for (; *words; words++) {
		if (strcmp(*words, "cm") == 0) {
			words = connect(t, words);
		} else if (strcmp(*words, "other") == 0) {
			rda_feed_datagram(feed, OTHER, OTHER + 1, 5, 6);
		} else if (strcmp(*words, "wait") == 0) {
			feed->meta.time_ns += strtoll(*++words, NULL, 10) * MS;
		} else if (strcmp(*words, "us") == 0) {
			feed->meta.time_ns += strtoll(*++words, NULL, 10) * US;
		} else if (g_ascii_isdigit(**words)) {
			say(t, verb, *words);
		} else {
			verb = *words;
			if (strcmp(verb, "fatal") == 0 || strcmp(verb, "syndrome") == 0 ||
			    strcmp(verb, "credits") == 0)
				t->code = (unsigned)strtoul(*++words, NULL, 16);
		}
	}
	g_strfreev(all);
	rda_engine_finish(feed->engine);
}

static int by_code(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *found(const struct rda_feed *feed)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	char *text;

	for (unsigned i = 0; i < rda_engine_finding_count(feed->engine); i++) {
		const struct rda_finding *f = rda_engine_finding(feed->engine, i);
		const char *code = rda_check_row(f->key.check)->code;

		if (*code != 'A' && strcmp(code, "M09") != 0)
			continue;
		rda_said_by(f);
		g_ptr_array_add(words,
				g_strdup_printf("%s%c%c%u", code, rda_severity_name(f->severity)[0],
						f->proof == RDA_PROOF_PROVEN ? '!' : '?',
						(unsigned)f->count));
	}
	g_ptr_array_sort(words, by_code);
	g_ptr_array_add(words, NULL);
	text = g_strjoinv(" ", (char **)words->pdata);
	g_ptr_array_free(words, TRUE);
	return text;
}

void rda_dialogs_check(const struct rda_dialog *dialogs, unsigned count)
{
	static const uint32_t firsts[] = {0, 0x7ffff0, 0xfffff0, 0xfffff4, 0xfffff5, 0xfffff6};

	for (unsigned i = 0; i < count; i++) {
		for (unsigned k = 0; k < RDA_COUNT(firsts); k++) {
			struct rda_feed feed;
			char *text;

			rda_dialog_tell(&feed, dialogs[i].script, firsts[k]);
			text = found(&feed);
			ck_assert_msg(strcmp(text, dialogs[i].found) == 0,
				      "\"%s\" at PSN 0x%x: found \"%s\", not \"%s\"",
				      dialogs[i].script, (unsigned)firsts[k], text,
				      dialogs[i].found);
			g_free(text);
			rda_feed_end(&feed);
		}
	}
}
