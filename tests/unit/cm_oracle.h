/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clang-format off */
/*
 * Where the fields of the CM messages lie (IBTA vol 1, ch. 12), typed by hand and apart from
 * headers.def, so that a wrong offset there fails.
 *
 * RDA_ORACLE_<ID>(F, G):
 *     F(member, byte, bits to skip in it, width)   a number
 *     G(member, byte, bytes)                       a run of bytes
 * RDA_ORACLE_<ID>_BYTES: where its private data begins.
 * Bytes count from the message's first, behind the 24 of the MAD header.
 */
#ifndef RDA_TEST_CM_ORACLE_H
#define RDA_TEST_CM_ORACLE_H

#define RDA_ORACLE_CM_REQ_BYTES 140
#define RDA_ORACLE_CM_REQ(F, G)                                                                    \
	F(local_comm_id, 0, 0, 32)                                                                 \
	F(vendor_id, 5, 0, 24)                                                                     \
	F(service_id, 8, 0, 64)                                                                    \
	F(local_ca_guid, 16, 0, 64)                                                                \
	F(local_q_key, 28, 0, 32)                                                                  \
	F(local_qpn, 32, 0, 24)                                                                    \
	F(responder_resources, 35, 0, 8)                                                           \
	F(local_eecn, 36, 0, 24)                                                                   \
	F(initiator_depth, 39, 0, 8)                                                               \
	F(remote_eecn, 40, 0, 24)                                                                  \
	F(remote_cm_timeout, 43, 0, 5)                                                             \
	F(transport, 43, 5, 2)                                                                     \
	F(flow_control, 43, 7, 1)                                                                  \
	F(starting_psn, 44, 0, 24)                                                                 \
	F(local_cm_timeout, 47, 0, 5)                                                              \
	F(retry_count, 47, 5, 3)                                                                   \
	F(pkey, 48, 0, 16)                                                                         \
	F(path_mtu, 50, 0, 4)                                                                      \
	F(rdc_exists, 50, 4, 1)                                                                    \
	F(rnr_retry_count, 50, 5, 3)                                                               \
	F(max_cm_retries, 51, 0, 4)                                                                \
	F(srq, 51, 4, 1)                                                                           \
	F(extended_transport, 51, 5, 3)                                                            \
	F(primary_local_lid, 52, 0, 16)                                                            \
	F(primary_remote_lid, 54, 0, 16)                                                           \
	G(primary_local_gid, 56, 16)                                                               \
	G(primary_remote_gid, 72, 16)                                                              \
	F(primary_flow_label, 88, 0, 20)                                                           \
	F(primary_rate, 91, 2, 6)                                                                  \
	F(primary_tclass, 92, 0, 8)                                                                \
	F(primary_hop_limit, 93, 0, 8)                                                             \
	F(primary_sl, 94, 0, 4)                                                                    \
	F(primary_subnet_local, 94, 4, 1)                                                          \
	F(primary_ack_timeout, 95, 0, 5)                                                           \
	F(alternate_local_lid, 96, 0, 16)                                                          \
	F(alternate_remote_lid, 98, 0, 16)                                                         \
	G(alternate_local_gid, 100, 16)                                                            \
	G(alternate_remote_gid, 116, 16)                                                           \
	F(alternate_flow_label, 132, 0, 20)                                                        \
	F(alternate_rate, 135, 2, 6)                                                               \
	F(alternate_tclass, 136, 0, 8)                                                             \
	F(alternate_hop_limit, 137, 0, 8)                                                          \
	F(alternate_sl, 138, 0, 4)                                                                 \
	F(alternate_subnet_local, 138, 4, 1)                                                       \
	F(alternate_ack_timeout, 139, 0, 5)

#define RDA_ORACLE_CM_MRA_BYTES 10
#define RDA_ORACLE_CM_MRA(F, G)                                                                    \
	F(local_comm_id, 0, 0, 32)                                                                 \
	F(remote_comm_id, 4, 0, 32)                                                                \
	F(message, 8, 0, 2)                                                                        \
	F(service_timeout, 9, 0, 5)

#define RDA_ORACLE_CM_REJ_BYTES 84
#define RDA_ORACLE_CM_REJ(F, G)                                                                    \
	F(local_comm_id, 0, 0, 32)                                                                 \
	F(remote_comm_id, 4, 0, 32)                                                                \
	F(message, 8, 0, 2)                                                                        \
	F(info_length, 9, 0, 7)                                                                    \
	F(reason, 10, 0, 16)                                                                       \
	G(ari, 12, 72)

#define RDA_ORACLE_CM_REP_BYTES 36
#define RDA_ORACLE_CM_REP(F, G)                                                                    \
	F(local_comm_id, 0, 0, 32)                                                                 \
	F(remote_comm_id, 4, 0, 32)                                                                \
	F(local_q_key, 8, 0, 32)                                                                   \
	F(local_qpn, 12, 0, 24)                                                                    \
	F(local_eecn, 16, 0, 24)                                                                   \
	F(starting_psn, 20, 0, 24)                                                                 \
	F(responder_resources, 24, 0, 8)                                                           \
	F(initiator_depth, 25, 0, 8)                                                               \
	F(target_ack_delay, 26, 0, 5)                                                              \
	F(failover, 26, 5, 2)                                                                      \
	F(flow_control, 26, 7, 1)                                                                  \
	F(rnr_retry_count, 27, 0, 3)                                                               \
	F(srq, 27, 3, 1)                                                                           \
	F(local_ca_guid, 28, 0, 64)

#define RDA_ORACLE_CM_RTU_BYTES 8
#define RDA_ORACLE_CM_RTU(F, G)                                                                    \
	F(local_comm_id, 0, 0, 32)                                                                 \
	F(remote_comm_id, 4, 0, 32)

#define RDA_ORACLE_CM_DREQ_BYTES 12
#define RDA_ORACLE_CM_DREQ(F, G)                                                                   \
	F(local_comm_id, 0, 0, 32)                                                                 \
	F(remote_comm_id, 4, 0, 32)                                                                \
	F(remote_qpn, 8, 0, 24)

#define RDA_ORACLE_CM_DREP_BYTES 8
#define RDA_ORACLE_CM_DREP(F, G)                                                                   \
	F(local_comm_id, 0, 0, 32)                                                                 \
	F(remote_comm_id, 4, 0, 32)

#define RDA_ORACLE_CM_SIDR_REQ_BYTES 16
#define RDA_ORACLE_CM_SIDR_REQ(F, G)                                                               \
	F(request_id, 0, 0, 32)                                                                    \
	F(pkey, 4, 0, 16)                                                                          \
	F(service_id, 8, 0, 64)

#define RDA_ORACLE_CM_SIDR_REP_BYTES 96
#define RDA_ORACLE_CM_SIDR_REP(F, G)                                                               \
	F(request_id, 0, 0, 32)                                                                    \
	F(status, 4, 0, 8)                                                                         \
	F(info_length, 5, 0, 8)                                                                    \
	F(qpn, 8, 0, 24)                                                                           \
	F(service_id, 12, 0, 64)                                                                   \
	F(q_key, 20, 0, 32)                                                                        \
	G(info, 24, 72)

#define RDA_ORACLE_CM_LAP_BYTES 64
#define RDA_ORACLE_CM_LAP(F, G)                                                                    \
	F(local_comm_id, 0, 0, 32)                                                                 \
	F(remote_comm_id, 4, 0, 32)                                                                \
	F(remote_qpn, 12, 0, 24)                                                                   \
	F(remote_cm_timeout, 15, 0, 5)                                                             \
	F(alternate_local_lid, 20, 0, 16)                                                          \
	F(alternate_remote_lid, 22, 0, 16)                                                         \
	G(alternate_local_gid, 24, 16)                                                             \
	G(alternate_remote_gid, 40, 16)                                                            \
	F(alternate_flow_label, 56, 0, 20)                                                         \
	F(alternate_tclass, 59, 0, 8)                                                              \
	F(alternate_hop_limit, 60, 0, 8)                                                           \
	F(alternate_rate, 61, 2, 6)                                                                \
	F(alternate_sl, 62, 0, 4)                                                                  \
	F(alternate_subnet_local, 62, 4, 1)                                                        \
	F(alternate_ack_timeout, 63, 0, 5)

#define RDA_ORACLE_CM_APR_BYTES 84
#define RDA_ORACLE_CM_APR(F, G)                                                                    \
	F(local_comm_id, 0, 0, 32)                                                                 \
	F(remote_comm_id, 4, 0, 32)                                                                \
	F(info_length, 8, 0, 8)                                                                    \
	F(status, 9, 0, 8)                                                                         \
	G(info, 12, 72)

#endif
