/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values by which originals are replaced. See pseudonyms.h.
 */
#include "analyzer/rdma-analyze/pseudonyms.h"

#include "analyzer/base/table.h"
#include "analyzer/rdma-analyze/line_anew.h"
#include "analyzer/track/roce/source_port.h"
#include "analyzer/track/setup/exchange_text.h"

#include <glib.h>
#include <string.h>

/* A value of up to 16 bytes, in network order, the last bytes first filled. */
struct value {
	uint8_t bytes[16];
};

struct given {
	struct value original; /* first: the table's key */
	struct value pseudonym;
};

struct kind {
	struct rda_table given; /* struct given */
	struct rda_table taken; /* struct value: originals that must not be given */
	uint32_t count;
};

/* Memory of a key, first and last byte. */
struct span {
	struct value key; /* first: the table's key */
	uint64_t low, last;
};

struct port_key {
	struct rda_address source; /* of the packets */
	uint32_t dest_qp;
	uint32_t port;
};

/* A source port that is the product of the QPNs of its connection. */
struct port {
	struct port_key key; /* first: the table's key */
	uint32_t qpns[2];
};

struct rda_pseudonyms {
	struct kind kinds[RDA_SECRET_COUNT];
	struct rda_table spans; /* struct span */
	struct rda_table ports; /* struct port */
	bool moved;		/* the next is known */
	uint64_t distance;
};

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

	rda_table_get(&p->kinds[kind].taken, &value, NULL);
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
	bool made;

	if (!key->id.key)
		return;
	put_number(bytes, sizeof(bytes), key->id.key);
	value = value_of(bytes, sizeof(bytes));
	span = rda_table_get(&p->spans, &value, &made);
	if (made)
		span->low = UINT64_MAX; /* none: it was told or invalidated only */
	if (!key->has_range)
		return;
	span->low = MIN(span->low, key->low);
	span->last = MAX(span->last, key->last);
}

static void port_key(struct port_key *key, const struct rda_address *source, uint32_t dest_qp,
		     uint32_t port)
{
	memset(key, 0, sizeof(*key)); /* padding too: keys are compared as bytes */
	memcpy(&key->source, source, sizeof(key->source));
	key->dest_qp = dest_qp;
	key->port = port;
}

static void add_port(struct rda_pseudonyms *p, const struct rda_connection_facts *connection,
		     const struct rda_flow_facts *flow)
{
	uint32_t one = connection->endpoints[0].qpn, two = connection->endpoints[1].qpn;
	struct port_key key;
	struct port *port;

	if (!flow || !flow->source_port_known || one == RDA_QPN_UNKNOWN || two == RDA_QPN_UNKNOWN ||
	    rda_source_port_of_qps(one, two) != flow->source_port)
		return;
	port_key(&key, &flow->key.source, flow->key.dest_qp, flow->source_port);
	port = rda_table_get(&p->ports, &key, NULL);
	port->qpns[0] = one;
	port->qpns[1] = two;
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
	for (unsigned i = 0; i < rda_result_connection_count(result); i++)
		for (unsigned side = 0; side < 2; side++)
			add_port(p, rda_result_connection(result, i),
				 rda_result_flow(result, rda_result_connection(result, i), side));
	for (unsigned i = 0; i < rda_result_key_count(result); i++) {
		const struct rda_key_facts *key = rda_result_key(result, i);

		take_number(p, RDA_SECRET_KEY, 4, key->id.key);
		add_span(p, key);
	}
}

struct rda_pseudonyms *rda_pseudonyms_new(const struct rda_result *result, uint64_t hash_seed)
{
	struct rda_pseudonyms *p = g_new0(struct rda_pseudonyms, 1);

	for (unsigned kind = 0; kind < RDA_SECRET_COUNT; kind++) {
		rda_table_init(&p->kinds[kind].given, sizeof(struct value), sizeof(struct given),
			       hash_seed);
		rda_table_init(&p->kinds[kind].taken, sizeof(struct value), sizeof(struct value),
			       hash_seed);
	}
	rda_table_init(&p->spans, sizeof(struct value), sizeof(struct span), hash_seed);
	rda_table_init(&p->ports, sizeof(struct port_key), sizeof(struct port), hash_seed);
	take_result(p, result);
	return p;
}

void rda_pseudonyms_free(struct rda_pseudonyms *p)
{
	for (unsigned kind = 0; kind < RDA_SECRET_COUNT; kind++) {
		rda_table_cleanup(&p->kinds[kind].given, NULL);
		rda_table_cleanup(&p->kinds[kind].taken, NULL);
	}
	rda_table_cleanup(&p->spans, NULL);
	rda_table_cleanup(&p->ports, NULL);
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

/* Programs count in them: past so many different ones they are zeros. */
enum { IMMEDIATES_MAX = 1 << 16 };

/* So that the first comes to lie at 2^44, at the same place of its 256 MiB. */
static void move(struct rda_pseudonyms *p, uint8_t *bytes)
{
	uint64_t va = rda_be64(bytes);

	if (va > UINT64_MAX - UINT32_MAX) /* where memory wraps means something, and is no memory */
		return;
	if (!p->moved)
		p->distance = (UINT64_C(1) << 44) - (va & ~UINT64_C(0xfffffff));
	p->moved = true;
	put_number(bytes, 8, va + p->distance);
}

void rda_pseudonyms_secret(void *context, enum rda_secret kind, uint8_t *bytes, unsigned length)
{
	struct rda_pseudonyms *p = context;
	struct kind *k = &p->kinds[kind];
	struct value original = value_of(bytes, length), value;
	struct given *given;

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
	given = rda_table_find(&k->given, &original);
	if (!given && kind == RDA_SECRET_IMMEDIATE && k->count >= IMMEDIATES_MAX) {
		memset(bytes, 0, length);
		return;
	}
	if (!given) {
		do {
			write_pseudonym(kind, ++k->count, bytes, length);
			value = value_of(bytes, length);
		} while (rda_table_find(&k->taken, &value));
		given = rda_table_get(&k->given, &original, NULL);
		given->pseudonym = value;
	}
	memcpy(bytes, given->pseudonym.bytes + sizeof(value.bytes) - length, length);
}

/* ---- source ports ---------------------------------------------------------------------------- */

uint16_t rda_pseudonyms_source_port(void *context, const struct rda_packet *packet)
{
	struct rda_pseudonyms *p = context;
	struct port_key key;
	const struct port *port;
	uint32_t qpns[2];

	port_key(&key, &packet->source, packet->bth.dest_qp, packet->source_port);
	port = rda_table_find(&p->ports, &key);
	if (!port)
		return packet->source_port;
	for (unsigned i = 0; i < 2; i++) {
		uint8_t bytes[3];

		put_number(bytes, sizeof(bytes), port->qpns[i]);
		rda_pseudonyms_secret(p, RDA_SECRET_QPN, bytes, sizeof(bytes));
		qpns[i] = (uint32_t)number_of(bytes, sizeof(bytes));
	}
	return rda_source_port_of_qps(qpns[0], qpns[1]);
}

/* ---- keys in messages ------------------------------------------------------------------------ */

/* As far into a message as checks look for keys, and as far from a key for its address. */
enum { LOOKED_AT = 256, NEAR = 16 };

enum { KEY = 4, ADDRESS = 8 }; /* bytes */

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

	return rda_table_find(&p->spans, &key);
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

static bool is_free(const uint8_t *out, uint32_t length)
{
	while (length && !*out)
		out++, length--;
	return !length;
}

/* An address in the key's memory, in either byte order, where nothing was put yet. */
static void keep_address(struct rda_pseudonyms *p, const struct span *span, uint8_t *out,
			 const uint8_t *payload)
{
	for (unsigned swapped = 0; swapped < 2; swapped++) {
		uint8_t bytes[ADDRESS];

		memcpy(bytes, payload, sizeof(bytes));
		if (swapped)
			reverse(bytes, sizeof(bytes));
		if (rda_be64(bytes) && rda_be64(bytes) >= span->low &&
		    rda_be64(bytes) <= span->last && is_free(out, ADDRESS))
			put_secret(p, RDA_SECRET_VA, bytes, ADDRESS, swapped, out);
	}
}

/* Addresses around the key at `at`: those that lie next to it first, as a window may hold a number
 * that is none by chance. */
static void keep_addresses(struct rda_pseudonyms *p, const struct span *span, uint8_t *out,
			   const uint8_t *payload, uint32_t length, uint32_t at)
{
	uint32_t from = at > NEAR ? at - NEAR : 0, to = MIN(length, at + KEY + NEAR);

	if (at >= ADDRESS)
		keep_address(p, span, out + at - ADDRESS, payload + at - ADDRESS);
	if (at + KEY + ADDRESS <= length)
		keep_address(p, span, out + at + KEY, payload + at + KEY);
	for (uint32_t i = from; i + ADDRESS <= to; i++)
		keep_address(p, span, out + i, payload + i);
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
			keep_addresses(p, span, out, payload, length, i);
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
	rda_line_anew(context, out, length);
}
