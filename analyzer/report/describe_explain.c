/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of logs and what the capture has of them, as records.
 */
#include "analyzer/report/describe.h"

#include "analyzer/base/psn.h"
#include "analyzer/report/explain.h"
#include "dissectors/values.h"

/* NAME_file, NAME_frame, NAME_time_ns, NAME_time; names are literals */
#define PUT_MARK(record, NAME, mark)                                                               \
	do {                                                                                       \
		bool known_ = (mark)->place != 0;                                                  \
                                                                                                   \
		rda_record_number_known(record, NAME "_file", known_,                              \
					rda_place_capture((mark)->place));                         \
		rda_record_number_known(record, NAME "_frame", known_,                             \
					rda_place_number((mark)->place));                          \
		rda_record_time(record, NAME "_time", known_, (mark)->time_ns);                    \
	} while (0)

static void put_items(struct rda_record *record, const struct rda_log_line *line)
{
	rda_record_open_list(record, "found");
	for (uint32_t i = 0; i < rda_record_count(record, line->count); i++) {
		char *words = line->count ? rda_explain_item_text(&line->items[i]) : NULL;

		rda_record_open(record, NULL);
		rda_record_text(record, "kind",
				line->count ? rda_log_kind_name(line->items[i].kind) : NULL);
		rda_record_text(record, "words", words);
		rda_record_close(record);
		g_free(words);
	}
	rda_record_close(record);
}

static void put_by(struct rda_record *record, uint32_t by)
{
	const char *words[RDA_LOG_KIND_COUNT];
	unsigned count = 0;

	for (unsigned kind = 0; kind < RDA_LOG_KIND_COUNT; kind++)
		if (by & 1u << kind)
			words[count++] = rda_log_kind_name(kind);
	rda_record_words(record, "by", words, count);
}

static void put_request(struct rda_record *record, const struct rda_story_request *request)
{
	static const struct rda_story_request nothing;
	bool known = request != NULL;

	if (!known)
		request = &nothing;
	rda_record_text(record, "request", request->name);
	rda_record_number_known(record, "request_psn", known, rda_psn_narrow(request->psn));
	rda_record_number_known(record, "request_sent", known, request->times);
	PUT_MARK(record, "request_first", &request->first);
	PUT_MARK(record, "request_last", &request->last);
	if (known && request->has_key)
		rda_record_hex(record, "rkey", request->key, 8);
	else
		rda_record_null(record, "rkey");
}

static void put_story(struct rda_record *record, const struct rda_explain_candidate *candidate,
		      const struct rda_story *story)
{
	const struct rda_story_side *side = &story->side[candidate->side];
	const struct rda_story_request *request;
	enum rda_story_end end = rda_story_end_of(story, candidate->side, &request);

	rda_record_text(record, "outcome", rda_story_end_name(end));
	rda_record_number_known(record, "acknowledged_psn", side->acknowledged.place != 0,
				side->acknowledged.psn);
	PUT_MARK(record, "acknowledged", &side->acknowledged);
	put_request(record, request);
	rda_record_text(record, "nak",
			side->nak.place ? rda_words(RDA_SET_SYNDROME, side->syndrome) : NULL);
	PUT_MARK(record, "nak", &side->nak);
	rda_record_number(record, "rnr_naks", side->rnrs);
	PUT_MARK(record, "rnr_nak", &side->rnr);
	PUT_MARK(record, "last_heard", &story->last[!candidate->side]);
	PUT_MARK(record, "last_sent", &story->last[candidate->side]);
}

static void put_candidate(struct rda_record *record, const struct rda_explain *explain,
			  const struct rda_explain_candidate *candidate)
{
	static const struct rda_explain_candidate nothing;
	struct rda_story none = {
		.side = {{.requests = &(GQueue)G_QUEUE_INIT}, {.requests = &(GQueue)G_QUEUE_INIT}}};

	rda_record_open(record, NULL);
	rda_record_number(record, "connection", candidate ? candidate->connection : 0);
	rda_record_number(record, "flow", candidate ? candidate->side : 0);
	put_by(record, candidate ? candidate->by : 0);
	rda_record_flag(record, "shows_status", candidate && candidate->fits);
	put_story(record, candidate ? candidate : &nothing,
		  candidate ? rda_explain_story(explain, candidate) : &none);
	rda_record_close(record);
}

void rda_describe_explained(struct rda_record *record, const struct rda_explain *explain,
			    const struct rda_explained *explained)
{
	static const struct rda_explained nothing;
	const struct rda_explained *told = explained ? explained : &nothing;
	char *why = explained && !explained->candidate_count ? rda_explain_why(explained) : NULL;

	rda_record_text(record, "text", told->text);
	rda_record_text(record, "log", told->file);
	rda_record_number(record, "line", told->number);
	rda_record_text(record, "program", told->line.program);
	rda_record_text(record, "match", rda_explain_verdict_name(told->verdict));
	rda_record_text(record, "why", why);
	rda_record_signed_known(record, "status", told->line.status != 0, told->line.status);
	rda_record_text(record, "status_name", rda_log_status_name(told->line.status));
	put_items(record, &told->line);
	rda_record_open_list(record, "candidates");
	for (uint32_t i = 0; i < rda_record_count(record, told->candidate_count); i++)
		put_candidate(record, explain, told->candidate_count ? &told->candidates[i] : NULL);
	rda_record_close(record);
	rda_record_number(record, "more_candidates", told->more);
	g_free(why);
}
