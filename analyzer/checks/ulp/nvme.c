/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U01, U02, U03: what the controller answered with an error; U05: the keep-alive timer.
 */
#include "analyzer/checks/ulp/nvme.h"

#include "analyzer/checks/ulp/ulp.h"
#include "dissectors/ulp/nvme.h"

#include <string.h>

static enum rda_check check_of(uint32_t operation)
{
	if (operation == RDA_NVME_FABRICS_CONNECT)
		return RDA_CHECK_U03;
	return operation >> 8 == RDA_NVME_SET_IO ? RDA_CHECK_U01 : RDA_CHECK_U02;
}

static enum rda_saying saying_of(enum rda_check check, bool usual)
{
	if (usual)
		return RDA_SAY_U01_DIFFERS;
	if (check == RDA_CHECK_U03)
		return RDA_SAY_U03_REFUSED;
	return check == RDA_CHECK_U01 ? RDA_SAY_U01_FAILED : RDA_SAY_U02_FAILED;
}

void rda_check_nvme_answer(struct rda_judge *judge, const struct rda_ulp_answer *answer)
{
	const struct rda_ulp_command *command = answer->command;
	const struct rda_flow *host = answer->ulp->asker;
	int32_t queue = answer->ulp->nvme.number;
	enum rda_check check = check_of(answer->operation->code);
	bool usual = check == RDA_CHECK_U01 &&
		     rda_nvme_status_is_usual((uint16_t)answer->operation->code,
					      (uint16_t)answer->status);
	struct rda_finding *f = rda_ulp_find_answer(judge, answer, check, usual);

	rda_finding_say(
		f, saying_of(check, usual), RDA_ARG_TEXT("operation", answer->operation->name),
		RDA_ARG_HEX("opcode", answer->operation->code & 0xff, 2),
		RDA_ARG_NUMBER("cid", command->id), RDA_ARG_NUMBER("bytes", command->bytes),
		RDA_ARG_FRAME("command_frame", command->place),
		RDA_ARG_ADDRESS("host", &host->key.source),
		RDA_ARG_ADDRESS("controller", &host->key.destination),
		RDA_ARG_IF(queue >= 0, RDA_ARG_NUMBER("queue", (uint64_t)queue)),
		RDA_ARG_TEXT("status", answer->words),
		RDA_ARG_NUMBER("status_type", rda_nvme_status_type((uint16_t)answer->status)),
		RDA_ARG_HEX("status_code", answer->status & 0xff, 2),
		RDA_ARG_TIME("took_ns", answer->time_ns - command->asked_ns),
		RDA_ARG_FLAG("unsure", answer->unsure));
}

/* A time in which the host sent nothing on its admin queue. */
struct silence {
	int64_t from_ns, until_ns;
	uint64_t place; /* of the command before it */
	bool ended;	/* the connection did, and not only the capture */
};

static int64_t length_of(const struct silence *s)
{
	return s->until_ns - s->from_ns;
}

/* Several controllers may have one address: their Connects tell them apart, where they were seen.
 */
static bool is_of_another(const struct rda_nvme_track *a, const struct rda_nvme_track *b)
{
	return a->controller >= 0 && b->controller >= 0 && a->controller != b->controller;
}

/*
 * A queue of data of the same host and controller, as far as is known. Each controller has an admin
 * queue of its own; a queue that begins when the silence has lasted too long already belongs to
 * what the host connected anew.
 */
static bool is_beside(const struct rda_ulp *other, const struct rda_ulp *admin,
		      const struct silence *s, int64_t keep_ns)
{
	const struct rda_flow_key *a = &admin->asker->key, *b = &other->asker->key;

	return other->protocol == RDA_ULP_NVME && other->nvme.number != 0 &&
	       !is_of_another(&other->nvme, &admin->nvme) &&
	       other->nvme.begun_ns - s->from_ns <= keep_ns &&
	       !memcmp(&a->source, &b->source, sizeof(a->source)) &&
	       !memcmp(&a->destination, &b->destination, sizeof(a->destination));
}

/*
 * What was asked since the latest answer, and soon enough behind it, waits for no longer than an
 * answer may take when the capture ends: whether there would have been one, nobody knows.
 */
static bool is_under_way(const struct rda_judge *judge, const struct rda_ulp *ulp, int64_t keep_ns)
{
	const struct rda_ulp_command *command = rda_ulp_commands_first(&ulp->commands);
	int64_t answered_ns = ulp->nvme.answered_ns;

	while (command && command->asked_ns <= answered_ns)
		command = rda_ulp_commands_next(&ulp->commands, command);
	return command && command->asked_ns - answered_ns <= keep_ns &&
	       rda_watched_until(judge, command->place) - command->asked_ns <= keep_ns;
}

/*
 * The latest that shows that host and controller have to do with each other: an answer, where
 * answers are seen at all, or a command that may get one yet.
 */
static int64_t together_ns(const struct rda_judge *judge, const struct rda_ulp *ulp,
			   const struct silence *s, int64_t keep_ns)
{
	if (!s->ended && is_under_way(judge, ulp, keep_ns))
		return ulp->nvme.latest_ns;
	return ulp->nvme.answered_ns ? ulp->nvme.answered_ns : ulp->nvme.latest_ns;
}

/*
 * The host went on with another queue in this time: a controller that counts commands of all queues
 * (TBKAS) takes that for a sign of life, and one that does not would have ended them all.
 */
static bool others_go_on(const struct rda_judge *judge, const struct rda_ulp *ulp,
			 const struct silence *s, int64_t keep_ns)
{
	for (uint32_t i = 0; i < 2 * judge->whole.connection_count; i++) {
		const struct rda_flow *flow = judge->whole.connections[i / 2].flows[i % 2];
		int64_t latest_ns;

		if (!flow || !flow->ulp || flow->ulp->asker != flow ||
		    !is_beside(flow->ulp, ulp, s, keep_ns))
			continue;
		latest_ns = together_ns(judge, flow->ulp, s, keep_ns);
		if (latest_ns - s->from_ns > keep_ns || s->until_ns - latest_ns <= keep_ns)
			return true;
	}
	return false;
}

/*
 * The silence at the end, until the capture ends or the connection does: a controller that gave up
 * its host ends it.
 */
static struct silence last_silence(const struct rda_judge *judge, const struct rda_ulp *ulp,
				   int64_t closed_ns)
{
	const struct rda_nvme_track *nvme = &ulp->nvme;
	int64_t until_ns = rda_watched_until(judge, nvme->latest_place);
	int64_t left_ns = rda_cm_left_ns(judge->whole.cm, ulp->asker, nvme->latest_ns);
	int64_t ended_ns = MIN(closed_ns, left_ns);

	return (struct silence){nvme->latest_ns, MIN(until_ns, ended_ns), nvme->latest_place,
				ended_ns < until_ns};
}

/* U05 */
void rda_check_nvme_connection(struct rda_judge *judge, const struct rda_ulp *ulp,
			       int64_t closed_ns)
{
	const struct rda_nvme_track *nvme = &ulp->nvme;
	int64_t keep_ns = (int64_t)nvme->keep_ms * 1000000, silent_ns = keep_ns;
	const struct silence last = last_silence(judge, ulp, closed_ns);
	const struct silence silences[] = {
		{nvme->silent_from_ns, nvme->silent_from_ns + nvme->silent_ns, nvme->silent_place,
		 last.ended},
		last,
	};
	struct rda_finding *f;
	uint64_t place = 0;

	if (!keep_ns || nvme->number != 0)
		return;
	for (unsigned i = 0; i < G_N_ELEMENTS(silences); i++) {
		if (length_of(&silences[i]) <= silent_ns ||
		    others_go_on(judge, ulp, &silences[i], keep_ns))
			continue;
		silent_ns = length_of(&silences[i]);
		place = silences[i].place;
	}
	if (!place)
		return;
	f = rda_finding_add(&judge->findings, RDA_CHECK_U05, rda_about_flow(ulp->asker), place);
	f->cost_ns = silent_ns;
	rda_finding_say(f, RDA_SAY_U05_SILENT, RDA_ARG_ADDRESS("host", &ulp->asker->key.source),
			RDA_ARG_TIME("silent_ns", silent_ns),
			RDA_ARG_TIME("keep_alive_ns", keep_ns));
}
