/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From root to a user without privileges, as tcpdump does it. See privileges.h.
 */
#include "analyzer/rdma-analyze/privileges.h"

#include <errno.h>
#include <glib.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

static bool become(const struct passwd *user)
{
	return initgroups(user->pw_name, user->pw_gid) == 0 &&
	       setresgid(user->pw_gid, user->pw_gid, user->pw_gid) == 0 &&
	       setresuid(user->pw_uid, user->pw_uid, user->pw_uid) == 0;
}

bool rda_privileges_drop(const char *user, char **error)
{
	const char *sudo = g_getenv("SUDO_USER");
	const struct passwd *found;

	if (geteuid() != 0)
		return true;
	if (!user)
		user = sudo && sudo[0] ? sudo : "nobody";
	errno = 0;
	found = getpwnam(user);
	if (!found) {
		*error = g_strdup_printf("--relinquish-privileges: %s: %s", user,
					 errno ? g_strerror(errno) : "there is no such user");
		return false;
	}
	if (!become(found)) {
		*error =
			g_strdup_printf("--relinquish-privileges: %s: %s", user, g_strerror(errno));
		return false;
	}
	return true;
}
