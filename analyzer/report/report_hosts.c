/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hosts for people: who sent how much to whom, where there are several, and what their NICs
 * would have counted.
 */
#include "analyzer/report/report.h"

#include "analyzer/base/address.h"
#include "analyzer/base/words.h"
#include "analyzer/report/columns.h"
#include "analyzer/report/units.h"

#include <inttypes.h>
#include <string.h>

/* Longer addresses have a line of their own. */
enum { ADDRESS_LIMIT = 25 };

/* ---- who sent how much to whom --------------------------------------------------------------- */

enum {
	CELL_WIDTH = 8, /* "  999.9k!" */
	MATRIX_MOST = RDA_COLUMNS_MAX - 3,
	MATRIX_LEAST = 3, /* hosts; of two the connections tell it */
};

struct party {
	const struct rda_host *host;
	uint64_t bytes;	   /* sent and received */
	guint seen, place; /* in order of the first; in the matrix */
};

struct cell {
	uint64_t bytes;
	bool any, bad;
};

struct matrix {
	const struct rda_result *result;
	struct party *parties;	 /* owned; by rda_host.index */
	struct party *latest[2]; /* that were asked for: flows come by pairs of hosts */
	GPtrArray *order;	 /* of struct party, busiest first */
	guint shown;		 /* the rest are one row and one column more */
	uint32_t *problems;	 /* rda_choice_problems; owned */
	struct cell cells[MATRIX_MOST + 1][MATRIX_MOST + 1];
};

/* All ends of connections are hosts. */
static struct party *party_of(struct matrix *matrix, const struct rda_address *address)
{
	const struct rda_host *host;
	struct party *party;

	for (unsigned i = 0; i < 2; i++)
		if (matrix->latest[i] &&
		    rda_address_compare(&matrix->latest[i]->host->address, address) == 0)
			return matrix->latest[i];
	host = rda_result_find_host(matrix->result, address);
	party = &matrix->parties[host->index];
	matrix->latest[1] = matrix->latest[0];
	matrix->latest[0] = party;
	if (party->host)
		return party;
	party->host = host;
	party->seen = matrix->order->len;
	g_ptr_array_add(matrix->order, party);
	return party;
}

static int busier_first(const void *a, const void *b)
{
	const struct party *x = *(struct party *const *)a, *y = *(struct party *const *)b;

	if (x->bytes != y->bytes)
		return x->bytes > y->bytes ? -1 : 1;
	return x->seen < y->seen ? -1 : 1;
}

static void count_flow(void *context, const struct rda_connection_facts *connection, unsigned side,
		       const struct rda_flow_facts *flow)
{
	struct matrix *matrix = context;

	party_of(matrix, &connection->endpoints[side].address)->bytes += flow->payload_bytes;
	party_of(matrix, &connection->endpoints[1 - side].address)->bytes += flow->payload_bytes;
}

static void place_flow(void *context, const struct rda_connection_facts *connection, unsigned side,
		       const struct rda_flow_facts *flow)
{
	struct matrix *matrix = context;
	const struct rda_endpoint *from = &connection->endpoints[side],
				  *to = &connection->endpoints[1 - side];
	struct cell *cell = &matrix->cells[party_of(matrix, &from->address)->place]
					  [party_of(matrix, &to->address)->place];

	cell->bytes += flow->payload_bytes;
	cell->any = true;
	cell->bad |= matrix->problems[connection->id] != RDA_CHOICE_HEALTHY;
}

/* One row; that of index `shown` is of all the rest. Measured when `out` is NULL. */
static void put_sender(struct rda_columns *columns, struct rda_output *out,
		       const struct matrix *matrix, guint row)
{
	char number[16] = "", name[RDA_ADDRESS_TEXT] = "the others";
	char texts[MATRIX_MOST + 1][RDA_UNITS_TEXT];
	const char *cells[RDA_COLUMNS_MAX] = {number, name};

	if (row < matrix->shown) {
		g_snprintf(number, sizeof(number), "%u", row + 1);
		rda_address_text(
			name,
			&((struct party *)g_ptr_array_index(matrix->order, row))->host->address);
	}
	for (guint i = 0; i + 2 < columns->count; i++) {
		const struct cell *cell = &matrix->cells[row][i];

		g_strlcpy(texts[i], "-", sizeof(texts[i]));
		if (cell->any)
			rda_units_compact(texts[i], cell->bytes);
		if (cell->bad)
			g_strlcat(texts[i], "!", sizeof(texts[i]));
		cells[i + 2] = texts[i];
	}
	rda_columns_row(columns, out, cells);
}

static void print_matrix(struct rda_output *out, struct matrix *matrix)
{
	guint rows = matrix->shown + (matrix->shown < matrix->order->len);
	struct rda_columns columns = {
		.column = {{"#", true, 0, 0}, {"From", false, ADDRESS_LIMIT, 0}},
		.count = rows + 2,
		.width = out->width,
	};
	char titles[MATRIX_MOST + 1][16], number[RDA_UNITS_TEXT];

	for (guint i = 0; i < rows; i++) {
		g_snprintf(titles[i], sizeof(titles[i]), "to %u", i + 1);
		columns.column[i + 2] =
			(struct rda_column){i < matrix->shown ? titles[i] : "others", true, 0, 0};
	}
	rda_print_in(out, RDA_STYLE_BOLD, "\n%s hosts",
		     rda_units_grouped(number, matrix->order->len));
	rda_print(out, ", bytes of payload from one to another (!: with a problem)\n");
	for (guint i = 0; i < rows; i++)
		put_sender(&columns, NULL, matrix, i);
	rda_columns_titles(&columns, out);
	for (guint i = 0; i < rows; i++)
		put_sender(&columns, out, matrix, i);
}

static void report_matrix(struct rda_output *out, const struct rda_report *report)
{
	struct matrix *matrix = g_new0(struct matrix, 1);
	guint room = (out->width - ADDRESS_LIMIT - 6) / CELL_WIDTH;

	matrix->problems = rda_choice_problems(report->result);
	matrix->result = report->result;
	matrix->parties = g_new0(struct party, rda_result_host_count(report->result));
	matrix->order = g_ptr_array_new();
	rda_choice_each_flow(&report->choice, report->result, count_flow, matrix);
	g_ptr_array_sort(matrix->order, busier_first);
	room = MIN(room, MATRIX_MOST);
	matrix->shown = matrix->order->len <= room ? matrix->order->len : room - 1;
	for (guint i = 0; i < matrix->order->len; i++)
		((struct party *)g_ptr_array_index(matrix->order, i))->place =
			MIN(i, matrix->shown);
	if (matrix->order->len >= MATRIX_LEAST) {
		rda_choice_each_flow(&report->choice, report->result, place_flow, matrix);
		print_matrix(out, matrix);
	}
	g_ptr_array_unref(matrix->order);
	g_free(matrix->parties);
	g_free(matrix->problems);
	g_free(matrix);
}

/* ---- what NICs would have counted ------------------------------------------------------------ */

/* Hosts that are told unless all are asked for. */
enum { COUNTING_TOLD = 4 };

struct counting {
	const struct rda_host *host;
	char *counters; /* "packet_seq_err 3, cnp_received 7" */
	uint64_t sum;
};

static void free_counting(void *data)
{
	g_free(((struct counting *)data)->counters);
}

static int more_first(const void *a, const void *b)
{
	const struct counting *x = a, *y = b;

	if (x->sum != y->sum)
		return x->sum > y->sum ? -1 : 1;
	return x->host < y->host ? -1 : 1; /* in order of address */
}

/* Where NAKs may have been lost behind this capture point, timers did what they seemed to do. */
static void append_unheard(GString *text, const struct rda_host *host, const struct rda_nic *nic)
{
	char naks[RDA_UNITS_TEXT], timeouts[RDA_UNITS_TEXT];

	if (!nic->perhaps_timeouts || host->local_ack_timeout_err == RDA_UNKNOWN ||
	    host->packet_seq_err == RDA_UNKNOWN)
		return;
	g_string_append_printf(
		text,
		"; or, if NAKs were lost behind here, packet_seq_err %s, local_ack_timeout_err %s",
		rda_units_grouped(naks, host->packet_seq_err -
						MIN(nic->perhaps_unheard, host->packet_seq_err)),
		rda_units_grouped(timeouts, host->local_ack_timeout_err + nic->perhaps_timeouts));
}

static struct counting counting_of(const struct rda_host *host, const struct rda_nic *nic)
{
	struct counting counting = {.host = host};
	GString *text = g_string_new(NULL);
	char number[RDA_UNITS_TEXT];

#define RDA_C(name)                                                                                \
	if (host->name && host->name != RDA_UNKNOWN) {                                             \
		g_string_append_printf(text, "%s" #name " %s", text->len ? ", " : "",              \
				       rda_units_grouped(number, host->name));                     \
		counting.sum += host->name;                                                        \
	}
	RDA_HOST_COUNTERS(RDA_C)
#undef RDA_C
	append_unheard(text, host, nic);
	counting.counters = g_string_free(text, FALSE);
	return counting;
}

static bool is_chosen(const struct rda_choice *choice, const struct rda_host *host)
{
	char name[RDA_ADDRESS_TEXT];

	return !choice->host ||
	       g_ascii_strcasecmp(rda_address_text(name, &host->address), choice->host) == 0;
}

static void put_counting(struct rda_columns *columns, struct rda_output *out,
			 const struct counting *counting)
{
	char address[RDA_ADDRESS_TEXT];

	rda_columns_row(columns, out,
			(const char *[]){rda_address_text(address, &counting->host->address),
					 counting->counters});
}

static void print_countings(struct rda_output *out, const GArray *all, guint told)
{
	struct rda_columns columns = {
		.column = {{"Host", false, ADDRESS_LIMIT, 0}, {"Counted", false, 0, 0}},
		.count = 2,
		.width = out->width,
	};
	char number[RDA_UNITS_TEXT];

	rda_print_in(out, RDA_STYLE_BOLD, "\nWhat NICs would have counted");
	rda_print(out, ", as far as this capture tells\n");
	for (guint i = 0; i < told; i++)
		put_counting(&columns, NULL, &g_array_index(all, struct counting, i));
	for (guint i = 0; i < told && rda_output_more(out); i++)
		put_counting(&columns, out, &g_array_index(all, struct counting, i));
	if (told < all->len)
		rda_print(out, " and %s more host%s (--all)\n",
			  rda_units_grouped(number, all->len - told),
			  rda_words_plural(all->len - told));
}

static void report_counters(struct rda_output *out, const struct rda_report *report)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(struct counting));
	guint told = report->choice.all ? G_MAXUINT : COUNTING_TOLD;

	g_array_set_clear_func(all, free_counting);
	for (unsigned i = 0; i < rda_result_host_count(report->result); i++) {
		const struct rda_host *host = rda_result_host(report->result, i);
		struct counting counting =
			counting_of(host, rda_result_nic(report->result, host->index));

		if (counting.sum && is_chosen(&report->choice, host))
			g_array_append_val(all, counting);
		else
			g_free(counting.counters);
	}
	g_array_sort(all, more_first);
	if (all->len)
		print_countings(out, all, MIN(all->len, told));
	g_array_unref(all);
}

void rda_report_hosts(struct rda_output *out, const struct rda_report *report)
{
	report_matrix(out, report);
	if (!report->choice.has_connection)
		report_counters(out, report);
}
