/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at files before they are analyzed. See survey.h.
 */
#include "analyzer/rdma-analyze/survey.h"

#include "analyzer/rdma-analyze/interrupt.h"
#include "analyzer/rdma-analyze/progress.h"
#include "analyzer/rdma-analyze/source_interface.h"

#include <glib.h>
#include <string.h>
#include <sys/stat.h>

bool rda_survey_can_reread(const char *file)
{
	struct stat status;

	return strcmp(file, "-") != 0 && stat(file, &status) == 0 && S_ISREG(status.st_mode);
}

/* A file of which no other interface is seen among its first frames is not read to its end for it:
 * capturing programs tell them all at the beginning, and most have but one. */
enum { FIRST_FRAMES = 1000 };

/* More interfaces of one file are not told apart. */
enum { INTERFACES = 64 };

/* What is in a file. */
struct looked {
	struct rda_sketch whole;
	struct rda_sketch interfaces[INTERFACES];
	uint32_t numbers[INTERFACES]; /* meta.tap */
	uint32_t count;
	bool too_many;
	bool parted; /* its interfaces are taps of the same traffic */
};

static struct looked *looked_new(void)
{
	struct looked *looked = g_new0(struct looked, 1);

	rda_sketch_init(&looked->whole);
	return looked;
}

static void looked_free(struct looked *looked)
{
	rda_sketch_cleanup(&looked->whole);
	for (uint32_t i = 0; i < looked->count; i++)
		rda_sketch_cleanup(&looked->interfaces[i]);
	g_free(looked);
}

/* NULL: there are too many. */
static struct rda_sketch *interface_of(struct looked *looked, uint32_t number)
{
	for (uint32_t i = 0; i < looked->count; i++)
		if (looked->numbers[i] == number)
			return &looked->interfaces[i];
	if (looked->count == INTERFACES) {
		looked->too_many = true;
		return NULL;
	}
	looked->numbers[looked->count] = number;
	rda_sketch_init(&looked->interfaces[looked->count]);
	return &looked->interfaces[looked->count++];
}

static void take(struct looked *looked, const struct rda_meta *meta, const struct rda_frame *frame,
		 const struct rda_packet *packet)
{
	struct rda_sketch *interface = interface_of(looked, meta->tap);

	rda_sketch_frame(&looked->whole, meta, frame, packet);
	if (interface)
		rda_sketch_frame(interface, meta, frame, packet);
}

/* `alone`: it is the only file, and matters for its interfaces. */
static void look(struct looked *looked, const char *file, bool alone,
		 const struct rda_options *options, struct rda_filter *filter)
{
	int64_t offset;
	char *error = NULL;
	struct rda_source *source =
		rda_source_open(file, (enum rda_reader)options->reader, &error, &offset);
	struct rda_dissect_config config = {.port_count = options->ports.count};
	struct rda_progress_line progress;
	struct rda_packet packet;
	struct rda_frame frame;
	struct rda_meta meta;
	uint64_t frames = 0;

	g_free(error);
	if (!source)
		return;
	memcpy(config.ports, options->ports.port, sizeof(config.ports));
	rda_progress_begin(&progress, !options->no_progress);
	while (!rda_interrupt_came() && source->next(source, &meta, &frame) == RDA_SOURCE_FRAME) {
		rda_progress_frame(&progress, file, ++frames, source->position, source->size);
		if (alone && frames > FIRST_FRAMES && looked->count < 2)
			break;
		if (filter && rda_filter_frame(filter, &frame) != RDA_FILTER_PASS)
			continue;
		rda_dissect(&packet, &frame, &config);
		take(looked, &meta, &frame, &packet);
	}
	rda_progress_end(&progress);
	source->close(source);
}

static void add(GArray *inputs, struct rda_surveyed input, struct rda_sketch *sketch)
{
	input.sketch = *sketch;
	rda_sketch_init(sketch); /* it is moved */
	g_array_append_val(inputs, input);
}

static struct looked *look_at(const char *file, bool alone, const struct rda_options *options,
			      struct rda_filter *filter)
{
	struct looked *looked = looked_new();

	if (rda_survey_can_reread(file))
		look(looked, file, alone, options, filter);
	rda_sketch_settle(&looked->whole);
	for (uint32_t i = 0; i < looked->count; i++)
		rda_sketch_settle(&looked->interfaces[i]);
	return looked;
}

/* What one process looked at, for all. */
static struct looked *share(struct rda_team *team, unsigned from, struct looked *looked)
{
	struct rda_pack pack;

	rda_team_share(team, from, &pack);
	if (!looked)
		looked = g_new0(struct looked, 1);
	rda_pack_bytes(&pack, looked->numbers, sizeof(looked->numbers));
	rda_pack_bytes(&pack, &looked->count, sizeof(looked->count));
	rda_pack_bytes(&pack, &looked->too_many, sizeof(looked->too_many));
	rda_sketch_pack(&pack, &looked->whole);
	for (uint32_t i = 0; i < looked->count; i++)
		rda_sketch_pack(&pack, &looked->interfaces[i]);
	rda_pack_end(&pack);
	return looked;
}

/* Whether interfaces of a file that --tap names are taps: of its tap all files' are, or none's. */
static bool is_tap_parted(const struct rda_options *options, struct looked *const *looked,
			  uint32_t files, uint32_t index)
{
	const char *tap = rda_options_tap_of(options, index);
	bool any = false;

	for (uint32_t i = 0; i < files; i++) {
		const char *of = rda_options_tap_of(options, i);

		if (!of || strcmp(of, tap) != 0 || (looked[i]->count < 2 && !looked[i]->too_many))
			continue;
		if (!looked[i]->parted)
			return false;
		any = true;
	}
	return any;
}

/* Names stay until the program ends, as those of options do. */
static const char *name_of_interface(const char *tap, uint32_t interface)
{
	char *name = g_strdup_printf("%s, interface %u", tap, interface);
	const char *kept = g_intern_string(name);

	g_free(name);
	return kept;
}

static void survey_file(GArray *inputs, const struct rda_options *options, uint32_t index,
			struct looked *const *all, uint32_t files)
{
	const char *tap = rda_options_tap_of(options, index);
	struct looked *looked = all[index];
	struct rda_surveyed input = {options->files[index], tap, false, 0, {0}};

	input.by_interface =
		looked->count && (tap ? is_tap_parted(options, all, files, index) : looked->parted);
	for (uint32_t i = 0; input.by_interface && i < looked->count; i++) {
		input.interface = looked->numbers[i];
		input.tap = tap ? name_of_interface(tap, input.interface) : NULL;
		add(inputs, input, &looked->interfaces[i]);
	}
	if (!input.by_interface)
		add(inputs, input, &looked->whole);
}

struct rda_survey *rda_survey_new(const struct rda_options *options, struct rda_filter *filter,
				  struct rda_team *team)
{
	unsigned processes = rda_team_count(team), own = rda_team_number(team);
	uint32_t files = g_strv_length(options->files);
	struct looked **looked = g_new0(struct looked *, files);
	struct rda_survey *survey = g_new0(struct rda_survey, 1);
	GArray *inputs = g_array_new(FALSE, FALSE, sizeof(struct rda_surveyed));
	struct rda_relation_input *related;

	for (uint32_t i = 0; i < files; i++)
		if (!team || i % processes == own)
			looked[i] = look_at(options->files[i], files == 1, options, filter);
	for (uint32_t i = 0; i < files; i++) {
		if (team)
			looked[i] = share(team, i % processes, looked[i]);
		looked[i]->parted =
			!looked[i]->too_many &&
			rda_relation_of_interfaces(looked[i]->interfaces, looked[i]->count);
	}
	for (uint32_t i = 0; i < files; i++)
		survey_file(inputs, options, i, looked, files);
	for (uint32_t i = 0; i < files; i++)
		looked_free(looked[i]);
	g_free(looked);
	survey->count = inputs->len;
	survey->inputs = (struct rda_surveyed *)(void *)g_array_free(inputs, FALSE);
	related = g_new0(struct rda_relation_input, survey->count);
	for (uint32_t i = 0; i < survey->count; i++)
		related[i] = (struct rda_relation_input){
			survey->inputs[i].file, survey->inputs[i].tap, &survey->inputs[i].sketch};
	survey->relation = rda_relation_find(related, survey->count);
	g_free(related);
	return survey;
}

const struct rda_surveyed *rda_survey_seat(const struct rda_survey *survey, uint32_t seat)
{
	return &survey->inputs[survey->relation->seats[seat].input];
}

struct rda_source *rda_survey_open(const struct rda_survey *survey, uint32_t seat,
				   const struct rda_options *options, char **error, int64_t *offset)
{
	const struct rda_surveyed *of = rda_survey_seat(survey, seat);
	struct rda_source *source =
		rda_source_open(of->file, (enum rda_reader)options->reader, error, offset);

	return source && of->by_interface ? rda_source_interface(source, of->interface) : source;
}

uint64_t rda_survey_bytes(const struct rda_survey *survey, uint32_t tap)
{
	uint64_t bytes = 0;
	struct stat status;

	for (uint32_t i = 0; survey && i < survey->relation->count; i++)
		if (survey->relation->seats[i].tap == tap &&
		    stat(rda_survey_seat(survey, i)->file, &status) == 0 && S_ISREG(status.st_mode))
			bytes += (uint64_t)status.st_size;
	return bytes;
}

static bool is_seat_plain(const struct rda_survey *survey, uint32_t seat,
			  const struct rda_options *options)
{
	int64_t offset;
	char *error = NULL;
	struct rda_source *source = NULL;
	bool plain;

	if (rda_survey_can_reread(rda_survey_seat(survey, seat)->file))
		source = rda_survey_open(survey, seat, options, &error, &offset);
	plain = source && source->plain;
	g_free(error);
	if (source)
		source->close(source);
	return plain;
}

bool rda_survey_is_plain(const struct rda_survey *survey, uint32_t tap,
			 const struct rda_options *options)
{
	for (uint32_t i = 0; survey && i < survey->relation->count; i++)
		if (survey->relation->seats[i].tap == tap && !is_seat_plain(survey, i, options))
			return false;
	return survey != NULL;
}

void rda_survey_tell(const struct rda_survey *survey, uint32_t seat, struct rda_origin *origin)
{
	if (!survey)
		return;
	origin->by_interface = rda_survey_seat(survey, seat)->by_interface;
	origin->interface = rda_survey_seat(survey, seat)->interface;
}

void rda_survey_free(struct rda_survey *survey)
{
	if (!survey)
		return;
	for (uint32_t i = 0; i < survey->count; i++)
		rda_sketch_cleanup(&survey->inputs[i].sketch);
	rda_relation_free(survey->relation);
	g_free(survey->inputs);
	g_free(survey);
}
