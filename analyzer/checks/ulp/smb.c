/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U11: the server could not, or would not, do what it was asked. What file systems answer every day
 * (no such file, no more files) is counted among the errors, and no finding.
 *
 * U14, U15: credits of SMB Direct that were exceeded, or used up; U16: those of SMB 2.
 */
#include "analyzer/checks/ulp/smb.h"

#include "analyzer/checks/ulp/ulp.h"
#include "dissectors/ulp/smb.h"

/* Credits come back within the time of a round trip: shorter waits are how they pace a sender. */
#define WAIT_LEAST_NS INT64_C(1000000)

void rda_check_smb_answer(struct rda_judge *judge, const struct rda_ulp_answer *answer)
{
	const struct rda_ulp_command *command = answer->command;
	const struct rda_flow *client = answer->ulp->asker;
	bool numbered = answer->operation->code != RDA_SMB_DIRECT_NEGOTIATE;
	struct rda_finding *f;

	if (rda_smb_status_is_usual(answer->status))
		return;
	f = rda_ulp_find_answer(judge, answer, RDA_CHECK_U11, false);
	rda_finding_say(f, RDA_SAY_U11_FAILED, RDA_ARG_ADDRESS("server", &client->key.destination),
			RDA_ARG_TEXT("operation", answer->operation->name),
			RDA_ARG_HEX("command", answer->operation->code, 2),
			RDA_ARG_IF(numbered, RDA_ARG_NUMBER("message_id", command->id)),
			RDA_ARG_NUMBER("bytes", command->bytes),
			RDA_ARG_FRAME("command_frame", command->place),
			RDA_ARG_TEXT("status", answer->words),
			RDA_ARG_HEX("status_code", answer->status, 8),
			RDA_ARG_TIME("took_ns", answer->time_ns - command->asked_ns));
}

/* ---- credits --------------------------------------------------------------------------------- */

static const struct rda_flow *flow_of(const struct rda_ulp *ulp, unsigned side)
{
	return side ? ulp->answerer : ulp->asker;
}

/* U14 */
static void exceeded(struct rda_judge *judge, const struct rda_ulp *ulp, unsigned side)
{
	const struct rda_flow *sender = flow_of(ulp, side);
	struct rda_ulp_debts debts =
		rda_ulp_debts_until(ulp, side, rda_watched_until(judge, ulp->asker->first_place));
	struct rda_finding *f;

	if (!debts.exceeded)
		return;
	f = rda_finding_of_bytes(judge, debts.exceeded_checked, RDA_CHECK_U14,
				 rda_about_flow(sender), debts.exceeded_place);
	rda_finding_say(f, RDA_SAY_U14_EXCEEDED, RDA_ARG_ADDRESS("sender", &sender->key.source),
			RDA_ARG_ADDRESS("receiver", &sender->key.destination),
			RDA_ARG_NUMBER("messages", debts.exceeded),
			RDA_ARG_FRAME("first_frame", debts.exceeded_place));
}

/*
 * How the credits stand at the end, or when a DREQ ended the connection: behind that none waits.
 * `perhaps`: whether the sender had anything to send is not known.
 */
static struct rda_ulp_credits at_the_end(struct rda_judge *judge, const struct rda_ulp *ulp,
					 const struct rda_ulp_credits *credits, bool perhaps)
{
	int64_t watched_ns = rda_watched_until(judge, ulp->asker->first_place);
	int64_t left_ns = rda_cm_left_ns(judge->whole.cm, ulp->asker, credits->since_ns);
	int64_t until_ns = MIN(watched_ns, left_ns);
	struct rda_ulp_credits whole;

	if (until_ns - credits->since_ns < WAIT_LEAST_NS)
		return *credits;
	whole = rda_ulp_credits_until(credits, perhaps, until_ns);
	whole.waits.held = whole.waits.held && left_ns > watched_ns;
	whole.perhaps.held = whole.perhaps.held && left_ns > watched_ns;
	return whole;
}

/*
 * The same of SMB Direct. Where neither side has any left, none can grant the other one more, and
 * nothing will be sent whatever there is; else a server that was asked for nothing does not wait.
 */
static struct rda_ulp_credits direct_at_the_end(struct rda_judge *judge, const struct rda_ulp *ulp,
						unsigned side)
{
	const struct rda_ulp_credits *credits = &ulp->smb[side].direct;
	bool by_server = side == 1, stuck = ulp->smb[!side].direct.left <= 0;

	if (!stuck && by_server && ulp->commands.count == ulp->waiting)
		return *credits;
	return at_the_end(judge, ulp, credits, !stuck);
}

/* The waits that are told: those that are certain, if there are any. */
static const struct rda_ulp_waits *waits_of(const struct rda_ulp_credits *credits)
{
	return credits->waits.longest_ns < WAIT_LEAST_NS ? &credits->perhaps : &credits->waits;
}

static struct rda_finding *used_up(struct rda_judge *judge, const struct rda_flow *sender,
				   enum rda_check check, const struct rda_ulp_credits *credits)
{
	const struct rda_ulp_waits *waits = waits_of(credits);
	bool certain = waits == &credits->waits && waits->checked_ns >= WAIT_LEAST_NS;
	struct rda_finding *f;

	if (waits->longest_ns < WAIT_LEAST_NS)
		return NULL;
	f = rda_finding_of_bytes(judge, certain, check, rda_about_flow(sender),
				 waits->longest_place);
	f->cost_ns = waits->held_ns;
	return f;
}

/* U15 */
static void waits_for_credits(struct rda_judge *judge, const struct rda_ulp *ulp, unsigned side)
{
	const struct rda_flow *sender = flow_of(ulp, side);
	struct rda_ulp_credits credits = direct_at_the_end(judge, ulp, side);
	const struct rda_ulp_waits *waits = waits_of(&credits);
	struct rda_finding *f = used_up(judge, sender, RDA_CHECK_U15, &credits);

	if (f)
		rda_finding_say(f, RDA_SAY_U15_USED_UP,
				RDA_ARG_ADDRESS("sender", &sender->key.source),
				RDA_ARG_ADDRESS("receiver", &sender->key.destination),
				RDA_ARG_NUMBER("granted", credits.granted),
				RDA_ARG_NUMBER("times", waits->times),
				RDA_ARG_TIME("held_ns", waits->held_ns),
				RDA_ARG_TIME("longest_ns", waits->longest_ns),
				RDA_ARG_FRAME("last_frame", waits->longest_place),
				RDA_ARG_FLAG("ungranted", !waits->longest_granted),
				RDA_ARG_FLAG("held", waits->held),
				RDA_ARG_FLAG("perhaps", waits == &credits.perhaps));
}

/* U16 */
static void waits_for_requests(struct rda_judge *judge, const struct rda_ulp *ulp)
{
	const struct rda_flow *client = ulp->asker;
	struct rda_ulp_credits credits = at_the_end(judge, ulp, &ulp->smb[0].smb, false);
	const struct rda_ulp_waits *waits = waits_of(&credits);
	struct rda_finding *f = used_up(judge, client, RDA_CHECK_U16, &credits);

	if (f)
		rda_finding_say(f, RDA_SAY_U16_USED_UP,
				RDA_ARG_ADDRESS("client", &client->key.source),
				RDA_ARG_ADDRESS("server", &client->key.destination),
				RDA_ARG_NUMBER("times", waits->times),
				RDA_ARG_TIME("held_ns", waits->held_ns),
				RDA_ARG_TIME("longest_ns", waits->longest_ns),
				RDA_ARG_FRAME("last_frame", waits->longest_place),
				RDA_ARG_FLAG("held", waits->held));
}

void rda_check_smb_connection(struct rda_judge *judge, const struct rda_ulp *ulp)
{
	for (unsigned side = 0; side < 2 && ulp->answerer; side++) {
		exceeded(judge, ulp, side);
		waits_for_credits(judge, ulp, side);
	}
	waits_for_requests(judge, ulp);
}
