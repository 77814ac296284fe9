/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values by which originals are replaced. See pseudonyms.h.
 */
#include "analyzer/rdma-analyze/pseudonyms.h"

#include "analyzer/track/setup/exchange_text.h"

#include <glib.h>
#include <string.h>

/* A value of up to 16 bytes, in network order, the last bytes first filled. */
struct value {
	uint8_t bytes[16];
};

struct kind {
	GHashTable *given; /* struct value of the original -> that of the pseudonym */
	GHashTable *taken; /* originals that must not be given */
	uint32_t count;
};

/* Memory of a key, first and last byte. */
struct span {
	uint64_t low, last;
};

struct rda_pseudonyms {
	struct kind kinds[RDA_SECRET_COUNT];
	GHashTable *spans; /* struct value of a key -> struct span */
	bool moved;	   /* the next is known */
	uint64_t distance;
};

static guint value_hash(const void *value)
{
	const struct value *v = value;
	guint hash = 5381;

	for (unsigned i = 0; i < sizeof(v->bytes); i++)
		hash = hash * 33 + v->bytes[i];
	return hash;
}

static gboolean value_equal(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct value)) == 0;
}

static struct value value_of(const uint8_t *bytes, unsigned length)
{
	struct value value = {{0}};

	memcpy(value.bytes + sizeof(value.bytes) - length, bytes, length);
	return value;
}

static uint64_t number_of(const uint8_t *bytes, unsigned length)
{
	uint64_t number = 0;

	for (unsigned i = 0; i < length; i++)
		number = number << 8 | bytes[i];
	return number;
}

static void put_number(uint8_t *bytes, unsigned length, uint64_t number)
{
	for (unsigned i = length; i-- > 0; number >>= 8)
		bytes[i] = (uint8_t)number;
}

/* ---- what must not be given ------------------------------------------------------------------ */

static void take(struct rda_pseudonyms *p, enum rda_secret kind, const uint8_t *bytes,
		 unsigned length)
{
	struct value value = value_of(bytes, length);

	g_hash_table_add(p->kinds[kind].taken, g_memdup2(&value, sizeof(value)));
}

static void take_number(struct rda_pseudonyms *p, enum rda_secret kind, unsigned length,
			uint64_t number)
{
	uint8_t bytes[8];

	put_number(bytes, length, number);
	take(p, kind, bytes, length);
}

/* Several hosts may have given out one number: all of their memory. */
static void add_span(struct rda_pseudonyms *p, const struct rda_key_facts *key)
{
	struct span *span;
	struct value value;
	uint8_t bytes[4];

	if (!key->has_range || !key->id.key)
		return;
	put_number(bytes, sizeof(bytes), key->id.key);
	value = value_of(bytes, sizeof(bytes));
	span = g_hash_table_lookup(p->spans, &value);
	if (!span) {
		span = g_new(struct span, 1);
		*span = (struct span){key->low, key->last};
		g_hash_table_insert(p->spans, g_memdup2(&value, sizeof(value)), span);
	}
	span->low = MIN(span->low, key->low);
	span->last = MAX(span->last, key->last);
}

static void take_result(struct rda_pseudonyms *p, const struct rda_result *result)
{
	for (unsigned i = 0; i < rda_result_host_count(result); i++) {
		const struct rda_address *address = &rda_result_host(result, i)->address;

		take(p, RDA_SECRET_IP6, address->bytes, 16);
		take(p, RDA_SECRET_IP4, address->bytes + 12, 4);
		take(p, RDA_SECRET_LID, address->bytes + 14, 2);
	}
	for (unsigned i = 0; i < rda_result_connection_count(result); i++)
		for (unsigned side = 0; side < 2; side++)
			take_number(p, RDA_SECRET_QPN, 3,
				    rda_result_connection(result, i)->endpoints[side].qpn &
					    0xffffff);
	for (unsigned i = 0; i < rda_result_key_count(result); i++) {
		const struct rda_key_facts *key = rda_result_key(result, i);

		take_number(p, RDA_SECRET_KEY, 4, key->id.key);
		add_span(p, key);
	}
}

struct rda_pseudonyms *rda_pseudonyms_new(const struct rda_result *result)
{
	struct rda_pseudonyms *p = g_new0(struct rda_pseudonyms, 1);

	for (unsigned kind = 0; kind < RDA_SECRET_COUNT; kind++) {
		p->kinds[kind].given =
			g_hash_table_new_full(value_hash, value_equal, g_free, g_free);
		p->kinds[kind].taken = g_hash_table_new_full(value_hash, value_equal, g_free, NULL);
	}
	p->spans = g_hash_table_new_full(value_hash, value_equal, g_free, g_free);
	take_result(p, result);
	return p;
}

void rda_pseudonyms_free(struct rda_pseudonyms *p)
{
	for (unsigned kind = 0; kind < RDA_SECRET_COUNT; kind++) {
		g_hash_table_destroy(p->kinds[kind].given);
		g_hash_table_destroy(p->kinds[kind].taken);
	}
	g_hash_table_destroy(p->spans);
	g_free(p);
}

/* ---- what stays ------------------------------------------------------------------------------ */

#define QKEY_OF_GSI 0x80010000u
enum { LID_MULTICAST = 0xc000, QPN_MULTICAST = 0xffffff };

/* None, broadcast, what bridges take for themselves (pauses are sent there). */
static bool mac_stays(const uint8_t *b)
{
	static const uint8_t none[6], bridges[4] = {0x01, 0x80, 0xc2, 0};

	return memcmp(b, none, sizeof(none)) == 0 || memcmp(b, bridges, sizeof(bridges)) == 0 ||
	       number_of(b, 6) == UINT64_C(0xffffffffffff);
}

static bool ip4_stays(const uint8_t *b)
{
	return b[0] == 0 || b[0] == 127 || number_of(b, 3) == 0xe00000 ||
	       number_of(b, 4) == UINT32_MAX;
}

/* None, loopback, all nodes, all routers. */
static bool ip6_stays(const uint8_t *b)
{
	static const uint8_t zeros[15];

	return (memcmp(b, zeros, sizeof(zeros)) == 0 && b[15] <= 1) ||
	       (b[0] == 0xff && memcmp(b + 2, zeros, 13) == 0);
}

static bool stays(enum rda_secret kind, const uint8_t *bytes, unsigned length)
{
	uint64_t number = length <= 8 ? number_of(bytes, length) : 1;

	switch (kind) {
	case RDA_SECRET_MAC: return mac_stays(bytes);
	case RDA_SECRET_IP4: return ip4_stays(bytes);
	case RDA_SECRET_IP6: return ip6_stays(bytes);
	case RDA_SECRET_QPN: return number <= 1 || number == QPN_MULTICAST;
	case RDA_SECRET_QKEY: return number == QKEY_OF_GSI || number == 0;
	case RDA_SECRET_LID: return number == 0 || number >= LID_MULTICAST;
	default: return number == 0;
	}
}

/* ---- what is given --------------------------------------------------------------------------- */

/* Of a group the scope stays, of an address that it is one of the link only. */
static void write_ip6(uint32_t count, uint8_t *bytes)
{
	bool of_link = bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80;

	if (bytes[0] != 0xff) {
		bytes[0] = of_link ? 0xfe : 0xfd;
		bytes[1] = of_link ? 0x80 : 0;
	}
	memset(bytes + 2, 0, 6);
	put_number(bytes + 8, 8, (bytes[0] == 0xff ? UINT64_C(1) << 32 : 0) + count);
}

/* The `count`-th pseudonym of a kind, from 1, for an original. */
static void write_pseudonym(enum rda_secret kind, uint32_t count, uint8_t *bytes, unsigned length)
{
	switch (kind) {
	case RDA_SECRET_MAC:
		put_number(bytes, 6,
			   (bytes[0] & 1 ? UINT64_C(0x03005e000000) : UINT64_C(0x02005e000000)) +
				   count);
		return;
	case RDA_SECRET_IP4:
		put_number(bytes, 4, (bytes[0] >= 224 ? 0xefff0000u : 0xc6120000u) + count);
		return;
	case RDA_SECRET_IP6: write_ip6(count, bytes); return;
	case RDA_SECRET_KEY:
		put_number(bytes, 3, 0x000100 + count);
		return; /* the last byte stays */
	case RDA_SECRET_QKEY:
		put_number(bytes, 4, (bytes[0] & 0x80u) << 24 | (0x00020000 + count));
		return;
	case RDA_SECRET_QPN: put_number(bytes, length, 0x0f + count); return;
	case RDA_SECRET_GUID: put_number(bytes, 8, UINT64_C(0x02005efffe000000) + count); return;
	default: put_number(bytes, length, count); return;
	}
}

/* ::ffff:10.0.0.1 of GIDs, and ::10.0.0.1 of the private data of connection management. */
static bool is_ip4(const uint8_t *bytes)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff}, zeros[12];

	return memcmp(bytes, mapped, sizeof(mapped)) == 0 ||
	       (memcmp(bytes, zeros, sizeof(zeros)) == 0 && bytes[12]);
}

/* So that the first comes to lie at 2^44, at the same place of its 256 MiB. */
static void move(struct rda_pseudonyms *p, uint8_t *bytes)
{
	uint64_t va = rda_be64(bytes);

	if (!p->moved)
		p->distance = (UINT64_C(1) << 44) - (va & ~UINT64_C(0xfffffff));
	p->moved = true;
	put_number(bytes, 8, va + p->distance);
}

void rda_pseudonyms_secret(void *context, enum rda_secret kind, uint8_t *bytes, unsigned length)
{
	struct rda_pseudonyms *p = context;
	struct kind *k = &p->kinds[kind];
	struct value original = value_of(bytes, length), value, *given;

	if (kind == RDA_SECRET_VA) {
		move(p, bytes);
		return;
	}
	if (kind == RDA_SECRET_IP6 && is_ip4(bytes)) {
		rda_pseudonyms_secret(context, RDA_SECRET_IP4, bytes + 12, 4);
		return;
	}
	if (stays(kind, bytes, length))
		return;
	given = g_hash_table_lookup(k->given, &original);
	if (!given) {
		do {
			write_pseudonym(kind, ++k->count, bytes, length);
			value = value_of(bytes, length);
		} while (g_hash_table_contains(k->taken, &value));
		given = g_memdup2(&value, sizeof(value));
		g_hash_table_insert(k->given, g_memdup2(&original, sizeof(original)), given);
	}
	memcpy(bytes, given->bytes + sizeof(given->bytes) - length, length);
}

/* ---- lines of text --------------------------------------------------------------------------- */

static const char digits[] = "0123456789abcdef";

/* Replaces `count` hex digits by those of the pseudonym; all zeros where it needs more. */
static void replace_digits(struct rda_pseudonyms *p, enum rda_secret kind, unsigned length,
			   uint8_t *text, unsigned count)
{
	uint8_t bytes[16] = {0};

	for (unsigned i = 0; i < count; i++) {
		unsigned at = length * 2 - count + i;

		bytes[at / 2] |= (uint8_t)(g_ascii_xdigit_value((char)text[i]) << (at % 2 ? 0 : 4));
	}
	rda_pseudonyms_secret(p, kind, bytes, length);
	for (unsigned i = 0; i < count; i++) {
		unsigned at = length * 2 - count + i;

		text[i] = (uint8_t)digits[bytes[at / 2] >> (at % 2 ? 0 : 4) & 15];
	}
}

static unsigned count_digits(const uint8_t *text, uint32_t length)
{
	unsigned count = 0;

	while (count < length && g_ascii_isxdigit((char)text[count]))
		count++;
	return count;
}

/* "0a:00:01:..." of 16 bytes */
static void replace_gid(struct rda_pseudonyms *p, uint8_t *text)
{
	uint8_t gid[16];

	for (unsigned i = 0; i < 16; i++)
		gid[i] = (uint8_t)(g_ascii_xdigit_value((char)text[i * 3]) << 4 |
				   g_ascii_xdigit_value((char)text[i * 3 + 1]));
	rda_pseudonyms_secret(p, RDA_SECRET_IP6, gid, sizeof(gid));
	for (unsigned i = 0; i < 16; i++) {
		text[i * 3] = (uint8_t)digits[gid[i] >> 4];
		text[i * 3 + 1] = (uint8_t)digits[gid[i] & 15];
	}
}

enum { GID_TEXT = 16 * 3 - 1 };

/*
 * Numbers between colons are told by their digits and their order: LID (4), READs (4), QPN (6), PSN
 * (6), key (8), address (16), GID (32, or 16 of 2).
 */
static void replace_colons(struct rda_pseudonyms *p, uint8_t *text, uint32_t length)
{
	unsigned sixes = 0;
	uint32_t at = 0;

	while (at < length) {
		unsigned count = count_digits(text + at, length - at);

		if (at == 0 && count == 4)
			replace_digits(p, RDA_SECRET_LID, 2, text, count);
		else if (count == 6 && sixes++ == 0)
			replace_digits(p, RDA_SECRET_QPN, 3, text + at, count);
		else if (count == 8)
			replace_digits(p, RDA_SECRET_KEY, 4, text + at, count);
		else if (count == 16)
			replace_digits(p, RDA_SECRET_VA, 8, text + at, count);
		else if (count == 32)
			replace_digits(p, RDA_SECRET_IP6, 16, text + at, count);
		else if (count == 2 && length - at >= GID_TEXT) {
			replace_gid(p, text + at);
			return;
		}
		at += count + 1;
	}
}

/* "qp QPN PSN GID KEY ADDRESS"; nobody reads the GID, which becomes dashes. */
static void replace_words(struct rda_pseudonyms *p, uint8_t *text, uint32_t length)
{
	static const enum rda_secret kinds[] = {RDA_SECRET_COUNT, RDA_SECRET_QPN, RDA_SECRET_COUNT,
						RDA_SECRET_DATA,  RDA_SECRET_KEY, RDA_SECRET_VA};
	static const unsigned lengths[] = {0, 3, 0, 0, 4, 8};
	uint32_t at = 0;

	for (unsigned word = 0; word < G_N_ELEMENTS(kinds) && at < length; word++) {
		uint32_t end = at;

		while (end < length && text[end] > ' ')
			end++;
		if (kinds[word] == RDA_SECRET_DATA)
			memset(text + at, '-', end - at);
		else if (kinds[word] != RDA_SECRET_COUNT &&
			 count_digits(text + at, end - at) == end - at)
			replace_digits(p, kinds[word], lengths[word], text + at, end - at);
		at = end + 1;
	}
}

/* ---- keys in messages ------------------------------------------------------------------------ */

/* As far into a message as checks look for keys, and as far from a key for its address. */
enum { LOOKED_AT = 256, NEAR = 16 };

static void reverse(uint8_t *bytes, unsigned length)
{
	for (unsigned i = 0; i < length / 2; i++) {
		uint8_t kept = bytes[i];

		bytes[i] = bytes[length - 1 - i];
		bytes[length - 1 - i] = kept;
	}
}

/* The range of memory of which a key was used; NULL: the result knows no such key. */
static const struct span *span_of(const struct rda_pseudonyms *p, const uint8_t bytes[4])
{
	struct value key = value_of(bytes, 4);

	return g_hash_table_lookup(p->spans, &key);
}

/* Puts the pseudonym of `length` bytes into `out`, which were `swapped` in the message. */
static void put_secret(struct rda_pseudonyms *p, enum rda_secret kind, const uint8_t *original,
		       unsigned length, bool swapped, uint8_t *out)
{
	uint8_t bytes[8];

	memcpy(bytes, original, length);
	rda_pseudonyms_secret(p, kind, bytes, length);
	if (swapped)
		reverse(bytes, length);
	memcpy(out, bytes, length);
}

static void keep_addresses(struct rda_pseudonyms *p, const struct span *span, uint8_t *out,
			   const uint8_t *payload, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i + 8 <= to; i++)
		for (unsigned swapped = 0; swapped < 2; swapped++) {
			uint8_t bytes[8];

			memcpy(bytes, payload + i, sizeof(bytes));
			if (swapped)
				reverse(bytes, sizeof(bytes));
			if (rda_be64(bytes) && rda_be64(bytes) >= span->low &&
			    rda_be64(bytes) <= span->last)
				put_secret(p, RDA_SECRET_VA, bytes, 8, swapped, out + i);
		}
}

/* Keys that were used, in either byte order, where no header is, and addresses in their memory
 * beside them: that a key was told in clear is found by them. */
static void keep_keys(struct rda_pseudonyms *p, uint8_t *out, const uint8_t *payload,
		      uint32_t length)
{
	static const uint8_t none[4];

	length = MIN(length, (uint32_t)LOOKED_AT);
	for (uint32_t i = 0; i + 4 <= length; i++)
		for (unsigned swapped = 0; swapped < 2; swapped++) {
			const struct span *span;
			uint8_t key[4];

			memcpy(key, payload + i, sizeof(key));
			if (swapped)
				reverse(key, sizeof(key));
			span = span_of(p, key);
			if (!span || memcmp(out + i, none, sizeof(none)) != 0)
				continue;
			put_secret(p, RDA_SECRET_KEY, key, 4, swapped, out + i);
			keep_addresses(p, span, out, payload, i > NEAR ? i - NEAR : 0,
				       MIN(length, i + 4 + NEAR));
		}
}

void rda_pseudonyms_payload(void *context, uint8_t *out, const uint8_t *payload, uint32_t length)
{
	struct rda_told told;

	if (!rda_exchange_read(payload, length, &told)) {
		keep_keys(context, out, payload, length);
		return;
	}
	memcpy(out, payload, length);
	if (out[0] == 'q')
		replace_words(context, out, length);
	else
		replace_colons(context, out, length);
}
