/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a key was told to its user in clear before it was first used.
 */
#include "analyzer/checks/keys/told.h"

#include <glib.h>
#include <inttypes.h>

/* K19 */
static void keys_in_clear_text(const struct rda_key_case *c)
{
	struct rda_finding *f =
		rda_find(&c->judge->findings, RDA_CHECK_K19, rda_key_flow(c), c->news->told.place);

	rda_finding_frame(f, c->event->place);
	rda_say(f,
		"R_key 0x%08" PRIx32 " and address 0x%" PRIx64 ", used in frame %" PRIu64
		", stood in clear in frame %" PRIu64 " (byte %" PRIu32 " of its payload).",
		c->event->key, c->event->va, rda_place_number(c->event->place),
		rda_place_number(c->news->told.place), c->news->told.offset);
}

/* K03 */
static void key_never_advertised(const struct rda_key_case *c)
{
	rda_say(rda_find(&c->judge->findings, RDA_CHECK_K03, rda_key_flow(c), c->event->place),
		"R_key 0x%08" PRIx32 ", first used in frame %" PRIu64
		", stood in no SEND or management message to its user before.",
		c->event->key, rda_place_number(c->event->place));
}

/*
 * K03, where it is more than a note: another key was told for this very address, and nobody answers
 * to say what became of it. On a service that answers, the answer tells.
 */
void rda_check_keys_told_otherwise(const struct rda_key_case *c)
{
	const struct rda_key_event *event = c->event;
	struct rda_finding *finding =
		rda_find_as(&c->judge->findings, RDA_CHECK_K03, RDA_SEVERITY_WARNING,
			    RDA_PROOF_SUSPECTED, rda_key_flow(c), event->place);

	finding->stands_alone = true;
	rda_finding_frame(finding, event->asked_place);
	rda_say(finding,
		"R_key 0x%08" PRIx32 " was used for %s of %" PRIu32 " bytes to address 0x%" PRIx64
		"; its owner had told 0x%08" PRIx32
		" for that address, in clear. This service answers nothing: if the key is wrong, "
		"the data was dropped without a word.",
		event->key, rda_key_use_article(event->use), event->length, event->va,
		event->other);
}

void rda_check_keys_told_new(const struct rda_key_case *c)
{
	const struct rda_key_told *told = &c->news->told;

	if (told->place) {
		if (told->with_address && c->event->va && c->event->key)
			keys_in_clear_text(c);
	} else if (told->complete && told->any && c->event->length) {
		key_never_advertised(c);
	}
}
