/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes of an MPI job as a team (team.h): who they are, what they tell each other, and
 * their results, which become one in pairs:
 *
 *     rank 0 <--- 1    2 <--- 3     then    0 <------- 2     then   0 <------- 4 ...
 *
 * How they share the frames of a file: ranks_read.c.
 */
#include "analyzer/rdma-analyze/ranks.h"

#include "analyzer/engine/budget.h"
#include "analyzer/engine/result_pack.h"
#include "analyzer/rdma-analyze/complain.h"
#include "analyzer/rdma-analyze/outfile.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TAG_PACK = 1 };

/* ---- who they are ---------------------------------------------------------------------------- */

/* Literals are told by their place in the program (pack.h): it has to be the same one. */
static void check_program(struct rda_team *team)
{
	guint8 own[32] = {0}, first[32];
	gsize size = sizeof(own), length;
	GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
	char *bytes;
	int same;

	if (g_file_get_contents("/proc/self/exe", &bytes, &length, NULL)) {
		g_checksum_update(sum, (const guint8 *)bytes, (gssize)length);
		g_free(bytes);
	}
	g_checksum_get_digest(sum, own, &size);
	g_checksum_free(sum);
	memcpy(first, own, sizeof(first));
	MPI_Bcast(first, sizeof(first), MPI_BYTE, 0, MPI_COMM_WORLD);
	same = memcmp(first, own, sizeof(own)) == 0;
	MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	if (!same)
		rda_team_fail(team, "the ranks are not all the same build of rdma-analyze-mpi");
}

struct rda_team *rda_team_begin(int *argc, char ***argv)
{
	struct rda_team *team = g_new0(struct rda_team, 1);
	MPI_Comm machine;

	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &team->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &team->count);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
	MPI_Comm_size(machine, &team->here);
	MPI_Comm_free(&machine);
	team->engines = (unsigned)MIN(team->count, RDA_SHARES);
	check_program(team);
	return team;
}

int rda_team_end(struct rda_team *team, int code)
{
	if (!team)
		return code;
	MPI_Finalize();
	code = team->rank == 0 ? code : 0;
	g_free(team);
	return code;
}

bool rda_team_is_first(const struct rda_team *team)
{
	return !team || team->rank == 0;
}

unsigned rda_team_count(const struct rda_team *team)
{
	return team ? (unsigned)team->count : 1;
}

unsigned rda_team_number(const struct rda_team *team)
{
	return team ? (unsigned)team->rank : 0;
}

uint64_t rda_team_memory(const struct rda_team *team, uint64_t memory)
{
	return team ? memory / (unsigned)team->here : memory;
}

void rda_team_fail(struct rda_team *team, const char *format, ...)
{
	char host[MPI_MAX_PROCESSOR_NAME];
	va_list arguments;
	char *message;
	int length;

	(void)team;
	va_start(arguments, format);
	message = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	MPI_Get_processor_name(host, &length);
	rda_complain("%s (rank %d, on %s): nothing is reported", message, team->rank, host);
	rda_outfile_remove_temporary();
	MPI_Abort(MPI_COMM_WORLD, 2);
	_exit(2);
}

/* ---- what they tell -------------------------------------------------------------------------- */

void rda_team_tell(struct rda_team *team, void *value, size_t size)
{
	(void)team;
	MPI_Bcast(value, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD);
}

static void share_bytes(void *from, const uint8_t *bytes, size_t size)
{
	int count = (int)size;

	MPI_Bcast(&count, 1, MPI_INT, *(const int *)from, MPI_COMM_WORLD);
	if (count)
		MPI_Bcast((void *)bytes, count, MPI_BYTE, *(const int *)from, MPI_COMM_WORLD);
}

static size_t take_shared(void *from, uint8_t *bytes)
{
	int count;

	MPI_Bcast(&count, 1, MPI_INT, *(const int *)from, MPI_COMM_WORLD);
	MPI_Bcast(bytes, count, MPI_BYTE, *(const int *)from, MPI_COMM_WORLD);
	return (size_t)count;
}

void rda_team_share(struct rda_team *team, unsigned from, struct rda_pack *pack)
{
	team->from = (int)from;
	if (team->rank == team->from)
		rda_pack_write(pack, share_bytes, &team->from);
	else
		rda_pack_read(pack, take_shared, &team->from);
}

static void send_bytes(void *to, const uint8_t *bytes, size_t size)
{
	MPI_Send(bytes, (int)size, MPI_BYTE, *(const int *)to, TAG_PACK, MPI_COMM_WORLD);
}

static size_t receive_bytes(void *from, uint8_t *bytes)
{
	MPI_Status status;
	int count;

	MPI_Recv(bytes, RDA_PACK_BYTES, MPI_BYTE, *(const int *)from, TAG_PACK, MPI_COMM_WORLD,
		 &status);
	MPI_Get_count(&status, MPI_BYTE, &count);
	return (size_t)count;
}

/* ---- who has whose frames -------------------------------------------------------------------- */

/* Rank 0 has the memory keys of all besides, and in the end their results: of connections it has
 * fewer than others. */
enum { FIRST_MORE_PART = 4 /* by a quarter */ };

static uint64_t load_of(const struct rda_team *team, int rank)
{
	return team->load[rank] + (rank ? 0 : team->load[rank] / FIRST_MORE_PART);
}

/* The class that nobody has and that has the most frames; -1: none has any. */
static int most_of(const struct rda_team *team, const uint64_t frames[RDA_SHARES])
{
	int most = -1;

	for (int i = 0; i < RDA_SHARES; i++)
		if (team->rank_of[i] < 0 && frames[i] && (most < 0 || frames[i] > frames[most]))
			most = i;
	return most;
}

void rda_ranks_give(struct rda_team *team, const uint64_t frames[RDA_SHARES])
{
	int share;

	for (int i = 0; i < RDA_SHARES; i++)
		if (team->rank_of[i] >= 0)
			team->load[team->rank_of[i]] += frames[i];
	while ((share = most_of(team, frames)) >= 0) {
		int16_t least = 0;

		for (int16_t i = 1; i < (int16_t)team->engines; i++)
			if (load_of(team, i) < load_of(team, least))
				least = i;
		team->rank_of[share] = least;
		team->load[least] += frames[share];
	}
}

/* ---- memory keys ----------------------------------------------------------------------------- */

static bool has_engine(const struct rda_team *team)
{
	return team->engine != NULL;
}

static void take_other_keys(struct rda_team *team)
{
	for (unsigned i = 1; i < team->engines; i++) {
		struct rda_pack pack;

		team->from = (int)i;
		rda_pack_read(&pack, receive_bytes, &team->from);
		rda_part_keys_unpack(team->keys, i, &pack);
		rda_pack_end(&pack);
	}
}

void rda_ranks_keys(struct rda_team *team)
{
	struct rda_pack pack;

	if (team->config.count_only || !has_engine(team))
		return;
	if (team->rank == 0) {
		rda_part_keys_take(team->keys, 0, team->engine);
		take_other_keys(team);
		return;
	}
	team->from = 0;
	rda_pack_write(&pack, send_bytes, &team->from);
	rda_part_keys_pack(&pack, team->engine, &team->hosts_known);
	rda_pack_end(&pack);
}

static void end_keys(struct rda_team *team, struct rda_result *result)
{
	struct rda_pack pack;

	if (team->config.count_only || !result)
		return;
	if (team->rank == 0) {
		rda_part_keys_end(team->keys, 0, result);
		take_other_keys(team);
		rda_part_keys_close(team->keys);
		return;
	}
	team->from = 0;
	rda_pack_write(&pack, send_bytes, &team->from);
	rda_part_keys_pack_end(&pack, result, &team->hosts_known);
	rda_pack_end(&pack);
}

/* ---- a tap ----------------------------------------------------------------------------------- */

void rda_team_begin_tap(struct rda_team *team, const struct rda_config *config)
{
	struct rda_config part = *config;

	team->config = *config;
	part.part = true;
	part.part_number = (uint32_t)team->rank;
	part.memory = rda_team_memory(team, config->memory);
	team->keys_every = RDA_RANKS_KEYS_EVERY;
	team->since_keys = 0;
	team->hosts_known = 0;
	team->capture_begun = team->begun = team->had_last = false;
	memset(team->rank_of, -1, sizeof(team->rank_of));
	memset(team->load, 0, sizeof(team->load));
	if ((unsigned)team->rank < team->engines)
		team->engine = rda_engine_new(&part);
	if (team->rank != 0)
		return;
	team->splitter = rda_splitter_new(config);
	part.memory = config->memory; /* as many keys as one process remembers */
	rda_budget_limits(&part);
	if (!config->count_only)
		team->keys = rda_part_keys_new(&part, team->engines);
}

/* What is larger than blocks (blocks.h) and was freed would lie unused beside merged results. */
static void give_back(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

static void send_result(struct rda_team *team, int to, struct rda_result *result)
{
	struct rda_pack pack;

	team->from = to;
	rda_pack_write(&pack, send_bytes, &team->from);
	rda_result_pack(&pack, result);
	rda_pack_end(&pack);
	rda_result_free(result);
}

/* Takes `result`. */
static struct rda_result *merge_with(struct rda_team *team, int from, struct rda_result *result)
{
	struct rda_result *other;
	struct rda_pack pack;

	team->from = from;
	rda_pack_read(&pack, receive_bytes, &team->from);
	other = rda_result_unpack(&pack);
	rda_pack_end(&pack);
	result = rda_result_unite(result, other);
	give_back();
	return result;
}

/* NULL: another has it. */
static struct rda_result *merge_in_pairs(struct rda_team *team, struct rda_result *result)
{
	for (int step = 1; step < (int)team->engines; step *= 2) {
		if (team->rank % (2 * step)) {
			send_result(team, team->rank - step, result);
			return NULL;
		}
		if (team->rank + step < (int)team->engines)
			result = merge_with(team, team->rank + step, result);
	}
	return result;
}

/* Of the last two there is what is known of keys. */
static struct rda_result *merge_last(struct rda_team *team, struct rda_result *parts)
{
	struct rda_result *whole = rda_splitter_result(team->splitter), *all;

	all = team->keys ? rda_part_keys_unite(team->keys, whole, parts)
			 : rda_result_unite(whole, parts);
	rda_splitter_free(team->splitter);
	rda_part_keys_free(team->keys);
	team->splitter = NULL;
	team->keys = NULL;
	return all;
}

struct rda_result *rda_team_end_tap(struct rda_team *team)
{
	struct rda_result *result = NULL;

	rda_ranks_end_capture(team);
	if (has_engine(team)) {
		rda_engine_end(team->engine);
		result = rda_engine_spend(g_steal_pointer(&team->engine));
		give_back();
		end_keys(team, result);
		result = merge_in_pairs(team, result);
	}
	return team->rank == 0 ? merge_last(team, result) : NULL;
}
