/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Standard input, a file or a pipe, and named pipes: what cannot be opened a second time is read
 * all the same.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/capture_file.h"
#include "tests/unit/suite.h"

enum { PACKETS = 2000 }; /* more than a pipe holds at a time */

static void put_pcap(struct rda_file *file, uint32_t link)
{
	rda_pcap_header(file, RDA_PCAP_NS, 65535, link);
	for (unsigned i = 0; i < PACKETS; i++)
		rda_pcap_packet(file, i, 0, 60, 60);
}

static void put_pcapng(struct rda_file *file, uint16_t second_link)
{
	rda_pcapng_section(file);
	rda_pcapng_interface(file, 1, 0, 9);
	rda_pcapng_interface(file, second_link, 0, 9);
	for (unsigned i = 0; i < PACKETS; i++)
		rda_pcapng_packet(file, i % 2, i * UINT64_C(1000000000), 60, 60);
}

static void expect_packets(struct rda_seen *seen)
{
	rda_expect_end(seen, PACKETS);
	for (unsigned i = 0; i < PACKETS; i++)
		rda_expect_frame(seen, i, i, i * INT64_C(1000000000), 60, 60);
	rda_seen_free(seen);
}

/* A child that writes the file to `fd`, which it alone keeps. */
static void write_from_child(const struct rda_file *file, int fd)
{
	size_t at = 0;

	if (fork() != 0)
		return;
	while (at < file->bytes->len) {
		ssize_t n = write(fd, file->bytes->data + at, file->bytes->len - at);

		if (n <= 0)
			break;
		at += (size_t)n;
	}
	_exit(0);
}

/* Reads the file as standard input, that comes out of a pipe. */
static struct rda_seen *see_piped(const struct rda_file *file, enum rda_reader reader)
{
	int saved = dup(STDIN_FILENO), ends[2];
	struct rda_seen *seen;

	ck_assert_int_eq(pipe(ends), 0);
	write_from_child(file, ends[1]);
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	seen = rda_see("-", reader);
	dup2(saved, STDIN_FILENO);
	close(saved);
	while (wait(NULL) > 0)
		continue;
	return seen;
}

static struct rda_seen *see_redirected(struct rda_file *file, enum rda_reader reader)
{
	int saved = dup(STDIN_FILENO), fd = open(rda_file_write(file), O_RDONLY);
	struct rda_seen *seen;

	ck_assert_int_ge(fd, 0);
	dup2(fd, STDIN_FILENO);
	close(fd);
	seen = rda_see("-", reader);
	dup2(saved, STDIN_FILENO);
	close(saved);
	return seen;
}

/* loop over link types: 247 is one that libwiretap does not know */
START_TEST(pcap_on_stdin)
{
	uint32_t link = _i ? 247 : 1;
	struct rda_file file;

	rda_file_begin(&file, false);
	put_pcap(&file, link);
	expect_packets(see_piped(&file, RDA_READER_AUTO));
	expect_packets(see_piped(&file, RDA_READER_PCAP));
	expect_packets(see_redirected(&file, RDA_READER_AUTO));
	expect_packets(see_redirected(&file, RDA_READER_PCAP));
	rda_file_end(&file);
}
END_TEST

START_TEST(pcapng_on_stdin)
{
	struct rda_file file;

	rda_file_begin(&file, false);
	put_pcapng(&file, 1);
	expect_packets(see_piped(&file, RDA_READER_AUTO));
	expect_packets(see_piped(&file, RDA_READER_PCAP));
	expect_packets(see_redirected(&file, RDA_READER_AUTO));
	expect_packets(see_redirected(&file, RDA_READER_PCAP));
	rda_file_end(&file);
	if (!rda_reader_is_there(RDA_READER_WIRETAP))
		return;
	rda_file_begin(&file, false);
	put_pcapng(&file, 113);
	expect_packets(see_piped(&file, RDA_READER_AUTO));
	rda_file_end(&file);
}
END_TEST

/* what one reader has refused is read again from its beginning */
START_TEST(second_reader_on_stdin)
{
	struct rda_seen *seen;
	struct rda_file file;

	rda_file_begin(&file, false);
	rda_pcapng_section(&file);
	rda_pcapng_interface(&file, 1, 0, 12); /* picoseconds: too fine for libwiretap */
	rda_pcapng_packet(&file, 0, 5000, 60, 60);
	seen = see_redirected(&file, RDA_READER_AUTO);
	rda_expect_end(seen, 1);
	rda_expect_frame(seen, 0, 0, 5, 60, 60);
	rda_seen_free(seen);
	rda_file_end(&file);
}
END_TEST

/* loop: a pcap and a pcapng that are cut */
START_TEST(cut_on_stdin)
{
	enum rda_reader readers[] = {RDA_READER_AUTO, RDA_READER_PCAP};
	struct rda_file file;

	rda_file_begin(&file, false);
	if (_i)
		put_pcapng(&file, 1);
	else
		put_pcap(&file, 1);
	g_byte_array_set_size(file.bytes, file.bytes->len - 5);
	for (unsigned i = 0; i < RDA_COUNT(readers); i++) {
		struct rda_seen *seen = see_piped(&file, readers[i]);

		rda_expect_damage(seen, PACKETS - 1, rda_file_start(&file, file.starts->len - 1),
				  "the file ends inside a");
		rda_seen_free(seen);
	}
	rda_file_end(&file);
}
END_TEST

START_TEST(nothing_on_stdin)
{
	struct rda_seen *seen;
	struct rda_file file;

	rda_file_begin(&file, false);
	seen = see_piped(&file, RDA_READER_AUTO);
	ck_assert(!seen->opened || seen->result == RDA_SOURCE_DAMAGED);
	ck_assert_ptr_nonnull(seen->error);
	rda_seen_free(seen);
	rda_file_bytes(&file, "no capture\n", 11);
	seen = see_piped(&file, RDA_READER_AUTO);
	rda_expect_refused(seen, 0, "not a capture");
	rda_seen_free(seen);
	rda_file_end(&file);
}
END_TEST

/* the writer may be gone when the file is opened a second time; loop over link types, and pcapng */
START_TEST(named_pipe)
{
	struct rda_file file;
	int fd;

	rda_file_begin(&file, false);
	if (_i == 2)
		put_pcapng(&file, 1);
	else
		put_pcap(&file, _i ? 247 : 1);
	ck_assert_int_eq(mkfifo(file.path, 0600), 0);
	if (fork() == 0) {
		fd = open(file.path, O_WRONLY);
		write_from_child(&file, fd);
		_exit(0);
	}
	expect_packets(rda_see(file.path, RDA_READER_AUTO));
	while (wait(NULL) > 0)
		continue;
	rda_file_end(&file);
}
END_TEST

Suite *rda_suite_source_pipe(void)
{
	Suite *suite = suite_create("source_pipe");
	TCase *tcase = tcase_create("source_pipe");

	tcase_add_loop_test(tcase, pcap_on_stdin, 0, 2);
	tcase_add_test(tcase, pcapng_on_stdin);
	tcase_add_test(tcase, second_reader_on_stdin);
	tcase_add_loop_test(tcase, cut_on_stdin, 0, 2);
	tcase_add_test(tcase, nothing_on_stdin);
	tcase_add_loop_test(tcase, named_pipe, 0, 3);
	suite_add_tcase(suite, tcase);
	return suite;
}
