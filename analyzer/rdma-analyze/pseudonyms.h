/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other values for addresses, QPNs and keys: the same for the same, different for different ones,
 * counted up in the order in which they come, so that they tell nothing of the originals.
 *
 *     IPv4      198.18.0.1, ...          (a range for tests of networks: RFC 2544)
 *     IPv6      fd00::1, ...; of the link fe80::1, ...; ::ffff:198.18.0.1 of an IPv4 address
 *     MAC       02:00:5e:00:00:01, ...
 *     QPN       0x000010, ...            0, 1 and 0xffffff mean something, and stay
 *     key       0x00010000 + its last byte, ...: providers count in that byte, and checks look at
 *               it
 *     Q_Key     0x00020001, ...; its first bit stays, and so does that of QP 1
 *     LID       1, ...; multicast and permissive ones stay
 *     immediate 1, ...: 65,536 different ones, zeros past them
 *     address   in memory: all are moved by the same distance
 *
 * UDP source ports that drivers make of QPNs are made of the new
 * ones (source_port.h), as connections are known by them.
 *
 * What has a meaning for everybody stays: no address, loopback, broadcast, all nodes of a link.
 * None of the values that are given is one that the result of the capture names.
 */
#ifndef RDA_PSEUDONYMS_H
#define RDA_PSEUDONYMS_H

#include "analyzer/engine/result.h"
#include "dissectors/rewrite.h"

struct rda_pseudonyms;

/* The result is borrowed for the call; the seed is that of tables (table.h). */
struct rda_pseudonyms *rda_pseudonyms_new(const struct rda_result *result, uint64_t hash_seed);
void rda_pseudonyms_free(struct rda_pseudonyms *pseudonyms);

/* For rda_rewrite: `context` are the pseudonyms. */
void rda_pseudonyms_secret(void *context, enum rda_secret kind, uint8_t *bytes, unsigned length);

/*
 * What of a payload stays, with other values: a line in which programs tell each other their QPs
 * (exchange_text.h); keys that the result knows, and addresses in their memory beside them.
 */
void rda_pseudonyms_payload(void *context, uint8_t *out, const uint8_t *payload, uint32_t length);

/* For rda_rewrite: the source port that goes with the new QPNs, or the packet's. */
uint16_t rda_pseudonyms_source_port(void *context, const struct rda_packet *packet);

#endif
