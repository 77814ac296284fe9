/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judgements: what the checks found, with the frames that prove it.
 *
 * One finding gathers all cases of one check, at one severity and proof, about one subject (a flow,
 * a connection, a host, a capture): it has their count, the first frames, and the words of the
 * first case unless they are told anew.
 *
 * The weightiest RDA_FINDINGS_MAX are told; which they are is known when they are ranked. Until
 * then four times as many are kept. Where there are more, the lighter half goes: its cases are
 * counted, and what is found of them later is another finding.
 *
 * The words are a sentence of checks.def and its arguments (saying.h). A finding points to nothing
 * outside of itself: rda_finding_copy and rda_finding_cleanup are all that whoever keeps one needs.
 */
#ifndef RDA_FINDING_H
#define RDA_FINDING_H

#include "analyzer/checks/check.h"
#include "analyzer/base/cold.h"
#include "analyzer/base/pack.h"
#include "analyzer/base/table.h"
#include "analyzer/checks/saying.h"

#define RDA_FINDING_FRAMES 16

/* About 300 bytes each, with their words: nobody reads more of them. */
#define RDA_FINDINGS_MAX 100000

/* While they are gathered, of one engine. */
#define RDA_FINDINGS_KEPT (4 * RDA_FINDINGS_MAX)

/* The latest of them stay, however light they are: their cases may still be told. */
#define RDA_FINDINGS_LATEST 64

enum rda_subject_kind {
	RDA_SUBJECT_CAPTURE,
	RDA_SUBJECT_HOST,
	RDA_SUBJECT_FLOW,
	RDA_SUBJECT_CONNECTION,
};

/* What a finding is about. */
struct rda_subject {
	uint32_t kind;	/* enum rda_subject_kind */
	uint32_t index; /* of the capture, the host (rda_host.index), the flow; id of the connection
			 */
};

struct rda_finding_key {
	struct rda_subject subject;
	uint16_t check;
	uint8_t severity, proof;
	uint32_t overall; /* 1: told by what all parts of the captures have (judge.h);
			     RDA_FINDING_RETIRED: of connections that are known no more;
			     RDA_FINDING_HOP and above: of one hop between taps;
			     RDA_FINDING_ELSEWHERE and above: of a host in another, unrelated
			     capture, RDA_FINDING_HOP numbers for each */
};

enum { RDA_FINDING_RETIRED = 2, RDA_FINDING_HOP = 3, RDA_FINDING_ELSEWHERE = 1 << 30 };

/*
 * The frames that are cases of a finding: those that it lists and those behind them, and perhaps
 * all packets of a kind of its direction, or of its host.
 */
enum rda_covers {
	RDA_COVERS_LISTED,
	RDA_COVERS_RESENT,	/* what the direction sent again */
	RDA_COVERS_RESENT_NAK,	/* that of it which a NAK asked for */
	RDA_COVERS_RESENT_LATE, /* that of it which no RNR NAK asked for */
	RDA_COVERS_DAMAGED,	/* what came damaged from the host; of a capture: from hosts of
				   which nothing else came */
};

struct rda_finding {
	struct rda_finding_key key; /* first: the table's key */
	uint8_t severity;	    /* enum rda_severity; may be set when all cases are known */
	uint8_t proof;	      /* enum rda_proof, after what the capture lacks was considered */
	bool withheld;	      /* the capture lacks what the check requires */
	bool lowered;	      /* it would be proven in a fuller capture */
	bool weakened;	      /* severity is one less than it would be (missed.h) */
	bool stands_alone;    /* its frames tell it all: what the capture lacks does not matter */
	uint8_t covers;	      /* enum rda_covers */
	int8_t flow;	      /* 0, 1; -1 none */
	bool explained;	      /* by the finding that cause_check and cause_subject name */
	int32_t connection;   /* id; -1 none */
	uint16_t cause_check; /* valid if explained, and so is cause_subject: any with these */
	uint8_t place_count;  /* as many are allocated as the next power of two tells */
	bool keeps_all;	      /* all places are kept, those behind place_count in `more` */
	uint64_t count;
	int64_t cost_ns;  /* time that it cost, as far as the check knows: what ranks it */
	uint64_t *places; /* owned; RDA_FINDING_FRAMES at most; meta.h */
	uint64_t *more;	  /* owned; places, one of which may be there twice */
	uint32_t more_count, more_allocated;
	/* cases that deviate alike (rda_finding_repeats): how, which the latest was, how many */
	uint32_t deviation, deviation_in, alike;
	struct rda_said *said; /* owned; NULL: nothing yet */
	struct rda_subject cause_subject;
	uint32_t cause_overall; /* rda_finding_key.overall of the cause; 0: any up to 1 */
	int32_t explained_by;	/* its index once findings are ranked; -1 none of them */
	int32_t rank;		/* its own index among them; -1: it is not told */
};

struct rda_findings {
	struct rda_table table; /* struct rda_finding, in order of the first case */
	uint32_t most;		/* that are kept until they are ranked */
	uint64_t not_kept;	/* cases of those that were not */
	uint64_t not_told; /* after rda_findings_rank: with those, cases of those past the most */
	struct rda_finding **dropped; /* owned: not kept, but whoever adds may still use them */
	uint32_t dropped_count;
	uint32_t overall; /* rda_finding_key.overall of those that are added from now on */
	bool keep_all;	  /* findings made from now on keep all their frames */
	struct rda_finding *
		*ranked; /* owned; after rda_findings_rank: those to tell, weightiest first
			  */
	uint32_t ranked_count;
};

void rda_findings_init(struct rda_findings *findings, uint64_t hash_seed);
void rda_findings_cleanup(struct rda_findings *findings);

/* New indices, where parts become one or idle connections go (RDA_GONE); NULL: they stay. */
struct rda_moved {
	const uint32_t *flows, *connections, *hosts, *conversations;
};

/* Where it is now; false: it is no more, and its index is RDA_GONE. Captures stay. */
bool rda_subject_move(struct rda_subject *subject, const struct rda_moved *moved);

/* A finding from elsewhere, under another key: its own, or joined with what has that key. */
void rda_findings_take(struct rda_findings *findings, const struct rda_finding_key *key,
		       const struct rda_finding *from);

/* The same of one that is spent: what it owns goes with it. */
void rda_findings_take_over(struct rda_findings *findings, const struct rda_finding_key *key,
			    struct rda_finding *from);

/* So many places are allocated for `places` of them. */
unsigned rda_finding_room(unsigned places);

/* Room for one more: where there are as many as are kept, the lighter half goes. */
RDA_COLD void rda_findings_make_room(struct rda_findings *findings);

/*
 * Each is given to `move`, which may change it and its key; those of one key then are one. False:
 * it goes.
 */
void rda_findings_move(struct rda_findings *findings,
		       bool (*move)(struct rda_finding *finding, void *context), void *context);

/*
 * Cases of one key: the words are those of whose first frame is earlier, with its numbers; count
 * and cost are of both, and what one is not sure of neither is. Of one that is withheld nothing is
 * told: where one of the two is, the other stays alone.
 */
void rda_finding_join(struct rda_finding *to, const struct rda_finding *from);

/* All of `from`, unranked, with words of their own; `findings` is not initialised before. */
void rda_findings_copy(struct rda_findings *findings, const struct rda_findings *from);

/* All but what is ranked and what was dropped; read into ones that are initialised. */
void rda_findings_pack(struct rda_pack *pack, struct rda_findings *findings);

/*
 * One more case, at the severity and proof that the check has as a rule, at another proof, or at
 * both others. `place` is its frame (meta.h), or 0. Not NULL.
 */
RDA_COLD struct rda_finding *rda_finding_add(struct rda_findings *findings, enum rda_check check,
					     struct rda_subject subject, uint64_t place);
RDA_COLD struct rda_finding *rda_finding_add_proof(struct rda_findings *findings,
						   enum rda_check check, enum rda_proof proof,
						   struct rda_subject subject, uint64_t place);
RDA_COLD struct rda_finding *rda_finding_add_as(struct rda_findings *findings, enum rda_check check,
						enum rda_severity severity, enum rda_proof proof,
						struct rda_subject subject, uint64_t place);

/* What was found so far of a check at its own severity and proof, or at others; or NULL. */
struct rda_finding *rda_finding_find(const struct rda_findings *findings, enum rda_check check,
				     struct rda_subject subject);
struct rda_finding *rda_finding_find_as(const struct rda_findings *findings, enum rda_check check,
					enum rda_severity severity, enum rda_proof proof,
					struct rda_subject subject);

/*
 * One more frame that belongs to it: listed as long as there is room, once; behind that it is kept
 * where all are kept, 8 bytes each.
 */
RDA_COLD void rda_finding_frame(struct rda_finding *finding, uint64_t place);

/*
 * Its words: those of the first case stay (say), or are replaced (retell).
 *
 *     rda_finding_say(finding, RDA_SAY_F12_NO_PAYLOAD, RDA_ARG_WORD("opcode", name),
 * RDA_ARG_PSN("psn", psn));
 */
#define rda_finding_say(finding, saying, ...)                                                      \
	rda_finding_say_all((finding), (saying),                                                   \
			    (const struct rda_argument[]){__VA_ARGS__, RDA_ARG_END})
#define rda_finding_retell(finding, saying, ...)                                                   \
	rda_finding_retell_all((finding), (saying),                                                \
			       (const struct rda_argument[]){__VA_ARGS__, RDA_ARG_END})
/* What is said behind what was said before, if anything was. */
#define rda_finding_say_more(finding, saying, ...)                                                 \
	rda_finding_say_more_all((finding), (saying),                                              \
				 (const struct rda_argument[]){__VA_ARGS__, RDA_ARG_END})
RDA_COLD void rda_finding_say_all(struct rda_finding *finding, enum rda_saying saying,
				  const struct rda_argument *arguments);
RDA_COLD void rda_finding_retell_all(struct rda_finding *finding, enum rda_saying saying,
				     const struct rda_argument *arguments);
RDA_COLD void rda_finding_say_more_all(struct rda_finding *finding, enum rda_saying saying,
				       const struct rda_argument *arguments);
/* The argument of that name of its words; or NULL. */
struct rda_argument *rda_finding_find_argument(const struct rda_finding *finding, const char *name);

/* Changes a flag of its words, if they have one of that name. */
void rda_finding_set_flag(struct rda_finding *finding, const char *name, bool value);
static inline bool rda_finding_is_said(const struct rda_finding *finding)
{
	return finding->said != NULL;
}

/*
 * All that a check has found of the subject turned out to be nothing, at whatever severity and
 * proof: what is found from now on has words and frames of its own. Without a case it is not told.
 */
void rda_findings_take_back(struct rda_findings *findings, enum rda_check check,
			    struct rda_subject subject);

/* `effect` is there because of what the check found of the subject, if that is told. */
RDA_COLD void rda_finding_explain(struct rda_finding *effect, enum rda_check check,
				  struct rda_subject subject);

/* The same of one finding, where the check has several of a subject (RDA_FINDING_HOP). */
void rda_finding_explain_by(struct rda_finding *effect, const struct rda_finding *cause);

/* A copy in `to`, which was no finding; and the end of one. */
void rda_finding_copy(struct rda_finding *to, const struct rda_finding *from);
void rda_finding_cleanup(struct rda_finding *finding);

/* Sorts those that are not withheld: severity, weight (errors by proof, then cost; others by cost,
 * then proof), count, code, subject. */
void rda_findings_rank(struct rda_findings *findings);

#endif
