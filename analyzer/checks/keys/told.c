/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a key was told to its user in clear before it was first used.
 */
#include "analyzer/checks/keys/state.h"

/* K19 */
static void keys_in_clear_text(const struct rda_key_case *c)
{
	struct rda_finding *f = rda_key_finding(c, RDA_CHECK_K19, c->news->told.place);

	rda_finding_frame(f, c->event->place);
	rda_finding_say(f, RDA_SAY_K19_CLEAR, RDA_ARG_KEY("rkey", c->event->key),
			RDA_ARG_MEMORY("address", c->event->va),
			RDA_ARG_FRAME("request_frame", c->event->place),
			RDA_ARG_FRAME("told_frame", c->news->told.place),
			RDA_ARG_NUMBER("told_offset", c->news->told.offset));
}

/* K03 */
static void key_never_advertised(const struct rda_key_case *c)
{
	rda_finding_say(rda_key_finding(c, RDA_CHECK_K03, c->event->place), RDA_SAY_K03_NOT_TOLD,
			RDA_ARG_KEY("rkey", c->event->key),
			RDA_ARG_FRAME("request_frame", c->event->place));
}

/*
 * K03, where it is more than a note: another key was told for this very address, and nobody answers
 * to say what became of it. On a service that answers, the answer tells.
 */
void rda_keys_told_otherwise(const struct rda_key_case *c)
{
	const struct rda_key_event *event = c->event;
	struct rda_finding *finding =
		rda_finding_add_as(&c->judge->findings, RDA_CHECK_K03, RDA_SEVERITY_WARNING,
				   RDA_PROOF_SUSPECTED, rda_key_flow(c), event->place);

	finding->stands_alone = true;
	rda_finding_frame(finding, event->asked_place);
	rda_finding_say(finding, RDA_SAY_K03_OTHER_TOLD, RDA_ARG_KEY("rkey", event->key),
			RDA_ARG_WORD("operation", rda_key_operation(event)),
			RDA_ARG_NUMBER("length", event->length),
			RDA_ARG_MEMORY("address", event->va),
			RDA_ARG_KEY("told_rkey", event->other));
}

void rda_keys_told_new(const struct rda_key_case *c)
{
	const struct rda_key_told *told = &c->news->told;

	if (told->place) {
		if (told->with_address && c->event->va && c->event->key)
			keys_in_clear_text(c);
	} else if (told->complete && told->any && c->event->length) {
		key_never_advertised(c);
	}
}
