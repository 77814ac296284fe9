/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file appears under its name when it is complete, and else leaves nothing behind.
 */
#include "analyzer/rdma-analyze/outfile.h"
#include "tests/unit/suite.h"

#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder, *name;

static void make_folder(void)
{
	folder = g_dir_make_tmp("outfile-XXXXXX", NULL);
	ck_assert_ptr_nonnull(folder);
	name = g_build_filename(folder, "report", NULL);
}

static unsigned count_files(void)
{
	GDir *dir = g_dir_open(folder, 0, NULL);
	unsigned count = 0;

	while (g_dir_read_name(dir))
		count++;
	g_dir_close(dir);
	return count;
}

static void remove_folder(void)
{
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *entry;

	while ((entry = g_dir_read_name(dir)) != NULL) {
		char *path = g_build_filename(folder, entry, NULL);

		g_unlink(path);
		g_free(path);
	}
	g_dir_close(dir);
	ck_assert_int_eq(g_rmdir(folder), 0);
	g_free(folder);
	g_free(name);
}

static struct rda_outfile *begin(const char *text)
{
	char *error = NULL;
	struct rda_outfile *file = rda_outfile_new(name, &error);

	ck_assert_msg(file != NULL, "%s", error);
	ck_assert_int_eq(write(rda_outfile_fd(file), text, strlen(text)), (ssize_t)strlen(text));
	return file;
}

static void must_hold(const char *want)
{
	char *text = NULL;

	ck_assert(g_file_get_contents(name, &text, NULL, NULL));
	ck_assert_str_eq(text, want);
	g_free(text);
}

static void finish(struct rda_outfile *file)
{
	char *error = NULL;

	ck_assert_msg(rda_outfile_finish(file, 0, &error), "%s", error);
}

START_TEST(it_appears_when_it_is_finished)
{
	struct rda_outfile *file = begin("new");
	struct stat status;
	mode_t mask = umask(0);

	umask(mask);
	ck_assert(!g_file_test(name, G_FILE_TEST_EXISTS));
	ck_assert(g_file_test(rda_outfile_path(file), G_FILE_TEST_EXISTS));
	finish(file);
	must_hold("new");
	ck_assert_uint_eq(count_files(), 1);
	ck_assert_int_eq(g_stat(name, &status), 0);
	ck_assert_uint_eq(status.st_mode & 0777, 0666 & ~mask);
}
END_TEST

START_TEST(what_was_there_stays_until_then)
{
	struct rda_outfile *file;
	struct stat status;

	ck_assert(g_file_set_contents(name, "old", -1, NULL));
	ck_assert_int_eq(g_chmod(name, 0640), 0);
	file = begin("new");
	must_hold("old");
	rda_outfile_drop(file);
	must_hold("old");
	finish(begin("new"));
	must_hold("new");
	ck_assert_int_eq(g_stat(name, &status), 0);
	ck_assert_uint_eq(status.st_mode & 0777, 0640);
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(a_failure_leaves_nothing)
{
	char *error = NULL;

	ck_assert(!rda_outfile_finish(begin("half"), ENOSPC, &error));
	ck_assert_str_eq(error, g_strerror(ENOSPC));
	g_free(error);
	rda_outfile_drop(begin("half"));
	rda_outfile_drop(NULL);
	ck_assert_uint_eq(count_files(), 0);
}
END_TEST

START_TEST(a_name_that_cannot_be_is_told_at_once)
{
	char *error = NULL;

	ck_assert_ptr_null(rda_outfile_new("/no/such/folder/report", &error));
	ck_assert_str_eq(error, g_strerror(ENOENT));
	g_free(error);
	ck_assert_ptr_null(rda_outfile_new(folder, &error));
	ck_assert_str_eq(error, g_strerror(EISDIR));
	g_free(error);
}
END_TEST

START_TEST(a_link_stays_a_link)
{
	char *link = g_build_filename(folder, "link", NULL), *error = NULL;
	struct rda_outfile *file;

	ck_assert(g_file_set_contents(name, "old", -1, NULL));
	ck_assert_int_eq(symlink("report", link), 0);
	file = rda_outfile_new(link, &error);
	ck_assert_msg(file != NULL, "%s", error);
	ck_assert_int_eq(write(rda_outfile_fd(file), "new", 3), 3);
	finish(file);
	ck_assert(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
	must_hold("new");
	g_free(link);
}
END_TEST

START_TEST(a_device_is_written_to_as_it_is)
{
	char *error = NULL;
	struct rda_outfile *file = rda_outfile_new("/dev/full", &error);

	ck_assert_msg(file != NULL, "%s", error);
	ck_assert_str_eq(rda_outfile_path(file), "/dev/full");
	ck_assert_int_eq(write(rda_outfile_fd(file), "x", 1), -1);
	ck_assert(!rda_outfile_finish(file, errno, &error));
	ck_assert_str_eq(error, g_strerror(ENOSPC));
	g_free(error);
	ck_assert(g_file_test("/dev/full", G_FILE_TEST_EXISTS));
}
END_TEST

/* What a child that is writing two files leaves when a signal ends it. */
START_TEST(a_signal_leaves_nothing)
{
	static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT};
	int status;
	pid_t child = fork();

	if (child == 0) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		signal(signals[_i], SIG_DFL); /* Check has handlers of its own */
		begin("half");
		begin("half");
		raise(signals[_i]);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), signals[_i]);
	ck_assert_uint_eq(count_files(), 0);
}
END_TEST

START_TEST(a_file_that_may_not_grow_is_an_error)
{
	struct rda_outfile *file = begin("");
	char *error = NULL;

	setrlimit(RLIMIT_FSIZE, &(struct rlimit){2, 2});
	ck_assert_int_eq(write(rda_outfile_fd(file), "abc", 3), 2);
	ck_assert_int_eq(write(rda_outfile_fd(file), "c", 1), -1);
	ck_assert_int_eq(errno, EFBIG);
	ck_assert(!rda_outfile_finish(file, EFBIG, &error));
	g_free(error);
	ck_assert_uint_eq(count_files(), 0);
}
END_TEST

Suite *rda_suite_outfile(void)
{
	Suite *suite = suite_create("outfile");
	TCase *tc = tcase_create("outfile");

	tcase_add_checked_fixture(tc, make_folder, remove_folder);
	tcase_add_test(tc, it_appears_when_it_is_finished);
	tcase_add_test(tc, what_was_there_stays_until_then);
	tcase_add_test(tc, a_failure_leaves_nothing);
	tcase_add_test(tc, a_name_that_cannot_be_is_told_at_once);
	tcase_add_test(tc, a_link_stays_a_link);
	tcase_add_test(tc, a_device_is_written_to_as_it_is);
	tcase_add_loop_test(tc, a_signal_leaves_nothing, 0, 5);
	tcase_add_test(tc, a_file_that_may_not_grow_is_an_error);
	suite_add_tcase(suite, tc);
	return suite;
}
