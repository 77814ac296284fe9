/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How hosts send again, acknowledge and react to gaps, for people: of those that show it.
 */
#include "analyzer/report/report.h"

#include "analyzer/base/words.h"
#include "analyzer/report/units.h"

#include <string.h>

/* Hosts that are told unless all are asked for; JSON has all. */
enum { TOLD = 12 };

static const char *timer_words(uint8_t timer)
{
	static const char *const words[RDA_TIMER_COUNT] = {
#define RDA_T(ID, name, words) [RDA_TIMER_##ID] = words,
		RDA_TIMERS(RDA_T)
#undef RDA_T
	};

	return words[timer];
}

/* ", NAKs a gap after 12 us (median of 40; 99 %: 30 us)" */
static void append_latency(GString *to, const char *what, const struct rda_latency *latency)
{
	char median[RDA_UNITS_TEXT], most[RDA_UNITS_TEXT], count[RDA_UNITS_TEXT];

	if (!latency->count)
		return;
	rda_units_duration(median, rda_latency_percentile(latency, 50));
	rda_units_duration(most, rda_latency_percentile(latency, 99));
	g_string_append_printf(to, "%s%s after %s", to->len ? ", " : "", what, median);
	if (latency->count > 1)
		g_string_append_printf(to, " (median of %s; 99 %%: %s)",
				       rda_units_grouped(count, latency->count), most);
}

/* Nothing of a host whose timer did not show, and that neither sent nor got a NAK. */
static char *told_of(const struct rda_nic *nic)
{
	uint8_t timer = rda_nic_timer(nic);
	const char *acknowledges = rda_nic_acknowledges(nic);
	GString *text = g_string_new(NULL);
	char time[RDA_UNITS_TEXT];

	if (timer == RDA_TIMER_UNKNOWN && !nic->nak_obeyed.count && !nic->nak_sent.count &&
	    !nic->perhaps_timeouts)
		return g_string_free(text, FALSE);
	if (timer != RDA_TIMER_UNKNOWN)
		g_string_append_printf(text, "retransmits %s", timer_words(timer));
	if (timer != RDA_TIMER_UNKNOWN && rda_nic_timer_ns(nic))
		g_string_append_printf(text, " (timer %s)",
				       rda_units_duration(time, rda_nic_timer_ns(nic)));
	if (rda_nic_recovery(nic))
		g_string_append_printf(text, "%s%s", text->len ? ", " : "",
				       nic->selective ? "repeats only what is missing"
						      : "goes back N");
	append_latency(text, "obeys a NAK", &nic->nak_obeyed);
	if (nic->perhaps_timeouts)
		g_string_append_printf(text,
				       "%sgoes back behind NAKs no sooner than its timer does "
				       "(%s time%s: they may have been lost behind here)",
				       text->len ? ", " : "",
				       rda_units_grouped(time, nic->perhaps_timeouts),
				       rda_words_plural(nic->perhaps_timeouts));
	append_latency(text, "sends a NAK", &nic->nak_sent);
	if (text->len && acknowledges)
		g_string_append_printf(text, ", acknowledges %s",
				       strcmp(acknowledges, "merged") == 0
					       ? "several requests at once"
					       : "each request that asks for it");
	return g_string_free(text, FALSE);
}

void rda_report_nics(struct rda_output *out, const struct rda_report *report)
{
	unsigned count = rda_result_host_count(report->result), told = 0;
	unsigned most = report->choice.all ? count : TOLD;
	char number[RDA_UNITS_TEXT], address[RDA_ADDRESS_TEXT];

	for (unsigned i = 0; i < count && rda_output_more(out); i++) {
		const struct rda_host *host = rda_result_host(report->result, i);
		char *text = told_of(rda_result_nic(report->result, host->index));
		char *line =
			g_strdup_printf("%s %s", rda_address_text(address, &host->address), text);

		if (*text && told == 0) {
			rda_style(out, RDA_STYLE_BOLD);
			rda_print(out, "\nHow hosts send again");
			rda_style(out, RDA_STYLE_PLAIN);
			rda_print(out, ", as seen from here\n");
		}
		if (*text && told < most) {
			rda_print(out, "  ");
			rda_output_wrap(out, line, 2, 4);
		}
		told += *text != '\0';
		g_free(text);
		g_free(line);
	}
	if (told > most)
		rda_print(out, "  and %s more host%s (--all)\n",
			  rda_units_grouped(number, told - most), rda_words_plural(told - most));
}
