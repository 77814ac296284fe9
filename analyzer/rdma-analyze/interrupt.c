/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handlers of SIGINT and SIGTERM that only note the signal. See interrupt.h.
 */
#include "analyzer/rdma-analyze/interrupt.h"

#include "analyzer/rdma-analyze/outfile.h"

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

static const struct {
	int number;
	const char *name;
} ending[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}};

enum { ENDING = sizeof(ending) / sizeof(*ending) };

volatile sig_atomic_t rda_interrupt_signal;

static struct sigaction before[ENDING], alarm_before;
static bool begun;

/* Only what is safe in a handler. */
static void note(int number)
{
	int saved = errno;

	if (rda_interrupt_signal)
		rda_outfile_die(number);
	rda_interrupt_signal = number;
	alarm(1);
	errno = saved;
}

/* It is there to end a read that blocks, and comes again until the reading has ended. */
static void wake(int number)
{
	(void)number;
	alarm(1);
}

void rda_interrupt_begin(void)
{
	/* without SA_RESTART: a read that waits ends */
	struct sigaction action = {.sa_handler = note}, alarm_action = {.sa_handler = wake};

	if (begun)
		return;
	begun = true;
	rda_outfile_watch_signals();
	sigaction(SIGALRM, &alarm_action, &alarm_before);
	for (unsigned i = 0; i < ENDING; i++) {
		sigaction(ending[i].number, NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(ending[i].number, &action, NULL);
	}
}

void rda_interrupt_end(void)
{
	begun = false;
	for (unsigned i = 0; i < ENDING; i++)
		sigaction(ending[i].number, &before[i], NULL);
	alarm(0);
	sigaction(SIGALRM, &alarm_before, NULL);
}

const char *rda_interrupt_name(void)
{
	for (unsigned i = 0; i < ENDING; i++)
		if (ending[i].number == rda_interrupt_signal)
			return ending[i].name;
	return rda_shortage_came() ? "memory" : NULL;
}
