/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A queue of the latest packets, and the files that are made of it. See saved.h.
 */
#include "analyzer/rdma-analyze/saved.h"

#include "analyzer/rdma-analyze/capture_out.h"
#include "analyzer/rdma-analyze/complain.h"
#include "analyzer/rdma-analyze/outfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOK_EVERY_NS 1000000000

/* Snapshots cost by the connection: so many packets for each of them are between two. */
#define PACKETS_PER_CONNECTION 64

struct one {
	uint64_t place;
	struct rda_meta meta;
	uint32_t captured, wire;
	uint16_t link;
	uint8_t bytes[];
};

struct rda_saved {
	const struct rda_save_on *on;
	GQueue latest; /* of struct one, oldest first */
	uint64_t bytes;
	uint64_t since, least; /* packets since the last look, and so many are between two */
	int64_t looked_ns;     /* of the packets' time */
	bool begun;
	bool seen[RDA_CHECKS_MAX]; /* by the number of a check: it had a finding */
};

bool rda_saved_has_folder(const struct rda_save_on *on, char **error)
{
	struct stat status;
	int failure = stat(on->folder, &status) != 0	     ? errno
		      : !S_ISDIR(status.st_mode)	     ? ENOTDIR
		      : access(on->folder, W_OK | X_OK) != 0 ? errno
							     : 0;

	if (failure)
		*error = g_strdup_printf("--save-on: %s: %s", on->folder, g_strerror(failure));
	return !failure;
}

struct rda_saved *rda_saved_new(const struct rda_save_on *on)
{
	struct rda_saved *saved = g_new0(struct rda_saved, 1);

	saved->on = on;
	g_queue_init(&saved->latest);
	return saved;
}

void rda_saved_free(struct rda_saved *saved)
{
	if (!saved)
		return;
	g_queue_clear_full(&saved->latest, g_free);
	g_free(saved);
}

void rda_saved_frame(struct rda_saved *saved, uint64_t place, const struct rda_meta *meta,
		     const struct rda_frame *frame)
{
	struct one *one = g_malloc(sizeof(*one) + frame->captured);

	one->place = place;
	one->meta = *meta;
	one->captured = frame->captured;
	one->wire = frame->wire;
	one->link = frame->link;
	memcpy(one->bytes, frame->bytes, frame->captured);
	g_queue_push_tail(&saved->latest, one);
	saved->bytes += frame->captured;
	while (saved->latest.length > 1 &&
	       (saved->latest.length > RDA_SAVED_PACKETS || saved->bytes > RDA_SAVED_BYTES)) {
		struct one *oldest = g_queue_pop_head(&saved->latest);

		saved->bytes -= oldest->captured;
		g_free(oldest);
	}
	saved->since++;
	if (!saved->begun)
		saved->looked_ns = meta->time_ns;
	saved->begun = true;
}

bool rda_saved_is_due(const struct rda_saved *saved)
{
	const struct one *latest = g_queue_peek_tail((GQueue *)(void *)&saved->latest);

	return latest && latest->meta.time_ns - saved->looked_ns >= LOOK_EVERY_NS &&
	       saved->since >= saved->least;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool is_listed(const struct rda_finding *finding, uint64_t place)
{
	unsigned count;
	const uint64_t *places = rda_finding_places(finding, &count);

	for (unsigned i = 0; i < count; i++)
		if (places[i] == place)
			return true;
	return false;
}

/* Where to begin: so many packets before the first that is listed, of those that are kept. */
static const GList *first_to_write(struct rda_saved *saved, const struct rda_finding *finding)
{
	const GList *at = saved->latest.head;

	while (at && !is_listed(finding, ((const struct one *)at->data)->place))
		at = at->next;
	for (unsigned i = 0; at && at->prev && i < RDA_SAVED_BEFORE; i++)
		at = at->prev;
	return at ? at : saved->latest.head;
}

static int write_packets(struct rda_saved *saved, const struct rda_finding *finding, int fd)
{
	struct rda_capture_out out;
	char *words = rda_finding_text(finding);
	char *comment =
		g_strdup_printf("%s %s", rda_finding_check(finding)->code, words ? words : "");
	GPtrArray *comments = g_ptr_array_new();

	g_ptr_array_add(comments, comment);
	rda_capture_out_init(&out, fd);
	for (const GList *at = first_to_write(saved, finding); at; at = at->next) {
		const struct one *one = at->data;
		const struct rda_frame frame = {one->bytes, one->captured, one->wire, one->link};

		rda_capture_out_frame(&out, &one->meta, &frame,
				      is_listed(finding, one->place) ? comments : NULL);
	}
	g_ptr_array_unref(comments);
	g_free(comment);
	free(words);
	return rda_capture_out_end(&out);
}

static bool save(struct rda_saved *saved, const struct rda_finding *finding)
{
	unsigned count;
	const uint64_t *places = rda_finding_places(finding, &count);
	char *base = g_strdup_printf("%s-%" PRIu64 ".pcapng", rda_finding_check(finding)->code,
				     count ? rda_place_number(places[0]) : 0);
	char *name = g_build_filename(saved->on->folder, base, NULL), *error = NULL;
	struct rda_outfile *file = rda_outfile_new(name, &error);
	bool good = file &&
		    rda_outfile_finish(file, write_packets(saved, finding, rda_outfile_fd(file)),
				       &error);

	if (!good)
		rda_complain("%s: %s", name, error);
	g_free(error);
	g_free(name);
	g_free(base);
	return good;
}

static bool is_wanted(const struct rda_save_on *on, const struct rda_finding *finding)
{
	if (on->code)
		return strcmp(on->code, rda_finding_check(finding)->code) == 0;
	return rda_finding_severity(finding) >= on->severity;
}

bool rda_saved_look(struct rda_saved *saved, const struct rda_result *result)
{
	const struct one *latest = g_queue_peek_tail(&saved->latest);
	bool good = true;

	for (unsigned i = 0; i < rda_result_finding_count(result); i++) {
		const struct rda_finding *finding = rda_result_finding(result, i);
		int check = rda_check_number(rda_finding_check(finding)->code);

		if (saved->seen[check] || !is_wanted(saved->on, finding))
			continue;
		saved->seen[check] = true;
		good &= save(saved, finding);
	}
	saved->since = 0;
	saved->least = (uint64_t)rda_result_connection_count(result) * PACKETS_PER_CONNECTION;
	if (latest)
		saved->looked_ns = latest->meta.time_ns;
	return good;
}
