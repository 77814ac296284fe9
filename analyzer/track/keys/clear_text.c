/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages kept and searched; see clear_text.h.
 */
#include "analyzer/track/keys/clear_text.h"

#include "analyzer/base/cold.h"

#include <glib.h>
#include <string.h>

/* An address stands within so many bytes of its key, on either side. */
enum { NEAR = 16 };

void rda_clear_text_init(struct rda_clear_text *text)
{
	memset(text, 0, sizeof(*text));
}

void rda_clear_text_cleanup(struct rda_clear_text *text)
{
	for (uint32_t i = 0; i < text->host_count; i++) {
		g_free(text->hosts[i].bytes);
		g_free(text->hosts[i].messages);
	}
	g_free(text->hosts);
}

RDA_COLD static void grow(struct rda_clear_text *text, uint32_t host)
{
	uint32_t count = text->host_count;

	text->host_count = MAX(host + 1, 2 * count);
	text->hosts = g_renew(struct rda_clear_host, text->hosts, text->host_count);
	memset(text->hosts + count, 0, (text->host_count - count) * sizeof(struct rda_clear_host));
}

static inline struct rda_clear_host *host_of(struct rda_clear_text *text, uint32_t host)
{
	if (host >= text->host_count)
		grow(text, host);
	return &text->hosts[host];
}

/* The older half of the messages goes. */
static void drop_half(struct rda_clear_host *h)
{
	uint32_t gone = h->count - h->count / 2, from;

	if (!h->count)
		return;
	from = gone < h->count ? h->messages[gone].begin : h->used;
	h->dropped = h->messages[gone - 1].place;
	h->count -= gone;
	memmove(h->messages, h->messages + gone, h->count * sizeof(*h->messages));
	memmove(h->bytes, h->bytes + from, h->used - from);
	h->used -= from;
	for (uint32_t i = 0; i < h->count; i++)
		h->messages[i].begin -= from;
}

/* Room for so many bytes more; false when there is none to be had. */
static bool make_room(struct rda_clear_text *text, struct rda_clear_host *h, uint32_t length)
{
	uint32_t wanted = MAX(2 * h->allocated, 4 * RDA_CLEAR_BYTES);

	if (h->used + length > h->allocated && h->allocated < RDA_CLEAR_PER_HOST &&
	    text->total + (wanted - h->allocated) <= RDA_CLEAR_TOTAL) {
		text->total += wanted - h->allocated;
		h->bytes = g_realloc(h->bytes, wanted);
		h->allocated = wanted;
	}
	while (h->used + length > h->allocated && h->count)
		drop_half(h);
	if (h->count == h->allocated_messages) {
		h->allocated_messages = MAX(16, 2 * h->allocated_messages);
		h->messages = g_renew(struct rda_clear_message, h->messages, h->allocated_messages);
	}
	return h->used + length <= h->allocated;
}

void rda_clear_text_keep(struct rda_clear_text *text, uint32_t host, uint64_t place,
			 const uint8_t *bytes, uint32_t length, uint32_t whole)
{
	struct rda_clear_host *h = host_of(text, host);
	uint32_t kept = MIN(length, RDA_CLEAR_BYTES);

	if (kept < whole)
		h->overlooked = place;
	if (kept < sizeof(uint32_t))
		return;
	if (!make_room(text, h, kept)) {
		text->limited++;
		h->overlooked = place;
		return;
	}
	memcpy(h->bytes + h->used, bytes, kept);
	h->messages[h->count++] = (struct rda_clear_message){place, h->used, kept};
	h->used += kept;
}

void rda_clear_text_pass(struct rda_clear_text *text, uint32_t host, uint64_t place)
{
	struct rda_clear_host *h = host_of(text, host);

	h->overlooked = MAX(h->overlooked, place);
}

static uint64_t swapped64(uint64_t value)
{
	return GUINT64_SWAP_LE_BE(value);
}

/* Whether the address stands near `at`, in either byte order. */
static bool address_near(const uint8_t *bytes, uint32_t length, uint32_t at, uint64_t address)
{
	uint32_t from = at > NEAR ? at - NEAR : 0, to = MIN(length, at + 4 + NEAR);
	uint64_t other = swapped64(address), here;

	for (uint32_t i = from; i + sizeof(here) <= to; i++) {
		memcpy(&here, bytes + i, sizeof(here));
		if (here == address || here == other)
			return true;
	}
	return false;
}

/* Looks for the key in one message; one with the address beside it is preferred. */
static bool search(const uint8_t *bytes, uint32_t length, uint32_t key, uint64_t address,
		   struct rda_key_told *hit)
{
	uint32_t other = GUINT32_SWAP_LE_BE(key), here;
	bool found = false;

	for (uint32_t i = 0; i + sizeof(here) <= length; i++) {
		memcpy(&here, bytes + i, sizeof(here));
		if (here != key && here != other)
			continue;
		hit->with_address = address_near(bytes, length, i, address);
		if (!found || hit->with_address)
			hit->offset = i;
		found = true;
		if (hit->with_address)
			return true;
	}
	return found;
}

bool rda_clear_text_find(const struct rda_clear_text *text, uint32_t host, uint32_t key,
			 uint64_t address, uint64_t after, uint64_t before,
			 struct rda_key_told *hit)
{
	static const struct rda_clear_host nothing;
	const struct rda_clear_host *h = host < text->host_count ? &text->hosts[host] : &nothing;

	memset(hit, 0, sizeof(*hit));
	for (uint32_t i = h->count; i > 0; i--) {
		const struct rda_clear_message *message = &h->messages[i - 1];

		if (message->place >= before)
			continue;
		if (message->place <= after)
			break;
		hit->limited = text->searched + hit->searched >= RDA_CLEAR_SEARCHED;
		if (hit->limited)
			return false;
		hit->searched += message->length;
		hit->any = true;
		if (search(h->bytes + message->begin, message->length, key, address, hit)) {
			hit->place = message->place;
			return true;
		}
	}
	hit->complete = h->overlooked <= after && h->dropped <= after && text->begun <= after;
	return false;
}

void rda_clear_text_searched(struct rda_clear_text *text, const struct rda_key_told *told)
{
	text->searched += told->searched;
	text->limited += told->limited;
}

uint64_t rda_clear_text_bytes(const struct rda_clear_text *text)
{
	return text->total + text->total / 4 + text->host_count * sizeof(*text->hosts);
}
