/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Landlock by its three system calls (landlock(7); libc has no functions for them), and seccomp by
 * libseccomp. sandbox.h has the idea.
 */
#include "analyzer/rdma-analyze/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<linux/landlock.h>) && defined(SYS_landlock_create_ruleset)
#include <linux/landlock.h>
#define RDA_LANDLOCK 1
#endif
#endif

#ifdef RDA_HAVE_SECCOMP
#include <seccomp.h>
#endif

/* ---- files ------------------------------------------------------------------------------------
 */

#ifdef RDA_LANDLOCK
/* Of the second version (5.19) and the third (6.2); headers may be older than the kernel. */
#define ACCESS_REFER	(1ULL << 13)
#define ACCESS_TRUNCATE (1ULL << 14)

#define ACCESS_READ  (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define ACCESS_FIRST ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1) /* all of the first version */
#define ACCESS_WRITE                                                                               \
	(ACCESS_READ | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |            \
	 LANDLOCK_ACCESS_FS_MAKE_REG | ACCESS_TRUNCATE)
/* what rules of a file may say; the rest is of folders */
#define ACCESS_OF_A_FILE                                                                           \
	(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | ACCESS_TRUNCATE)

static int landlock_version(void)
{
	return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

static void allow_path(int rules, const struct rda_sandbox_path *path, uint64_t handled)
{
	struct landlock_path_beneath_attr beneath = {
		.allowed_access = path->access == RDA_SANDBOX_WRITE ? ACCESS_WRITE : ACCESS_READ,
		.parent_fd = open(path->path, O_PATH | O_CLOEXEC),
	};
	struct stat status;

	if (beneath.parent_fd < 0)
		return;
	if (fstat(beneath.parent_fd, &status) == 0 && !S_ISDIR(status.st_mode))
		beneath.allowed_access &= ACCESS_OF_A_FILE;
	beneath.allowed_access &= handled;
	(void)!syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0);
	close(beneath.parent_fd);
}

static bool enter_files(const struct rda_sandbox_path *paths, unsigned count)
{
	int version = landlock_version(), rules;
	struct landlock_ruleset_attr attributes = {.handled_access_fs = ACCESS_FIRST};
	bool entered;

	if (version < 1)
		return false;
	if (version >= 2)
		attributes.handled_access_fs |= ACCESS_REFER;
	if (version >= 3)
		attributes.handled_access_fs |= ACCESS_TRUNCATE;
	rules = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0);
	if (rules < 0)
		return false;
	for (unsigned i = 0; i < count; i++)
		allow_path(rules, &paths[i], attributes.handled_access_fs);
	entered = syscall(SYS_landlock_restrict_self, rules, 0) == 0;
	close(rules);
	return entered;
}
#else
static int landlock_version(void)
{
	return 0;
}

static bool enter_files(const struct rda_sandbox_path *paths, unsigned count)
{
	(void)paths;
	(void)count;
	return false;
}
#endif

/* ---- system calls -----------------------------------------------------------------------------
 */

#ifdef RDA_HAVE_SECCOMP
/*
 * What reading, computing and writing never need: other programs and processes, sockets, what only
 * root may do, and what mistakes in the kernel have been found in most. Calls that libc may take
 * for its own ends are not listed, whatever its version.
 */
static const char *const refused_calls[] = {
	"accept",
	"accept4",
	"acct",
	"add_key",
	"bind",
	"bpf",
	"chroot",
	"connect",
	"delete_module",
	"execve",
	"execveat",
	"finit_module",
	"fsopen",
	"init_module",
	"io_uring_enter",
	"io_uring_register",
	"io_uring_setup",
	"kexec_file_load",
	"kexec_load",
	"keyctl",
	"listen",
	"mount",
	"move_mount",
	"open_by_handle_at",
	"open_tree",
	"perf_event_open",
	"pidfd_getfd",
	"pivot_root",
	"process_madvise",
	"process_vm_readv",
	"process_vm_writev",
	"ptrace",
	"quotactl",
	"reboot",
	"request_key",
	"setns",
	"socket",
	"socketpair",
	"swapoff",
	"swapon",
	"umount2",
	"unshare",
	"userfaultfd",
	"vhangup",
};

static bool enter_calls(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	bool entered = filter != NULL;

	for (unsigned i = 0; entered && i < G_N_ELEMENTS(refused_calls); i++) {
		int call = seccomp_syscall_resolve_name(refused_calls[i]);

		if (call != __NR_SCMP_ERROR) /* one that this libseccomp does not know is allowed */
			entered = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0) == 0;
	}
	entered = entered && seccomp_load(filter) == 0;
	if (filter)
		seccomp_release(filter);
	return entered;
}

static bool has_seccomp(void)
{
	return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}
#else
static bool enter_calls(void)
{
	return false;
}

static bool has_seccomp(void)
{
	return false;
}
#endif

unsigned rda_sandbox_offered(void)
{
	return (landlock_version() >= 1 ? RDA_SANDBOX_FILES : 0) |
	       (has_seccomp() ? RDA_SANDBOX_CALLS : 0);
}

unsigned rda_sandbox_enter(const struct rda_sandbox_path *paths, unsigned count)
{
	unsigned entered = 0;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return 0; /* neither part is to be had without it */
	if (enter_files(paths, count))
		entered |= RDA_SANDBOX_FILES;
	if (enter_calls())
		entered |= RDA_SANDBOX_CALLS;
	return entered;
}
