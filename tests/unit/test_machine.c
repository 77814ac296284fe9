/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that limits leave: of cgroups of both versions, of those around them, and of the process.
 */
#include "analyzer/rdma-analyze/machine.h"

#include "tests/unit/suite.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <sys/resource.h>

static void put(const char *root, const char *folder, const char *name, const char *text)
{
	char *path = g_strconcat(root, folder, NULL), *file = g_build_filename(path, name, NULL);

	ck_assert_int_eq(g_mkdir_with_parents(path, 0700), 0);
	ck_assert(g_file_set_contents(file, text, -1, NULL));
	g_free(path);
	g_free(file);
}

START_TEST(the_least_of_the_cgroups_counts)
{
	char *root = g_dir_make_tmp("rda-cgroup-XXXXXX", NULL);

	put(root, "/a", "memory.max", "2000000\n");
	put(root, "/a/b", "memory.max", "max\n");
	put(root, "/a/b/c", "memory.max", "3000000\n");
	put(root, "/memory/job", "memory.limit_in_bytes", "1000000\n");
	put(root, "/memory", "memory.limit_in_bytes", "9223372036854771712\n");
	ck_assert_uint_eq(rda_machine_cgroup("0::/a/b/c\n", root), 2000000);
	ck_assert_uint_eq(rda_machine_cgroup("0::/a\n", root), 2000000);
	ck_assert_uint_eq(rda_machine_cgroup("0::/\n", root), UINT64_MAX);
	ck_assert_uint_eq(rda_machine_cgroup("0::/nowhere/at/all\n", root), UINT64_MAX);
	ck_assert_uint_eq(rda_machine_cgroup("3:cpu:/job\n2:cpuset,memory:/job\n", root), 1000000);
	ck_assert_uint_eq(rda_machine_cgroup("3:memory:/job\n0::/a\n", root), 1000000);
	ck_assert_uint_eq(rda_machine_cgroup("3:cpu:/job\nnonsense\n\n", root), UINT64_MAX);
	ck_assert_uint_eq(rda_machine_cgroup("", root), UINT64_MAX);
	g_free(root);
}
END_TEST

/* In a process of its own, as each test is: what is known once stays. */
START_TEST(a_limit_of_the_process_counts)
{
	const struct rlimit limit = {UINT64_C(3) << 30, RLIM_INFINITY};
	struct rlimit set;

#ifdef __SANITIZE_ADDRESS__ /* it needs all the address space */
	return;
#endif
	if (setrlimit(RLIMIT_AS, &limit) != 0)
		return;
	if (getrlimit(RLIMIT_AS, &set) != 0 || set.rlim_cur != limit.rlim_cur)
		return; /* qemu-user takes it, and does nothing */
	ck_assert_uint_gt(rda_machine_memory(), 0);
	ck_assert_uint_le(rda_machine_memory(), limit.rlim_cur);
}
END_TEST

START_TEST(threads_are_as_many_as_gain)
{
	enum { MIB = 1 << 20 };
	const uint64_t gib = UINT64_C(1) << 30;

	ck_assert_uint_eq(rda_machine_threads(2, 4 * gib, 64 * MIB), 2);
	ck_assert_uint_eq(rda_machine_threads(1, 4 * gib, 64 * MIB), 1);
	ck_assert_uint_eq(rda_machine_threads(4, 4 * gib, 64 * MIB - 1), 1);
	/* as many as have memory */
	ck_assert_uint_eq(rda_machine_threads(128, 4 * gib, gib), 7);
	ck_assert_uint_eq(rda_machine_threads(2, gib, gib), 1);
	ck_assert_uint_eq(rda_machine_threads(2, 0, gib), 1);
	ck_assert_uint_eq(rda_machine_threads(128, 1024 * gib, gib), 64);
}
END_TEST

Suite *rda_suite_machine(void)
{
	Suite *suite = suite_create("machine");
	TCase *tcase = tcase_create("machine");

	tcase_add_test(tcase, the_least_of_the_cgroups_counts);
	tcase_add_test(tcase, a_limit_of_the_process_counts);
	tcase_add_test(tcase, threads_are_as_many_as_gain);
	suite_add_tcase(suite, tcase);
	return suite;
}
