/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorted lists, searched by halves: of (frame, finding), and of findings about packets of a kind.
 * See notes.h.
 */
#include "analyzer/report/notes.h"

#include "analyzer/base/address.h"
#include "analyzer/engine/trace.h"

struct note {
	uint64_t place;
	uint32_t finding;
};

struct kind_note {
	int32_t connection;
	int8_t flow;
	uint8_t covers; /* enum rda_covers */
	uint32_t finding;
};

/* The direction of a damaged packet is not looked at: it may name any. */
struct damage_note {
	struct rda_address source; /* of no kind: those of the capture whose sources are unknown */
	uint32_t capture;	   /* then; else 0 */
	uint32_t finding;
};

static int compare(const void *one, const void *two)
{
	const struct note *a = one, *b = two;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return (a->finding > b->finding) - (a->finding < b->finding);
}

static int compare_directions(const struct kind_note *a, const struct kind_note *b)
{
	if (a->connection != b->connection)
		return a->connection < b->connection ? -1 : 1;
	return a->flow - b->flow;
}

static int compare_kinds(const void *one, const void *two)
{
	const struct kind_note *a = one, *b = two;
	int by_direction = compare_directions(a, b);

	return by_direction ? by_direction : (a->finding > b->finding) - (a->finding < b->finding);
}

static int compare_damage(const void *one, const void *two)
{
	const struct damage_note *a = one, *b = two;
	int by_source = rda_address_compare(&a->source, &b->source);

	return by_source ? by_source : (a->capture > b->capture) - (a->capture < b->capture);
}

static void add_note(struct rda_notes *notes, uint64_t place, uint32_t finding)
{
	struct note note = {place, finding};

	g_array_append_val(notes->notes, note);
}

static void add_damage(struct rda_notes *notes, const struct rda_finding *finding, uint32_t index)
{
	const struct rda_subject *subject = &finding->key.subject;
	struct damage_note note = {.finding = index};

	if (subject->kind == RDA_SUBJECT_HOST)
		note.source = rda_result_host_of_index(notes->result, subject->index)->address;
	else
		note.capture = subject->index;
	g_array_append_val(notes->damaged, note);
}

static void add_finding(struct rda_notes *notes, const struct rda_finding *finding, uint32_t index)
{
	struct kind_note kind = {finding->connection, finding->flow, finding->covers, index};

	for (unsigned i = 0; i < finding->place_count; i++)
		add_note(notes, finding->places[i], index);
	for (uint32_t i = 0; i < finding->more_count; i++)
		add_note(notes, finding->more[i], index);
	if (finding->covers == RDA_COVERS_DAMAGED)
		add_damage(notes, finding, index);
	else if (finding->covers != RDA_COVERS_LISTED)
		g_array_append_val(notes->kinds, kind);
}

void rda_notes_init(struct rda_notes *notes, const struct rda_result *result)
{
	notes->result = result;
	notes->notes = g_array_new(FALSE, FALSE, sizeof(struct note));
	notes->kinds = g_array_new(FALSE, FALSE, sizeof(struct kind_note));
	notes->damaged = g_array_new(FALSE, FALSE, sizeof(struct damage_note));
	notes->found = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	for (uint32_t i = 0; i < rda_result_finding_count(result); i++)
		add_finding(notes, rda_result_finding(result, i), i);
	g_array_sort(notes->notes, compare);
	g_array_sort(notes->kinds, compare_kinds);
	g_array_sort(notes->damaged, compare_damage);
}

void rda_notes_cleanup(struct rda_notes *notes)
{
	g_array_free(notes->notes, TRUE);
	g_array_free(notes->kinds, TRUE);
	g_array_free(notes->damaged, TRUE);
	g_array_free(notes->found, TRUE);
}

/* ---- packets of a kind ----------------------------------------------------------------------- */

/* The index of the first finding about packets of a direction, or of a later one. */
static guint first_kind(const struct rda_notes *notes, const struct kind_note *direction)
{
	guint low = 0, high = notes->kinds->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (compare_directions(&g_array_index(notes->kinds, struct kind_note, middle),
				       direction) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_of_kind(uint8_t covers, const struct rda_noted *frame)
{
	switch (covers) {
	case RDA_COVERS_RESENT: return frame->standing == RDA_STANDING_RESENT;
	case RDA_COVERS_RESENT_NAK:
		return frame->standing == RDA_STANDING_RESENT && frame->trigger == RDA_TRIGGER_NAK;
	case RDA_COVERS_RESENT_LATE:
		return frame->standing == RDA_STANDING_RESENT && frame->trigger != RDA_TRIGGER_RNR;
	default: return false;
	}
}

static void find_resent(struct rda_notes *notes, const struct rda_noted *frame)
{
	const struct kind_note direction = {.connection = frame->verdict.connection,
					    .flow = frame->verdict.flow};

	for (guint i = first_kind(notes, &direction); i < notes->kinds->len; i++) {
		const struct kind_note *kind = &g_array_index(notes->kinds, struct kind_note, i);

		if (compare_directions(kind, &direction) != 0)
			break;
		if (is_of_kind(kind->covers, frame))
			g_array_append_val(notes->found, kind->finding);
	}
}

static bool find_damage(struct rda_notes *notes, const struct damage_note *wanted)
{
	guint index;

	if (!g_array_binary_search(notes->damaged, wanted, compare_damage, &index))
		return false;
	g_array_append_val(notes->found,
			   g_array_index(notes->damaged, struct damage_note, index).finding);
	return true;
}

/* That of its host; or else that of the capture, which has those of hosts that are not known. */
static void find_damaged(struct rda_notes *notes, const struct rda_noted *frame)
{
	struct damage_note of_host = {0};
	const struct damage_note of_capture = {.capture = rda_place_capture(frame->place)};

	if (frame->source)
		of_host.source = *frame->source;
	if (!of_host.source.kind || !find_damage(notes, &of_host))
		find_damage(notes, &of_capture);
}

/* ---- a frame --------------------------------------------------------------------------------- */

/* The index of the first note of a place or of a later one. */
static guint first_of(const struct rda_notes *notes, uint64_t place)
{
	guint low = 0, high = notes->notes->len;

	while (low < high) {
		guint middle = low + (high - low) / 2;

		if (g_array_index(notes->notes, struct note, middle).place < place)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int compare_indices(const void *one, const void *two)
{
	uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)two;

	return (a > b) - (a < b);
}

/* In order, each once. */
static void tidy(GArray *found)
{
	uint32_t *indices = (uint32_t *)(void *)found->data;
	guint count = 0;

	g_array_sort(found, compare_indices);
	for (guint i = 0; i < found->len; i++)
		if (count == 0 || indices[count - 1] != indices[i])
			indices[count++] = indices[i];
	g_array_set_size(found, count);
}

const uint32_t *rda_notes_of(struct rda_notes *notes, const struct rda_noted *frame,
			     unsigned *count)
{
	g_array_set_size(notes->found, 0);
	for (guint i = first_of(notes, frame->place); i < notes->notes->len; i++) {
		const struct note *note = &g_array_index(notes->notes, struct note, i);

		if (note->place != frame->place)
			break;
		g_array_append_val(notes->found, note->finding);
	}
	if (frame->standing == RDA_STANDING_RESENT && frame->verdict.connection >= 0)
		find_resent(notes, frame);
	if (frame->verdict.icrc == RDA_ICRC_BAD)
		find_damaged(notes, frame);
	if (notes->found->len > 1)
		tidy(notes->found);
	*count = notes->found->len;
	return (const uint32_t *)(void *)notes->found->data;
}

unsigned rda_notes_codes(struct rda_notes *notes, const struct rda_noted *frame, const char **codes,
			 unsigned most)
{
	unsigned found, count = 0;
	const uint32_t *indices = rda_notes_of(notes, frame, &found);
	uint32_t next = 0;

	while (found && count < most) {
		uint32_t least = RDA_CHECK_COUNT;

		for (unsigned i = 0; i < found; i++) {
			uint32_t check = rda_result_finding(notes->result, indices[i])->key.check;

			if (check >= next && check < least)
				least = check;
		}
		if (least == RDA_CHECK_COUNT)
			break;
		codes[count++] = rda_check_row((enum rda_check)least)->code;
		next = least + 1;
	}
	return count;
}
