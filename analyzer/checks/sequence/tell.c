/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * S01-S05, S15, S16: the sentences, with the sums of a whole direction; check_sequence_loss.c found
 * the cases.
 */
#include "analyzer/checks/sequence/loss.h"
#include "analyzer/base/words.h"

#include <glib.h>
#include <inttypes.h>

/* S15: resends in percent of the request packets, of so many at least; sends of one packet. */
enum { STORM_PERCENT = 10, STORM_PACKETS = 100, STORM_SENDS = 4 };

/* S16: packets sent again for each that was lost. */
enum { AMPLIFICATION = 2 };

/* One direction of a connection, at the end. */
struct telling {
	struct rda_judge *judge;
	const struct rda_flow *flow;
	const struct rda_losses *losses;
	const struct rda_request_counts *counts;
	uint64_t resent; /* packets */
	bool told;	 /* a warning tells why something was sent again */
};

static struct rda_finding *found(const struct telling *t, enum rda_check check)
{
	return rda_found(&t->judge->findings, check, rda_about_flow(t->flow));
}

static void append_times(GString *to, int64_t least, int64_t most)
{
	char one[RDA_WORDS_TEXT], two[RDA_WORDS_TEXT];

	if (least == most)
		g_string_append(to, rda_words_time(one, most));
	else
		g_string_append_printf(to, "%s to %s", rda_words_time(one, least),
				       rda_words_time(two, most));
}

/* "once", "7 times" */
static void append_often(GString *to, uint64_t times)
{
	if (times == 1)
		g_string_append(to, "once");
	else
		g_string_append_printf(to, "%" PRIu64 " times", times);
}

static void retell(struct rda_finding *finding, GString *text)
{
	rda_retell(finding, "%s", text->str);
	g_string_free(text, TRUE);
}

/* How long the connection was seen. */
static int64_t time_of(const struct telling *t)
{
	const struct rda_flow *flow = t->flow, *peer = flow->peer ? flow->peer : flow;

	return MAX(flow->last_time_ns, peer->last_time_ns) -
	       MIN(flow->first_time_ns, peer->first_time_ns);
}

/* What the recovery from losses took, of the time that the direction was busy. */
static void append_recovery(const struct telling *t, GString *to, const struct rda_run_sum *sum)
{
	char one[RDA_WORDS_TEXT], two[RDA_WORDS_TEXT];

	if (!sum->runs)
		return;
	g_string_append_printf(to, ", in %" PRIu64 " episode%s; recovery took %s of %s", sum->runs,
			       rda_words_plural(sum->runs), rda_words_time(one, sum->cost_ns),
			       rda_words_time(two, time_of(t)));
	if (sum->unanswered) {
		g_string_append(to, ", and did not succeed ");
		append_often(to, sum->unanswered);
	}
}

static void packets_lost(struct telling *t)
{
	const struct rda_losses *losses = t->losses;
	const struct rda_run_sum *sum = &losses->by_verdict[RDA_VERDICT_BEFORE];
	struct rda_finding *finding = found(t, RDA_CHECK_S01);
	GString *text;

	if (!finding)
		return;
	t->told = true;
	text = g_string_new(NULL);
	if (losses->lost_before) {
		g_string_append_printf(text,
				       "%" PRIu64 " packet%s %s lost before this capture point",
				       losses->lost_before, rda_words_plural(losses->lost_before),
				       rda_words_was(losses->lost_before));
		append_recovery(t, text, sum);
		g_string_append_c(text, '.');
		finding->cost_ns = sum->cost_ns;
	}
	if (losses->responses_before)
		g_string_append_printf(text,
				       "%s%" PRIu64 " READ response%s %s lost before this capture "
				       "point, and asked for again.",
				       text->len ? " " : "", losses->responses_before,
				       rda_words_plural(losses->responses_before),
				       rda_words_was(losses->responses_before));
	retell(finding, text);
}

/* S01, a suspicion: a NAK or a resend tells that it was sent, and no acknowledgment that it came.
 */
static void packets_missing_at_the_end(struct telling *t)
{
	struct rda_finding *finding;
	uint64_t count, place;

	if (!t->flow->account || !t->losses->gap_count)
		return;
	count = rda_account_missing(t->flow->account, &place);
	if (!count)
		return;
	finding = rda_find_as(&t->judge->findings, RDA_CHECK_S01, RDA_SEVERITY_WARNING,
			      RDA_PROOF_SUSPECTED, rda_about_flow(t->flow), place);
	finding->count += count - 1;
	rda_say(finding,
		"%" PRIu64
		" packet%s %s missing when the capture ends, and a NAK or a resend tells "
		"of them: lost before this capture point, as it seems.",
		count, rda_words_plural(count), rda_words_was(count));
	t->told = true;
}

static void append_runs(const struct telling *t, GString *to)
{
	static const char *const words[] = {
#define RDA_T(ID, name, words) words,
		RDA_TRIGGERS(RDA_T)
#undef RDA_T
	};
	const char *between = "";

	for (unsigned i = 0; i < RDA_TRIGGER_COUNT; i++) {
		uint64_t runs = t->counts->resends[i];

		if (!runs)
			continue;
		g_string_append(to, between);
		append_often(to, runs);
		g_string_append_printf(to, " %s", words[i]);
		between = ", ";
	}
}

/* S02, the warning: what was here, and did not arrive. */
static void lost_behind(struct telling *t)
{
	const struct rda_losses *losses = t->losses;
	const struct rda_run_sum *sum = &losses->by_verdict[RDA_VERDICT_AFTER];
	struct rda_finding *finding = found(t, RDA_CHECK_S02);
	GString *text;

	if (!finding)
		return;
	t->told = true;
	text = g_string_new(NULL);
	if (losses->lost_after) {
		g_string_append_printf(text,
				       "At least %" PRIu64
				       " packet%s passed this capture point and %s lost behind it",
				       losses->lost_after, rda_words_plural(losses->lost_after),
				       rda_words_was(losses->lost_after));
		append_recovery(t, text, sum);
		g_string_append_c(text, '.');
		finding->cost_ns = sum->cost_ns;
	}
	if (losses->responses_after)
		g_string_append_printf(text,
				       "%s%" PRIu64
				       " READ response%s passed this capture point and "
				       "%s asked for again: lost behind it.",
				       text->len ? " " : "", losses->responses_after,
				       rda_words_plural(losses->responses_after),
				       rda_words_was(losses->responses_after));
	retell(finding, text);
}

static void resent_after_nak(const struct telling *t)
{
	const struct rda_run_sum *sum = &t->losses->by_trigger[RDA_TRIGGER_NAK];
	struct rda_finding *finding = found(t, RDA_CHECK_S03);
	GString *text;

	if (!finding || !sum->runs)
		return;
	text = g_string_new(NULL);
	g_string_append(text, "Requests were sent again ");
	append_often(text, sum->runs);
	g_string_append(text, " after a NAK, ");
	append_times(text, sum->least_ns, sum->most_ns);
	g_string_append(text, " behind it.");
	retell(finding, text);
}

/* The ACK timeout that the exchange gave the requester; 0: not known, or no timer. */
static int64_t timer_of(const struct telling *t)
{
	const struct rda_cm_limits *limits = rda_cm_limits_of(t->flow);

	return limits && limits->ack_timeout > 0 ? rda_cm_time_ns((unsigned)limits->ack_timeout)
						 : 0;
}

static void append_waits(const struct telling *t, GString *text, const struct rda_run_sum *sum)
{
	int64_t timer = timer_of(t);
	char time[RDA_WORDS_TEXT];

	g_string_append(text, "Requests were sent again ");
	append_often(text, sum->runs);
	g_string_append(text, " after a timeout, when ");
	append_times(text, sum->least_ns, sum->most_ns);
	g_string_append(text, " had passed without an answer");
	if (sum->runs > 1)
		g_string_append_printf(text, ", %s in all", rda_words_time(time, sum->wait_ns));
	if (timer)
		g_string_append_printf(text, " (the timer is %s)", rda_words_time(time, timer));
}

static void resent_after_timeout(struct telling *t)
{
	const struct rda_run_sum *sum = &t->losses->by_verdict[RDA_VERDICT_OPEN];
	struct rda_finding *finding = found(t, RDA_CHECK_S04);
	GString *text;

	if (!finding)
		return;
	t->told = true;
	text = g_string_new(NULL);
	append_waits(t, text, sum);
	g_string_append(text, ": they or their answers were lost, or none was given");
	if (sum->unanswered)
		g_string_append_printf(text, "; %" PRIu64 " of these %s never answered",
				       sum->unanswered, rda_words_was(sum->unanswered));
	g_string_append_c(text, '.');
	if (sum->inside) {
		g_string_append(text, " The silence began in the middle of a message ");
		append_often(text, sum->inside);
		g_string_append(text, ": the rest of it may have been lost before this capture "
				      "point.");
	}
	finding->cost_ns = sum->cost_ns;
	retell(finding, text);
}

/* The note: timeouts that another finding explains. */
static void repaired_after_timeout(const struct telling *t)
{
	struct rda_finding *finding =
		rda_found_as(&t->judge->findings, RDA_CHECK_S04, RDA_SEVERITY_NOTE,
			     RDA_PROOF_SUSPECTED, rda_about_flow(t->flow));
	GString *text;

	if (!finding)
		return;
	text = g_string_new(NULL);
	append_waits(t, text, &t->losses->repaired);
	g_string_append_c(text, '.');
	retell(finding, text);
}

static void spurious(struct telling *t)
{
	const struct rda_run_sum *early = &t->losses->by_verdict[RDA_VERDICT_EARLY];
	const struct rda_run_sum *answered = &t->losses->by_verdict[RDA_VERDICT_ANSWERED];
	struct rda_finding *finding = found(t, RDA_CHECK_S05);
	char time[RDA_WORDS_TEXT];
	GString *text;

	if (!finding)
		return;
	t->told = true;
	text = g_string_new(NULL);
	if (early->runs) {
		g_string_append(text, "Requests were sent again ");
		append_often(text, early->runs);
		g_string_append(text, ", after ");
		append_times(text, early->least_ns, early->most_ns);
		g_string_append(text, ", while their answer was under way, and original and resend "
				      "were both answered: the timeout was too early, and nothing "
				      "was lost.");
	}
	if (answered->runs) {
		g_string_append(text, text->len ? " And " : "Requests were sent again ");
		append_often(text, answered->runs);
		g_string_append_printf(
			text,
			" although their answer had passed this capture point up to %s before: it "
			"was lost on the way to the requester, or came when the timer had fired.",
			rda_words_time(time, t->losses->answer_ns_most));
	}
	finding->cost_ns = answered->cost_ns;
	retell(finding, text);
}

/* Damage after which nothing was sent again: there is nothing to tell, but for the damage itself.
 */
static void drop_what_is_not_told(struct telling *t)
{
	struct rda_finding *note =
		rda_found_as(&t->judge->findings, RDA_CHECK_S02, RDA_SEVERITY_NOTE,
			     RDA_PROOF_PROVEN, rda_about_flow(t->flow));

	if (note && !note->text)
		note->withheld = true;
}

/* S02, the note, when no warning tells of it: what was sent again, and after what. */
static void retransmission(struct telling *t)
{
	const struct rda_run_sum *damaged = &t->losses->by_verdict[RDA_VERDICT_DAMAGED];
	bool blind = !t->flow->peer && !t->told;
	struct rda_finding *finding;
	GString *text;

	if (!t->resent || found(t, RDA_CHECK_S02))
		return;
	finding = rda_find_as(&t->judge->findings, RDA_CHECK_S02,
			      blind ? RDA_SEVERITY_WARNING : RDA_SEVERITY_NOTE, RDA_PROOF_PROVEN,
			      rda_about_flow(t->flow), t->losses->first_resent);
	finding->count = t->resent;
	finding->cost_ns = damaged->cost_ns;
	text = g_string_new(NULL);
	g_string_append_printf(text, "%" PRIu64 " packet%s %s sent again: ", t->resent,
			       rda_words_plural(t->resent), rda_words_was(t->resent));
	append_runs(t, text);
	if (damaged->runs) {
		g_string_append_printf(text, "; %" PRIu64 " %s damaged when %s passed this point",
				       t->flow->damaged, rda_words_was(t->flow->damaged),
				       t->flow->damaged == 1 ? "it" : "they");
		append_recovery(t, text, damaged);
	}
	g_string_append_c(text, '.');
	retell(finding, text);
	t->told = t->told || blind || damaged->runs;
}

static void retransmission_storm(struct telling *t)
{
	uint64_t all = t->counts->packets[RDA_REQUEST_NEW] + t->resent;
	uint64_t resent = t->resent - MIN(t->losses->after_rnr, t->resent);
	bool often = t->losses->most_sent >= STORM_SENDS;
	bool many = all >= STORM_PACKETS && resent * 100 > all * STORM_PERCENT;
	struct rda_finding *finding;
	GString *text;

	if (!often && !many)
		return;
	finding = rda_find_as(&t->judge->findings, RDA_CHECK_S15,
			      t->told ? RDA_SEVERITY_NOTE : RDA_SEVERITY_WARNING, RDA_PROOF_PROVEN,
			      rda_about_flow(t->flow),
			      often ? t->losses->most_sent_frame : t->losses->first_resent);
	finding->count = resent;
	text = g_string_new(NULL);
	g_string_append_printf(text, "%" PRIu64 " of %" PRIu64 " request packets were resends",
			       resent, all);
	if (often)
		g_string_append_printf(text, ", one packet was sent %" PRIu64 "%s times",
				       t->losses->most_sent,
				       t->losses->most_sent > UINT8_MAX ? " or more" : "");
	g_string_append_c(text, '.');
	retell(finding, text);
}

static void go_back_n_amplification(const struct telling *t)
{
	uint64_t lost = t->counts->lost_before + t->counts->lost_after;
	struct rda_finding *finding;

	if (!lost || t->resent < AMPLIFICATION * lost)
		return;
	finding = rda_find(&t->judge->findings, RDA_CHECK_S16, rda_about_flow(t->flow),
			   t->losses->first_resent);
	finding->count = t->resent;
	rda_say(finding,
		"%" PRIu64 " packets were sent again to replace %" PRIu64 " that %s lost: with "
		"go-back-N everything behind a loss is sent again.",
		t->resent, lost, rda_words_was(lost));
}

void rda_losses_finish(struct rda_judge *judge, const struct rda_flow *flow)
{
	struct rda_losses closed; /* as it is if no more packets come */
	struct telling t = {
		.judge = judge,
		.flow = flow,
		.losses = &closed,
		.counts = rda_account_counts(flow),
		.resent = rda_account_counts(flow)->packets[RDA_REQUEST_RESENT],
	};

	if (!flow->watch.sequence || !flow->watch.sequence->losses)
		return;
	closed = *flow->watch.sequence->losses;
	if (flow->account)
		rda_losses_close(judge, flow, &closed);
	packets_lost(&t);
	packets_missing_at_the_end(&t);
	lost_behind(&t);
	if (!flow->account)
		return;
	resent_after_nak(&t);
	resent_after_timeout(&t);
	repaired_after_timeout(&t);
	spurious(&t);
	retransmission(&t);
	drop_what_is_not_told(&t);
	retransmission_storm(&t);
	go_back_n_amplification(&t);
}
