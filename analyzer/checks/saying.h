/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a finding says: a sentence of checks.def, and the arguments that the check gave for it. The
 * sentence is made where it is printed.
 *
 * A template is text with
 *
 *     {psn}                       an argument, written by its type
 *     {a opcode} {A opcode}       a word behind its article: "a SEND", "An ATOMIC"
 *     {packets|packet|packets}    one of two texts by a number: the first where it is 1
 *     {counted?is so|is not so}   one of two texts by a flag; without "|" nothing where it is false
 *     {marked%packets}            one number in per cent of another
 *     {gap_ns/1000000}            a number divided
 *     {least_ns~most_ns}          "20 ms to 1.2 s"; or one of them, when both are written alike
 *     [, {psn} among them]        nothing where an argument in it was not given
 *     [{naks} by NAK|{timers} by timer]    those of several whose arguments were given, with ", "
 * between them; behind [& with " and "
 *     <{psn} is|no PSN is>        the first of several whose arguments were given
 *
 * and in these texts the same again. Names are the ones that the JSON has under `arguments`: a time
 * span ends in _ns there.
 */
#ifndef RDA_SAYING_H
#define RDA_SAYING_H

#include "analyzer/base/pack.h"
#include "analyzer/rda.h"
#include "analyzer/checks/check.h"
#include "dissectors/packet.h"

/* the sentences, by code and id: RDA_SAY_F12_NO_PAYLOAD */
enum rda_saying {
#define RDA_C(...)
#define RDA_S(CODE, ID, ...) RDA_SAY_##CODE##_##ID,
	RDA_CHECKS(RDA_C, RDA_S)
#undef RDA_S
#undef RDA_C
		RDA_SAYING_COUNT
};

struct rda_saying_row {
	uint16_t check; /* enum rda_check */
	const char *words;
	const char *advice; /* of this case, instead of the check's meaning and advice; or NULL */
};

const struct rda_saying_row *rda_saying_row(enum rda_saying saying);

/* what an argument can be, by id: RDA_PHRASE_NOT_ENDED */
enum rda_phrase {
	RDA_PHRASE_NONE,
#define RDA_X(ID, name, words) RDA_PHRASE_##ID,
	RDA_PHRASES(RDA_X)
#undef RDA_X
};

/* Its name, for machines. */
const char *rda_phrase_name(enum rda_phrase phrase);

/* ---- arguments ------------------------------------------------------------------------------- */

struct rda_argument {
	const char *name; /* a literal */
	uint8_t type;	  /* enum rda_argument_type */
	uint8_t digits;
	union {
		uint64_t number;      /* NUMBER, RATE, HEX, MAC, PHRASE; FLAG: 0 or 1 */
		int64_t integer;      /* SIGNED, DECIMAL, TIME, MOMENT */
		uint64_t place;	      /* FRAME: meta.h */
		const char *text;     /* WORD: a literal; TEXT: of the caller */
		const uint8_t *bytes; /* of the caller */
		const struct rda_address *address; /* of the caller */
		size_t offset; /* TEXT, BYTES, ADDRESS in struct rda_said: behind the arguments */
	};
};

#define RDA_ARG_END ((struct rda_argument){.type = RDA_ARGUMENT_END})
#define RDA_ARG_(name, type, member, value)                                                        \
	((struct rda_argument){(name), RDA_ARGUMENT_##type, 0, {.member = (value)}})
#define RDA_ARG_NUMBER(name, value)  RDA_ARG_(name, NUMBER, number, value)
#define RDA_ARG_SIGNED(name, value)  RDA_ARG_(name, SIGNED, integer, value)
#define RDA_ARG_PSN(name, value)     RDA_ARG_(name, NUMBER, number, (value)&0xffffff)
#define RDA_ARG_TIME(name, ns)	     RDA_ARG_(name, TIME, integer, ns)
#define RDA_ARG_MOMENT(name, ns)     RDA_ARG_(name, MOMENT, integer, ns)
#define RDA_ARG_RATE(name, bits)     RDA_ARG_(name, RATE, number, bits)
#define RDA_ARG_FRAME(name, value)   RDA_ARG_(name, FRAME, place, value)
#define RDA_ARG_ADDRESS(name, value) RDA_ARG_(name, ADDRESS, address, value)
#define RDA_ARG_MAC(name, value)     RDA_ARG_(name, MAC, number, value)
#define RDA_ARG_PHRASE(name, value)  RDA_ARG_(name, PHRASE, number, value)
#define RDA_ARG_WORD(name, value)    RDA_ARG_(name, WORD, text, value)
#define RDA_ARG_TEXT(name, value)    RDA_ARG_(name, TEXT, text, value)
#define RDA_ARG_FLAG(name, value)    RDA_ARG_(name, FLAG, number, (value) ? 1 : 0)
#define RDA_ARG_HEX(name, value, digits)                                                           \
	((struct rda_argument){(name), RDA_ARGUMENT_HEX, (digits), {.number = (value)}})
#define RDA_ARG_BYTES(name, value, count)                                                          \
	((struct rda_argument){(name), RDA_ARGUMENT_BYTES, (uint8_t)(count), {.bytes = (value)}})
#define RDA_ARG_DECIMAL(name, value, digits)                                                       \
	((struct rda_argument){(name), RDA_ARGUMENT_DECIMAL, (digits), {.integer = (value)}})
#define RDA_ARG_KEY(name, value)    RDA_ARG_HEX(name, value, 8)
#define RDA_ARG_QPN(name, value)    RDA_ARG_HEX(name, value, 6)
#define RDA_ARG_MEMORY(name, value) RDA_ARG_HEX(name, value, 1)

/* An argument that is given only where a condition holds; and none. A text of NULL is none either.
 */
#define RDA_ARG_IF(condition, argument) ((condition) ? (argument) : RDA_ARG_NONE)
#define RDA_ARG_NONE			((struct rda_argument){.type = RDA_ARGUMENT_NONE})

/* ---- what is said ---------------------------------------------------------------------------- */

#define RDA_SAID_SENTENCES 5

/* One block without pointers into itself: copied by rda_said_copy, freed by g_free. */
struct rda_said {
	uint32_t bytes;			      /* of all of it */
	uint16_t sayings[RDA_SAID_SENTENCES]; /* enum rda_saying; they share the arguments */
	uint8_t saying_count;
	uint8_t count;
	struct rda_argument arguments[]; /* the given ones; texts and addresses follow */
};

/* `arguments` ends with an RDA_ARGUMENT_END. */
struct rda_said *rda_said_new(enum rda_saying saying, const struct rda_argument *arguments);

/* The same and one more sentence with more arguments, as far as there is room. */
struct rda_said *rda_said_more(const struct rda_said *said, enum rda_saying saying,
			       const struct rda_argument *arguments);
struct rda_said *rda_said_copy(const struct rda_said *said);

/* NULL stays NULL. */
void rda_said_pack(struct rda_pack *pack, struct rda_said **said);

/* Of a WORD or TEXT, of BYTES, of an ADDRESS. */
const char *rda_said_text(const struct rda_said *said, const struct rda_argument *argument);
const uint8_t *rda_said_bytes(const struct rda_said *said, const struct rda_argument *argument);
const struct rda_address *rda_said_address(const struct rda_said *said,
					   const struct rda_argument *argument);

/*
 * The sentences with a space between them, to be freed. An argument that the template names outside
 * of brackets and the check did not give is written as its name in braces: the tests look for
 * those.
 */
char *rda_said_sentence(const struct rda_said *said);

/* The same with another template. */
char *rda_said_fill(const char *words, const struct rda_said *said);

#endif
