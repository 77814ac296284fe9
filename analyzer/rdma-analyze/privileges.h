/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Root is needed to open interfaces, and for nothing behind that.
 */
#ifndef RDA_PRIVILEGES_H
#define RDA_PRIVILEGES_H

#include <stdbool.h>

/*
 * Goes on as `user`, for good; NULL: as who called sudo, or else as nobody. Does nothing where the
 * program is not run by root. False when it cannot be done, with the reason in *error (g_free it).
 */
bool rda_privileges_drop(const char *user, char **error);

#endif
