/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of expectations of any bytes, held against documents of any bytes.
 *
 *     expectations [ 0 JSON ]
 *
 * Twice, the second time after the first was forgotten: the same lines do not hold, in as many
 * places; what is told of each is bounded.
 */
#include "analyzer/report/expect.h"
#include "analyzer/report/report.h"
#include "tests/fuzz/must.h"

#include <stdlib.h>
#include <string.h>

static void hold(struct rda_expectations *expectations, json_object *document)
{
	if (!json_object_is_type(document, json_type_object))
		return;
	json_object_object_foreach(document, list, records)
	{
		size_t count = json_object_is_type(records, json_type_array)
				       ? json_object_array_length(records)
				       : 0;

		for (size_t i = 0; i < count; i++)
			rda_expectations_take(expectations, list, (unsigned)i,
					      json_object_array_get_idx(records, i));
	}
}

static uint64_t hold_all(struct rda_expectations *expectations, json_object *document)
{
	uint64_t places = 0;
	unsigned violated, counted = 0;

	hold(expectations, document);
	violated = rda_expectations_end(expectations);
	for (unsigned i = 0; i < expectations->lines->len; i++) {
		const struct rda_expect_line *line = g_ptr_array_index(expectations->lines, i);

		places += line->violated;
		counted += line->violated > 0;
		RDA_MUST(line->told->len <= RDA_EXPECT_TOLD && line->told->len <= line->violated);
		RDA_MUST(line->told->len > 0 || !line->violated);
	}
	RDA_MUST(violated == counted);
	return places;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static json_object *shape;
	struct rda_expectations *expectations;
	json_object *document = NULL;
	char *text = g_strndup((const char *)data, size), *error = NULL;
	size_t length = strlen(text);

	if (!shape)
		shape = rda_report_shape();
	if (length < size) {
		char *json = g_strndup((const char *)data + length + 1, size - length - 1);

		document = json_tokener_parse(json);
		g_free(json);
	}
	expectations = rda_expectations_parse(text, shape, &error);
	RDA_MUST(!expectations == (error != NULL));
	if (expectations) {
		uint64_t places = hold_all(expectations, document);

		rda_expectations_reset(expectations);
		RDA_MUST(hold_all(expectations, document) == places);
	}
	rda_expectations_free(expectations);
	json_object_put(document);
	g_free(error);
	g_free(text);
	return 0;
}
