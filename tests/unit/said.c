/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a finding says; said.h.
 */
#include "tests/unit/said.h"

#include "tests/unit/suite.h"

#include <glib.h>
#include <string.h>

const char *rda_said_by(const struct rda_finding *finding)
{
	static char *texts[2];
	static unsigned turn;
	const char *code = rda_check_row(finding->key.check)->code;

	char *text = rda_finding_text(finding);

	turn = !turn;
	g_free(texts[turn]);
	texts[turn] = text;
	ck_assert_msg(text != NULL, "%s says nothing", code);
	ck_assert_msg(!strpbrk(text, "{}[]<>|"), "%s: an argument is not given: %s", code, text);
	if (finding->said)
		ck_assert_msg(rda_saying_row(finding->said->sayings[0])->check ==
				      finding->key.check,
			      "%s says a sentence of another check: %s", code, text);
	return text;
}
