/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks of pcapng gathered in memory and written in pieces of whole blocks. See kept.h.
 */
#include "analyzer/rdma-analyze/kept.h"

#include "analyzer/rdma-analyze/capture_out.h"
#include "analyzer/rdma-analyze/complain.h"
#include "analyzer/rdma-analyze/outfile.h"
#include "analyzer/rdma-analyze/source_live.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Large enough that system calls cost little; what is gathered is lost when the machine fails. */
#define WRITE_AT (64 * 1024)

struct rda_kept {
	char *name;
	int fd;
	struct rda_capture_out capture; /* keeps its text */
	off_t whole;			/* bytes of the file up to the last whole block */
	int error;
};

/* A device or a pipe may be read and written at once. */
static bool is_read(const char *name, char *const *read)
{
	struct stat written, other;

	if (stat(name, &written) != 0 || !S_ISREG(written.st_mode))
		return false;
	for (; read && *read; read++)
		if (stat(*read, &other) == 0 && other.st_dev == written.st_dev &&
		    other.st_ino == written.st_ino)
			return true;
	return false;
}

struct rda_kept *rda_kept_new(const char *name, char *const *read, char **error)
{
	struct rda_kept *kept;
	int fd;

	if (is_read(name, read)) {
		*error = g_strdup_printf("--write: %s: it is one of the captures that are read",
					 name);
		return NULL;
	}
	rda_outfile_watch_signals(); /* a file that may not grow is an error of write(2) */
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0) {
		*error = g_strdup_printf("--write: %s: %s", name, g_strerror(errno));
		return NULL;
	}
	kept = g_new0(struct rda_kept, 1);
	kept->name = g_strdup(name);
	kept->fd = fd;
	rda_capture_out_init(&kept->capture, RDA_OUTPUT_KEEP);
	rda_kept_flush(kept);
	return kept;
}

static void give_up(struct rda_kept *kept, int error)
{
	struct stat status;

	kept->error = error;
	/* a pipe cannot be taken back */
	if (fstat(kept->fd, &status) == 0 && S_ISREG(status.st_mode))
		(void)!ftruncate(kept->fd, kept->whole);
	rda_complain("%s: %s; it has the packets before that", kept->name, g_strerror(error));
}

void rda_kept_flush(struct rda_kept *kept)
{
	GString *text = kept->capture.out.text;
	gsize done = 0;

	while (done < text->len && !kept->error) {
		ssize_t n = write(kept->fd, text->str + done, text->len - done);

		if (n >= 0)
			done += (gsize)n;
		else if (errno != EINTR)
			give_up(kept, errno);
	}
	if (!kept->error)
		kept->whole += (off_t)text->len;
	g_string_truncate(text, 0);
}

void rda_kept_frame(struct rda_kept *kept, const struct rda_source *source,
		    const struct rda_meta *meta, const struct rda_frame *frame)
{
	if (kept->error)
		return;
	rda_capture_out_frame_of(&kept->capture, rda_source_live_tap(source, meta->tap), meta,
				 frame);
	if (kept->capture.out.text->len >= WRITE_AT)
		rda_kept_flush(kept);
}

bool rda_kept_end(struct rda_kept *kept, uint64_t dropped)
{
	bool good;

	rda_capture_out_dropped(&kept->capture, dropped);
	rda_kept_flush(kept);
	if (close(kept->fd) != 0 && !kept->error)
		give_up(kept, errno);
	good = !kept->error;
	rda_capture_out_end(&kept->capture);
	g_free(kept->name);
	g_free(kept);
	return good;
}
