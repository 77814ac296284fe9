/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens a capture file: says what is no file to read, and chooses the reader.
 */
#include "analyzer/rdma-analyze/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/cold.h"
#include "analyzer/rdma-analyze/records.h"
#include "analyzer/rdma-analyze/source_reader.h"
#include "analyzer/rdma-analyze/unpack.h"
#include "analyzer/rdma-analyze/wiretap_module.h"

static int status_of(const char *file, struct stat *status)
{
	return strcmp(file, "-") == 0 ? fstat(STDIN_FILENO, status) : stat(file, status);
}

/* NULL when it is worth to be opened. */
static const char *why_unreadable(const char *file, struct stat *status)
{
	if (status_of(file, status) < 0)
		return g_strerror(errno);
	if (S_ISDIR(status->st_mode))
		return "it is a directory";
	if (!S_ISREG(status->st_mode) && !S_ISFIFO(status->st_mode))
		return "it is neither a file nor a pipe";
	if (S_ISREG(status->st_mode) && status->st_size == 0)
		return "the file is empty";
	return NULL;
}

bool rda_reader_is_there(enum rda_reader reader)
{
	char *why = NULL;
	bool there = reader != RDA_READER_WIRETAP || rda_wiretap_module_load(&why);

	g_free(why);
	return there;
}

static struct rda_source *open_with_wiretap(const char *file, struct rda_refusal *refusal)
{
	char *why;
	const struct rda_wiretap_module *module = rda_wiretap_module_load(&why);

	if (module)
		return module->open(file, refusal);
	refusal->reason = g_strdup_printf(
		"libpcap cannot read it, and libwiretap, which may, cannot be loaded: %s", why);
	refusal->offset = RDA_OFFSET_UNKNOWN;
	g_free(why);
	return NULL;
}

/*
 * Whether a pcap or pcapng comes in on standard input, looked at without taking it out of the pipe.
 * libwiretap cannot read all of them, and what it has read of a pipe is gone.
 */
static bool plain_is_piped(void)
{
	uint8_t magic[RDA_RECORDS_MAGIC];
	int copy[2];
	bool is_plain;

	if (pipe(copy) < 0)
		return false;
	is_plain = tee(STDIN_FILENO, copy[1], sizeof(magic), 0) == sizeof(magic) &&
		   read(copy[0], magic, sizeof(magic)) == sizeof(magic) &&
		   rda_records_is_plain(magic);
	close(copy[0]);
	close(copy[1]);
	return is_plain;
}

static struct rda_source *open_stdin_pipe(struct rda_refusal *refusal)
{
	return plain_is_piped() || !rda_reader_is_there(RDA_READER_WIRETAP)
		       ? rda_source_pcap_open("-", refusal)
		       : open_with_wiretap("-", refusal);
}

/*
 * A named pipe cannot be looked at and then opened again, as its writer may be gone by then. So it
 * takes the place of standard input, of which the readers make a copy, while it is opened.
 */
static struct rda_source *open_pipe(const char *file, struct rda_refusal *refusal)
{
	struct rda_source *source;
	int fd, saved;

	if (strcmp(file, "-") == 0)
		return open_stdin_pipe(refusal);
	saved = dup(STDIN_FILENO); /* -1: it is closed */
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		refusal->reason = g_strdup(g_strerror(errno));
		if (saved >= 0)
			close(saved);
		return NULL;
	}
	if (fd != STDIN_FILENO) {
		dup2(fd, STDIN_FILENO);
		close(fd);
	}
	source = open_stdin_pipe(refusal);
	if (saved >= 0) {
		dup2(saved, STDIN_FILENO);
		close(saved);
	} else {
		close(STDIN_FILENO);
	}
	return source;
}

/*
 * Whether a regular file begins as a pcap or pcapng, packed or not; "-" is standard input from
 * where it stands.
 */
static bool is_ours(const char *file)
{
	bool stdin_file = strcmp(file, "-") == 0, is_plain;
	int fd = stdin_file ? dup(STDIN_FILENO) : open(file, O_RDONLY | O_CLOEXEC);
	off_t start = lseek(fd, 0, SEEK_CUR);
	uint8_t magic[RDA_RECORDS_MAGIC];
	struct rda_unpack *unpack;
	size_t size = 0;
	ssize_t n;

	if (fd < 0)
		return false;
	unpack = rda_unpack_new(fd);
	do {
		n = rda_unpack_read(unpack, magic + size, sizeof(magic) - size);
		size += n > 0 ? (size_t)n : 0;
	} while (n > 0 && size < sizeof(magic));
	if (stdin_file)
		lseek(fd, start, SEEK_SET); /* which the copy shares */
	is_plain = size == sizeof(magic) ? rda_records_is_plain(magic)
					 : n < 0 && rda_unpack_packed(unpack);
	rda_unpack_free(unpack);
	return is_plain;
}

/*
 * A pcap or pcapng takes half the time without libwiretap, and comes out the same. What libwiretap
 * refuses is tried without it, too, as why it is refused is known better then.
 */
static struct rda_source *open_any(const char *file, bool pipe, struct rda_refusal *refusal)
{
	struct rda_refusal second;
	struct rda_source *source;
	off_t start;

	if (pipe)
		return open_pipe(file, refusal);
	if (is_ours(file))
		return rda_source_pcap_open(file, refusal);
	start = lseek(STDIN_FILENO, 0, SEEK_CUR);
	source = open_with_wiretap(file, refusal);
	if (source || refusal->offset != RDA_OFFSET_UNKNOWN)
		return source; /* or it is known what is wrong with the file */
	if (strcmp(file, "-") == 0)
		lseek(STDIN_FILENO, start, SEEK_SET);
	source = rda_source_pcap_open(file, &second);
	/* the second refusal is the better one where the file was known: it comes with its place */
	if (source || !refusal->reason || second.offset != RDA_OFFSET_UNKNOWN) {
		g_free(refusal->reason);
		*refusal = second;
	} else {
		g_free(second.reason);
	}
	return source;
}

struct rda_source *rda_source_open(const char *file, enum rda_reader reader, char **error,
				   int64_t *offset)
{
	struct rda_refusal refusal = {NULL, RDA_OFFSET_UNKNOWN};
	struct rda_source *source = NULL;
	struct stat status = {0};
	const char *unreadable = why_unreadable(file, &status);

	*error = NULL;
	*offset = RDA_OFFSET_UNKNOWN;
	if (unreadable) {
		*error = g_strdup(unreadable);
		*offset = S_ISREG(status.st_mode) ? 0 : RDA_OFFSET_UNKNOWN; /* it is empty */
		return NULL;
	}
	switch (reader) {
	case RDA_READER_AUTO: source = open_any(file, S_ISFIFO(status.st_mode), &refusal); break;
	case RDA_READER_WIRETAP: source = open_with_wiretap(file, &refusal); break;
	case RDA_READER_PCAP: source = rda_source_pcap_open(file, &refusal); break;
	}
	if (!source) {
		*error = refusal.reason ? refusal.reason : g_strdup("it is not a capture file");
		*offset = refusal.reason ? refusal.offset : 0;
		return NULL;
	}
	source->file = g_strdup(file);
	source->offset = RDA_OFFSET_UNKNOWN;
	source->size = S_ISREG(status.st_mode) ? status.st_size : 0;
	source->plain &= S_ISREG(status.st_mode) && strcmp(file, "-") != 0;
	return source;
}

/* At the end of what was read there are none: two of each catch up behind it. */
RDA_APART void rda_source_tell_ahead(struct rda_source *source, struct rda_engine *engine)
{
	struct rda_frame frame;

	for (unsigned i = 0; i < 2 && source->ahead(source, RDA_AHEAD_FRAMES, &frame); i++)
		rda_ahead_frame(engine, &frame);
}
