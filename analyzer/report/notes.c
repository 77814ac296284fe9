/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sorted list of (frame, check), searched by halves.
 */
#include "analyzer/report/notes.h"

struct note {
	uint64_t place;
	uint16_t check;
};

static int compare(const void *one, const void *two)
{
	const struct note *a = one, *b = two;

	if (a->place != b->place)
		return a->place < b->place ? -1 : 1;
	return a->check - b->check;
}

void rda_notes_init(struct rda_notes *notes, const struct rda_result *result)
{
	notes->notes = g_array_new(FALSE, FALSE, sizeof(struct note));
	for (unsigned i = 0; i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);

		for (unsigned j = 0; j < finding->place_count; j++) {
			struct note note = {finding->places[j], finding->key.check};

			g_array_append_val(notes->notes, note);
		}
	}
	g_array_sort(notes->notes, compare);
}

void rda_notes_cleanup(struct rda_notes *notes)
{
	g_array_free(notes->notes, TRUE);
}

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

unsigned rda_notes_of(const struct rda_notes *notes, uint64_t place, const char **codes,
		      unsigned most)
{
	unsigned count = 0;

	for (guint i = first_of(notes, place); i < notes->notes->len && count < most; i++) {
		const struct note *note = &g_array_index(notes->notes, struct note, i);
		const char *code = rda_check_row((enum rda_check)note->check)->code;

		if (note->place != place)
			break;
		if (count == 0 || codes[count - 1] != code)
			codes[count++] = code;
	}
	return count;
}
