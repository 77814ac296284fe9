/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Captures come from anywhere. Who finds a mistake in reading them shall find a process that can
 * read its captures and write its reports, and nothing else: no other file (Landlock), no other
 * program, no network (seccomp), no new privileges.
 *
 * Which files those are is said by confine.c.
 */
#ifndef RDA_SANDBOX_H
#define RDA_SANDBOX_H

/* What holds, and what the kernel offers. */
enum {
	RDA_SANDBOX_FILES = 1, /* Landlock */
	RDA_SANDBOX_CALLS = 2, /* seccomp */
};

enum rda_sandbox_access {
	RDA_SANDBOX_READ,  /* a file, or all below a folder */
	RDA_SANDBOX_WRITE, /* besides: all below it may be made, written, renamed and removed */
};

struct rda_sandbox_path {
	char *path; /* what is not there is left out */
	enum rda_sandbox_access access;
};

/* The parts that the kernel offers, and that the program was built with. */
unsigned rda_sandbox_offered(void);

/*
 * From now on, for the process and all that it starts: only these files, and no system calls but
 * those for reading, computing and writing. For good. Returns the parts that hold; where the kernel
 * has one not, the others hold.
 */
unsigned rda_sandbox_enter(const struct rda_sandbox_path *paths, unsigned count);

#endif
