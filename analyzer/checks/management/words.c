/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hosts, services and reasons in words; see management_words.h.
 */
#include "analyzer/checks/management/words.h"

#include "analyzer/base/put_address.h"
#include "dissectors/mad.h"
#include "dissectors/values.h"

#include <inttypes.h>
#include <string.h>

static const char *keep(char text[RDA_MANAGEMENT_WORDS], GString *words)
{
	gsize length = MIN(words->len, RDA_MANAGEMENT_WORDS - 1);

	memcpy(text, words->str, length);
	text[length] = 0;
	g_string_free(words, TRUE);
	return text;
}

const char *rda_words_address(char text[RDA_MANAGEMENT_WORDS], const struct rda_address *address)
{
	GString *words = g_string_new(NULL);

	rda_put_address(words, address);
	return keep(text, words);
}

const char *rda_words_service(char text[RDA_MANAGEMENT_WORDS], const struct rda_cm_pair *pair)
{
	GString *words = g_string_new(NULL);
	uint64_t id = pair->service_id;
	const char *protocol = rda_words(RDA_SET_IP_PROTO, id >> 16 & 0xff);

	if (!id)
		g_string_append(words, "an unknown service");
	else if (rda_ip_cm_port(id) < 0)
		g_string_append_printf(words, "service ID 0x%016" PRIx64, id);
	else
		g_string_append_printf(words, "%s port %d", protocol ? protocol : "IP",
				       rda_ip_cm_port(id));
	return keep(text, words);
}

const char *rda_words_reject(int32_t reason)
{
	switch (reason) {
	case RDA_REJ_REASON_NO_QP:
	case RDA_REJ_REASON_NO_EEC:
	case RDA_REJ_REASON_NO_RESOURCES: return "it has no QP or no memory left for it";
	case RDA_REJ_REASON_TIMEOUT: return "it gave up waiting for the next message";
	case RDA_REJ_REASON_INVALID_COMM_ID: return "it knows of no such conversation";
	case RDA_REJ_REASON_INVALID_SERVICE_ID: return "nobody listens for that there";
	case RDA_REJ_REASON_STALE_CONNECTION:
		return "for it that QP is still part of an earlier connection";
	case RDA_REJ_REASON_PRIMARY_GID:
	case RDA_REJ_REASON_PRIMARY_LID: return "the address that was asked for is not its own";
	case RDA_REJ_REASON_INVALID_MTU: return "it cannot use that path MTU";
	case RDA_REJ_REASON_RESPONDER_RESOURCES:
		return "it wants more READs at once than were offered";
	case RDA_REJ_REASON_CONSUMER: return "the application there does not want it";
	default: return NULL;
	}
}
