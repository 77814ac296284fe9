/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is put by is given back when an allocation fails, and the end is in order. Of the whole
 * program: tests/program/test_shortage.py.
 */
#include "analyzer/rdma-analyze/shortage.h"

#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MIB = 1 << 20 };

/* Kilobytes of address space. */
static long size_of_process(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long pages = -1;

	if (file && fscanf(file, "%ld", &pages) != 1)
		pages = -1;
	if (file)
		fclose(file);
	return pages < 0 ? -1 : pages * (sysconf(_SC_PAGESIZE) / 1024);
}

START_TEST(it_is_given_back)
{
	long before, with, behind;

	rda_shortage_relieve(); /* nothing was put by: it is noted all the same */
	ck_assert(rda_shortage_came());
	before = size_of_process();
	rda_shortage_prepare(256 * MIB);
	ck_assert(!rda_shortage_came());
	with = size_of_process();
	rda_shortage_prepare(256 * MIB); /* once is enough */
	rda_shortage_relieve();
	ck_assert(rda_shortage_came());
	behind = size_of_process();
	if (before > 0) {
		ck_assert_int_ge(with - before, 64 * 1024);
		ck_assert_int_le(with - before, 65 * 1024);
		ck_assert_int_le(behind, before + 1024);
	}
}
END_TEST

/* What the end says, with a hostile name; and its exit code. */
START_TEST(the_end)
{
	const uint64_t frames = 7;
	char line[256] = {0};
	int ends[2], status;
	pid_t child;

	ck_assert_int_eq(pipe(ends), 0);
	child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		rda_shortage_reading("a\033[2Jb\302\233", &frames);
		rda_shortage_end();
	}
	close(ends[1]);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_int_gt(read(ends[0], line, sizeof(line) - 1), 0);
	close(ends[0]);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 2);
	ck_assert_str_eq(line, "rdma-analyze: out of memory after frame 7 of a?[2Jb??\n");
}
END_TEST

Suite *rda_suite_shortage(void)
{
	Suite *suite = suite_create("shortage");
	TCase *tcase = tcase_create("shortage");

	tcase_add_test(tcase, it_is_given_back);
	tcase_add_test(tcase, the_end);
	suite_add_tcase(suite, tcase);
	return suite;
}
