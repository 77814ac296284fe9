/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory keys as records.
 */
#include "analyzer/report/describe.h"

#include "analyzer/report/address.h"

static void put_address(struct rda_record *record, const char *name,
			const struct rda_address *address)
{
	char text[RDA_ADDRESS_TEXT];

	rda_record_text(record, name,
			address->kind == RDA_ADDRESS_NONE ? NULL : rda_address_text(text, address));
}

static void put_users(struct rda_record *record, const struct rda_result *result,
		      const struct rda_key_facts *key)
{
	rda_record_open_list(record, "users");
	for (uint32_t i = 0; i < key->user_count; i++) {
		const struct rda_endpoint *user = rda_result_key_user(result, key, i);

		rda_record_open(record, NULL);
		put_address(record, "address", &user->address);
		if (user->qpn == RDA_QPN_UNKNOWN)
			rda_record_null(record, "qpn");
		else
			rda_record_number(record, "qpn", user->qpn);
		if (user->port >= 0)
			rda_record_number(record, "port", (uint64_t)user->port);
		rda_record_close(record);
	}
	rda_record_close(record);
}

static void put_range(struct rda_record *record, const struct rda_key_facts *key)
{
	if (!key->has_range) {
		rda_record_null(record, "low_address");
		rda_record_null(record, "high_address");
		return;
	}
	rda_record_hex(record, "low_address", key->low, 16);
	/* exclusive; the very last address has no end that a number could hold */
	rda_record_hex(record, "high_address", key->last == UINT64_MAX ? key->last : key->last + 1,
		       16);
}

void rda_describe_key(struct rda_record *record, const struct rda_result *result,
		      const struct rda_key_facts *key)
{
	put_address(record, "responder",
		    &rda_result_host_of_index(result, key->id.responder)->address);
	rda_record_hex(record, "key", key->id.key, 8);
	rda_record_text(record, "kind", key->stag ? "stag" : "rkey");
	put_users(record, result, key);
	rda_record_number(record, "reads", key->asked[RDA_KEY_USE_READ]);
	rda_record_number(record, "writes", key->asked[RDA_KEY_USE_WRITE]);
	rda_record_number(record, "atomics", key->asked[RDA_KEY_USE_ATOMIC]);
	rda_record_number(record, "bytes", key->bytes);
	put_range(record, key);
	rda_record_number(record, "refused", key->refused);
	if (key->invalidated_place)
		rda_record_number(record, "invalidated_at_frame",
				  rda_place_number(key->invalidated_place));
	else
		rda_record_null(record, "invalidated_at_frame");
	rda_record_number(record, "used_after_invalidate", key->used_after_invalidate);
}
