/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program of one process. See team.h; only rda_team_begin and what takes NULL is ever called.
 */
#include "analyzer/rdma-analyze/team.h"

#include <stdlib.h>

struct rda_team *rda_team_begin(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return NULL;
}

int rda_team_end(struct rda_team *team, int code)
{
	(void)team;
	return code;
}

bool rda_team_is_first(const struct rda_team *team)
{
	return !team;
}

unsigned rda_team_count(const struct rda_team *team)
{
	(void)team;
	return 1;
}

unsigned rda_team_number(const struct rda_team *team)
{
	(void)team;
	return 0;
}

void rda_team_fail(struct rda_team *team, const char *format, ...)
{
	(void)team;
	(void)format;
	abort();
}

void rda_team_share(struct rda_team *team, unsigned from, struct rda_pack *pack)
{
	(void)team;
	(void)from;
	(void)pack;
}

void rda_team_tell(struct rda_team *team, void *value, size_t size)
{
	(void)team;
	(void)value;
	(void)size;
}

uint64_t rda_team_memory(const struct rda_team *team, uint64_t memory)
{
	(void)team;
	return memory;
}

void rda_team_begin_tap(struct rda_team *team, const struct rda_config *config)
{
	(void)team;
	(void)config;
}

void rda_team_begin_capture(struct rda_team *team, bool continues)
{
	(void)team;
	(void)continues;
}

struct rda_team_end rda_team_read(struct rda_team *team, struct rda_source *source,
				  const struct rda_team_reader *reader)
{
	(void)team;
	(void)source;
	(void)reader;
	return (struct rda_team_end){NULL, RDA_OFFSET_UNKNOWN};
}

struct rda_result *rda_team_end_tap(struct rda_team *team)
{
	(void)team;
	return NULL;
}
