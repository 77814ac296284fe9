/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files written whole or not at all: a temporary file beside the name, moved there when its bytes
 * are on the disk. See outfile.h.
 */
#include "analyzer/rdma-analyze/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names tried for the temporary file: each of 2^32, so a second is hardly ever needed. */
#define TRIES 16

struct rda_outfile {
	char *name;	 /* where it is to appear: not that of a symbolic link */
	char *temporary; /* NULL: the name is that of a device, and written to as it is */
	int fd;
	struct rda_outfile *next;
};

/* ---- what signals leave behind --------------------------------------------------------------- */

/* SIGXFSZ is among them to be ignored: a file that may not grow is an error of write(2). */
static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT};

/* Those that are being written; changed with the signals of `ending` blocked. */
static struct rda_outfile *unfinished;

/* Only what is safe in a handler. */
void rda_outfile_remove_temporary(void)
{
	for (const struct rda_outfile *file = unfinished; file; file = file->next)
		if (file->temporary)
			unlink(file->temporary);
}

void rda_outfile_die(int number)
{
	rda_outfile_remove_temporary();
	signal(number, SIG_DFL);
	raise(number);
}

void rda_outfile_watch_signals(void)
{
	static bool watched;
	struct sigaction action = {.sa_handler = rda_outfile_die}, before;

	if (watched)
		return;
	watched = true;
	for (unsigned i = 0; i < G_N_ELEMENTS(ending); i++) {
		sigaction(ending[i], NULL, &before);
		if (before.sa_handler == SIG_DFL) /* nohup ignores SIGHUP: so do we */
			sigaction(ending[i], &action, NULL);
	}
	signal(SIGXFSZ, SIG_IGN);
}

/* Returns what was blocked before, for sigprocmask. */
static sigset_t block_signals(void)
{
	sigset_t set, before;

	sigemptyset(&set);
	for (unsigned i = 0; i < G_N_ELEMENTS(ending); i++)
		sigaddset(&set, ending[i]);
	sigprocmask(SIG_BLOCK, &set, &before);
	return before;
}

/* ---- one file -------------------------------------------------------------------------------- */

/* What the name leads to: a symbolic link stays one, and the file behind it is replaced. */
static char *follow(const char *name)
{
	char *real = realpath(name, NULL), *copy = g_strdup(real ? real : name);

	free(real);
	return copy;
}

/* A new file beside the name, with the rights of the one that it is to replace, if there is one. */
static bool open_temporary(struct rda_outfile *file, const struct stat *replaced)
{
	char *folder = g_path_get_dirname(file->name);

	for (unsigned i = 0; i < TRIES && file->fd < 0 && (i == 0 || errno == EEXIST); i++) {
		g_free(file->temporary);
		file->temporary = g_strdup_printf("%s/.rdma-analyze-%08x", folder, g_random_int());
		file->fd = open(file->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	}
	if (file->fd >= 0 && replaced)
		(void)!fchmod(file->fd, replaced->st_mode & 0777); /* another owner's: as it is */
	g_free(folder);
	return file->fd >= 0;
}

static void free_file(struct rda_outfile *file)
{
	for (struct rda_outfile **at = &unfinished; *at; at = &(*at)->next)
		if (*at == file) {
			*at = file->next;
			break;
		}
	if (file->fd >= 0)
		close(file->fd);
	g_free(file->name);
	g_free(file->temporary);
	g_free(file);
}

struct rda_outfile *rda_outfile_new(const char *name, char **error)
{
	struct rda_outfile *file = g_new(struct rda_outfile, 1);
	struct stat status;
	sigset_t before;
	bool there, opened;

	rda_outfile_watch_signals();
	before = block_signals();
	*file = (struct rda_outfile){.name = follow(name), .fd = -1, .next = unfinished};
	unfinished = file;
	there = stat(file->name, &status) == 0;
	if (there && !S_ISREG(status.st_mode)) /* of a folder: EISDIR */
		opened = (file->fd = open(file->name, O_WRONLY | O_CLOEXEC)) >= 0;
	else
		opened = open_temporary(file, there ? &status : NULL);
	if (!opened) {
		*error = g_strdup(g_strerror(errno));
		free_file(file);
		file = NULL;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return file;
}

int rda_outfile_fd(const struct rda_outfile *file)
{
	return file->fd;
}

const char *rda_outfile_path(const struct rda_outfile *file)
{
	return file->temporary ? file->temporary : file->name;
}

void rda_outfile_each_folder(void (*take)(void *context, const char *folder), void *context)
{
	for (const struct rda_outfile *file = unfinished; file; file = file->next) {
		char *folder = file->temporary ? g_path_get_dirname(file->temporary) : NULL;

		if (folder)
			take(context, folder);
		g_free(folder);
	}
}

/* To the disk, and to its name: a crash behind this leaves the old file or the new one. */
static int settle(const struct rda_outfile *file)
{
	if (!file->temporary)
		return 0;
	if (fsync(file->fd) != 0 && errno != EINVAL) /* EINVAL: of a kind that cannot be synced */
		return errno;
	return rename(file->temporary, file->name) == 0 ? 0 : errno;
}

bool rda_outfile_finish(struct rda_outfile *file, int failure, char **error)
{
	sigset_t before = block_signals();

	if (!failure)
		failure = settle(file);
	if (failure)
		*error = g_strdup(g_strerror(failure));
	if (failure && file->temporary)
		unlink(file->temporary);
	free_file(file);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return !failure;
}

void rda_outfile_drop(struct rda_outfile *file)
{
	char *error = NULL;

	if (file)
		rda_outfile_finish(file, ECANCELED, &error);
	g_free(error);
}
