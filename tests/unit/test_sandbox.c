/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether what the sandbox forbids is forbidden, and what it allows is not. Each try is a process
 * of its own, as there is no way out.
 */
#include "analyzer/rdma-analyze/sandbox.h"

#include <check.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/suite.h"

static char *folder, *allowed, *shown, *other;

static void make_files(void)
{
	folder = g_dir_make_tmp("rda-sandbox-XXXXXX", NULL);
	allowed = g_build_filename(folder, "allowed", NULL);
	shown = g_build_filename(folder, "shown", NULL);
	other = g_build_filename(folder, "other", NULL);
	ck_assert_int_eq(g_mkdir(allowed, 0700), 0);
	ck_assert(g_file_set_contents(shown, "1", 1, NULL));
	ck_assert(g_file_set_contents(other, "2", 1, NULL));
}

static void remove_files(void)
{
	g_unlink(shown);
	g_unlink(other);
	g_rmdir(allowed);
	g_rmdir(folder);
	g_free(folder);
	g_free(allowed);
	g_free(shown);
	g_free(other);
}

/* 0 where it could be done, else errno */
typedef int attempt(void);

static int outcome(bool done)
{
	return done ? 0 : errno;
}

static int read_shown(void)
{
	return outcome(open(shown, O_RDONLY) >= 0);
}

static int write_shown(void)
{
	return outcome(open(shown, O_WRONLY) >= 0);
}

static int read_other(void)
{
	return outcome(open(other, O_RDONLY) >= 0);
}

static int remove_other(void)
{
	return outcome(unlink(other) == 0);
}

static int make_beside(void)
{
	char *name = g_build_filename(folder, "new", NULL);

	return outcome(open(name, O_WRONLY | O_CREAT, 0600) >= 0);
}

/* As a report gets its name: made, written, renamed; and removed for the next try. */
static int write_allowed(void)
{
	char *name = g_build_filename(allowed, "new", NULL);
	char *last = g_build_filename(allowed, "last", NULL);
	int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);

	return outcome(fd >= 0 && write(fd, "3", 1) == 1 && rename(name, last) == 0 &&
		       unlink(last) == 0);
}

static int start_program(void)
{
	execl("/bin/true", "true", (char *)NULL);
	return errno;
}

static int open_socket(void)
{
	return outcome(socket(AF_INET, SOCK_STREAM, 0) >= 0);
}

static int open_local_socket(void)
{
	int ends[2];

	return outcome(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
}

static const struct {
	attempt *attempt;
	unsigned part; /* which must hold for it to be refused */
	int refused;   /* errno; 0: it is allowed */
} attempts[] = {
	{read_shown, RDA_SANDBOX_FILES, 0},
	{write_shown, RDA_SANDBOX_FILES, EACCES},
	{read_other, RDA_SANDBOX_FILES, EACCES},
	{remove_other, RDA_SANDBOX_FILES, EACCES},
	{make_beside, RDA_SANDBOX_FILES, EACCES},
	{write_allowed, RDA_SANDBOX_FILES, 0},
	{start_program, RDA_SANDBOX_CALLS, EPERM},
	{open_socket, RDA_SANDBOX_CALLS, EPERM},
	{open_local_socket, RDA_SANDBOX_CALLS, EPERM},
};

/* In a child: the outcome of an attempt inside of the sandbox, 255 where its part does not hold. */
static int try_in_child(attempt *tried, unsigned part)
{
	const struct rda_sandbox_path paths[] = {
		{shown, RDA_SANDBOX_READ},
		{allowed, RDA_SANDBOX_WRITE},
		{(char *)"/no/such/file", RDA_SANDBOX_READ},
	};
	pid_t child = fork();
	int status;

	if (child == 0) {
		unsigned holds = rda_sandbox_enter(paths, G_N_ELEMENTS(paths));

		_exit(holds & part ? tried() : 255);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

START_TEST(test_attempts)
{
	unsigned part = attempts[_i].part;
	int outcome = try_in_child(attempts[_i].attempt, part);

	if (rda_sandbox_offered() & part)
		ck_assert_int_eq(outcome, attempts[_i].refused);
	else
		ck_assert_int_eq(outcome, 255);
}
END_TEST

Suite *rda_suite_sandbox(void)
{
	Suite *suite = suite_create("sandbox");
	TCase *tcase = tcase_create("attempts");

	tcase_add_checked_fixture(tcase, make_files, remove_files);
	tcase_add_loop_test(tcase, test_attempts, 0, G_N_ELEMENTS(attempts));
	suite_add_tcase(suite, tcase);
	return suite;
}
