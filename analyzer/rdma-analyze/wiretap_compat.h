/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The differences between libwiretap 3.6, 4.0, 4.4 and 4.6 that source_wiretap.c meets. All version
 * guards are here.
 */
#ifndef RDA_WIRETAP_COMPAT_H
#define RDA_WIRETAP_COMPAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#ifndef HAVE_SSIZE_T
#define HAVE_SSIZE_T 1 /* else ws_posix_compat.h defines ssize_t */
#endif
#include <wiretap/pcap-encap.h>
#include <wiretap/wtap.h>
#include <ws_version.h>
#include <wsutil/wslog.h>

#define RDA_WIRESHARK_AT_LEAST(major, minor)                                                       \
	(WIRESHARK_VERSION_MAJOR > (major) ||                                                      \
	 (WIRESHARK_VERSION_MAJOR == (major) && WIRESHARK_VERSION_MINOR >= (minor)))

/* A record with room for its bytes; 4.6 has put the buffer into wtap_rec. */
struct rda_wiretap_record {
	wtap_rec rec;
#if !RDA_WIRESHARK_AT_LEAST(4, 6)
	Buffer bytes;
#endif
};

#define RDA_WIRETAP_ROOM 2048 /* bytes at first; it grows with the packets */

static inline void rda_wiretap_record_init(struct rda_wiretap_record *record)
{
#if RDA_WIRESHARK_AT_LEAST(4, 6)
	wtap_rec_init(&record->rec, RDA_WIRETAP_ROOM);
#else
	wtap_rec_init(&record->rec);
	ws_buffer_init(&record->bytes, RDA_WIRETAP_ROOM);
#endif
}

static inline void rda_wiretap_record_cleanup(struct rda_wiretap_record *record)
{
	wtap_rec_cleanup(&record->rec);
#if !RDA_WIRESHARK_AT_LEAST(4, 6)
	ws_buffer_free(&record->bytes);
#endif
}

static inline const uint8_t *rda_wiretap_record_bytes(struct rda_wiretap_record *record)
{
#if RDA_WIRESHARK_AT_LEAST(4, 6)
	return ws_buffer_start_ptr(&record->rec.data);
#else
	return ws_buffer_start_ptr(&record->bytes);
#endif
}

static inline bool rda_wiretap_read(wtap *file, struct rda_wiretap_record *record, int *code,
				    char **detail, int64_t *offset)
{
#if RDA_WIRESHARK_AT_LEAST(4, 6)
	return wtap_read(file, &record->rec, code, detail, offset);
#elif RDA_WIRESHARK_AT_LEAST(4, 4)
	return wtap_read(file, &record->rec, &record->bytes, code, detail, offset);
#else
	gint64 at = 0;
	bool read = wtap_read(file, &record->rec, &record->bytes, code, detail, &at);

	*offset = at;
	return read;
#endif
}

/* Of a pcapng of several sections, each with interfaces of its own; 3.6 does not tell it. */
static inline uint32_t rda_wiretap_section(const wtap_rec *rec)
{
#if RDA_WIRESHARK_AT_LEAST(4, 0)
	if (rec->presence_flags & WTAP_HAS_SECTION_NUMBER)
		return rec->section_number;
#else
	(void)rec;
#endif
	return 0;
}

/* Without it, debug lines go to stderr. Errors are told by return values: no more than they. */
static inline void rda_wiretap_quiet(void)
{
#if RDA_WIRESHARK_AT_LEAST(4, 6)
	ws_log_init(NULL);
#else
	ws_log_init(NULL, NULL);
#endif
	ws_log_set_level(LOG_LEVEL_CRITICAL);
}

#endif
