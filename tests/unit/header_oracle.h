/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clang-format off */
/*
 * Where the fields of the headers lie, but for the CM messages (cm_oracle.h): typed by hand from
 * their specifications and apart from headers.def, so that a wrong offset or width there fails.
 *
 * RDA_ORACLE_<ID>(F, G):
 *     F(member, byte, bits to skip in it, width)   a number
 *     G(member, byte, bytes)                       a run of bytes
 * RDA_ORACLE_<ID>_BYTES: the length of the fixed part.
 */
#ifndef RDA_TEST_HEADER_ORACLE_H
#define RDA_TEST_HEADER_ORACLE_H

/* ---- links ---------------------------------------------------------------------------------- */

#define RDA_ORACLE_ERF_BYTES 16
#define RDA_ORACLE_ERF(F, G)                                                                       \
	F(extension, 8, 0, 1) F(type, 8, 1, 7) F(flags, 9, 0, 8) F(rlen, 10, 0, 16)                \
	F(lctr, 12, 0, 16) F(wlen, 14, 0, 16)

#define RDA_ORACLE_ETH_BYTES 14
#define RDA_ORACLE_ETH(F, G) G(destination, 0, 6) G(source, 6, 6) F(type, 12, 0, 16)

#define RDA_ORACLE_VLAN_BYTES 4
#define RDA_ORACLE_VLAN(F, G)                                                                      \
	F(priority, 0, 0, 3) F(dei, 0, 3, 1) F(id, 0, 4, 12) F(type, 2, 0, 16)

#define RDA_ORACLE_SLL_BYTES 16
#define RDA_ORACLE_SLL(F, G)                                                                       \
	F(packet_type, 0, 0, 16) F(arphrd, 2, 0, 16) F(address_length, 4, 0, 16) G(source, 6, 8)   \
	F(protocol, 14, 0, 16)

#define RDA_ORACLE_SLL2_BYTES 20
#define RDA_ORACLE_SLL2(F, G)                                                                      \
	F(protocol, 0, 0, 16) F(ifindex, 4, 0, 32) F(arphrd, 8, 0, 16) F(packet_type, 10, 0, 8)    \
	F(address_length, 11, 0, 8) G(source, 12, 8)

#define RDA_ORACLE_LOOPBACK_BYTES 4
#define RDA_ORACLE_LOOPBACK(F, G) G(family, 0, 4)

#define RDA_ORACLE_PAUSE_BYTES 4
#define RDA_ORACLE_PAUSE(F, G) F(opcode, 0, 0, 16) F(quanta, 2, 0, 16)

#define RDA_ORACLE_PFC_BYTES 20
#define RDA_ORACLE_PFC(F, G)                                                                       \
	F(opcode, 0, 0, 16) F(enabled, 3, 0, 8) F(quanta0, 4, 0, 16) F(quanta1, 6, 0, 16)          \
	F(quanta2, 8, 0, 16) F(quanta3, 10, 0, 16) F(quanta4, 12, 0, 16) F(quanta5, 14, 0, 16)     \
	F(quanta6, 16, 0, 16) F(quanta7, 18, 0, 16)

/* ---- IP and tunnels ------------------------------------------------------------------------- */

#define RDA_ORACLE_IP4_BYTES 20
#define RDA_ORACLE_IP4(F, G)                                                                       \
	F(version, 0, 0, 4) F(ihl, 0, 4, 4) F(dscp, 1, 0, 6) F(ecn, 1, 6, 2) F(length, 2, 0, 16)   \
	F(id, 4, 0, 16) F(df, 6, 1, 1) F(mf, 6, 2, 1) F(fragment, 6, 3, 13) F(ttl, 8, 0, 8)        \
	F(protocol, 9, 0, 8) F(checksum, 10, 0, 16) G(source, 12, 4) G(destination, 16, 4)

#define RDA_ORACLE_IP6_BYTES 40
#define RDA_ORACLE_IP6(F, G)                                                                       \
	F(version, 0, 0, 4) F(dscp, 0, 4, 6) F(ecn, 1, 2, 2) F(flow_label, 1, 4, 20)               \
	F(length, 4, 0, 16) F(next_header, 6, 0, 8) F(hop_limit, 7, 0, 8) G(source, 8, 16)         \
	G(destination, 24, 16)

#define RDA_ORACLE_IP6_EXT_BYTES 2
#define RDA_ORACLE_IP6_EXT(F, G) F(next_header, 0, 0, 8) F(length, 1, 0, 8)

#define RDA_ORACLE_IP6_FRAG_BYTES 8
#define RDA_ORACLE_IP6_FRAG(F, G)                                                                  \
	F(next_header, 0, 0, 8) F(fragment, 2, 0, 13) F(mf, 3, 7, 1) F(id, 4, 0, 32)

#define RDA_ORACLE_ICMP_BYTES 8
#define RDA_ORACLE_ICMP(F, G)                                                                      \
	F(type, 0, 0, 8) F(code, 1, 0, 8) F(checksum, 2, 0, 16) F(mtu, 4, 0, 32)

#define RDA_ORACLE_ND_BYTES 24
#define RDA_ORACLE_ND(F, G)                                                                        \
	F(type, 0, 0, 8) F(code, 1, 0, 8) F(checksum, 2, 0, 16) G(target, 8, 16)

#define RDA_ORACLE_ARP_BYTES 28
#define RDA_ORACLE_ARP(F, G)                                                                       \
	F(hardware_type, 0, 0, 16) F(protocol_type, 2, 0, 16) F(hardware_length, 4, 0, 8)          \
	F(protocol_length, 5, 0, 8) F(operation, 6, 0, 16) G(sender_mac, 8, 6) G(sender, 14, 4)    \
	G(target_mac, 18, 6) G(target, 24, 4)

#define RDA_ORACLE_UDP_BYTES 8
#define RDA_ORACLE_UDP(F, G)                                                                       \
	F(source_port, 0, 0, 16) F(destination_port, 2, 0, 16) F(length, 4, 0, 16)                 \
	F(checksum, 6, 0, 16)

#define RDA_ORACLE_MPLS_BYTES 4
#define RDA_ORACLE_MPLS(F, G)                                                                      \
	F(label, 0, 0, 20) F(traffic_class, 2, 4, 3) F(bottom, 2, 7, 1) F(ttl, 3, 0, 8)

#define RDA_ORACLE_GRE_BYTES 4
#define RDA_ORACLE_GRE(F, G)                                                                       \
	F(has_checksum, 0, 0, 1) F(has_routing, 0, 1, 1) F(has_key, 0, 2, 1)                       \
	F(has_sequence, 0, 3, 1) F(version, 1, 5, 3) F(protocol, 2, 0, 16)

#define RDA_ORACLE_ERSPAN2_BYTES 8
#define RDA_ORACLE_ERSPAN2(F, G)                                                                   \
	F(version, 0, 0, 4) F(vlan, 0, 4, 12) F(cos, 2, 0, 3) F(encap, 2, 3, 2)                    \
	F(truncated, 2, 5, 1) F(session, 2, 6, 10) F(index, 5, 4, 20)

#define RDA_ORACLE_ERSPAN3_BYTES 12
#define RDA_ORACLE_ERSPAN3(F, G)                                                                   \
	F(version, 0, 0, 4) F(vlan, 0, 4, 12) F(cos, 2, 0, 3) F(bso, 2, 3, 2)                      \
	F(truncated, 2, 5, 1) F(session, 2, 6, 10) F(timestamp, 4, 0, 32) F(sgt, 8, 0, 16)         \
	F(pdu, 10, 0, 1) F(frame_type, 10, 1, 5) F(hw_id, 10, 6, 6) F(egress, 11, 4, 1)            \
	F(granularity, 11, 5, 2) F(subheader, 11, 7, 1)

#define RDA_ORACLE_VXLAN_BYTES 8
#define RDA_ORACLE_VXLAN(F, G) F(flags, 0, 0, 16) F(group, 2, 0, 16) F(vni, 4, 0, 24)

#define RDA_ORACLE_GENEVE_BYTES 8
#define RDA_ORACLE_GENEVE(F, G)                                                                    \
	F(version, 0, 0, 2) F(options, 0, 2, 6) F(oam, 1, 0, 1) F(critical, 1, 1, 1)               \
	F(protocol, 2, 0, 16) F(vni, 4, 0, 24)

/* ---- InfiniBand ----------------------------------------------------------------------------- */

#define RDA_ORACLE_LRH_BYTES 8
#define RDA_ORACLE_LRH(F, G)                                                                       \
	F(vl, 0, 0, 4) F(lver, 0, 4, 4) F(sl, 1, 0, 4) F(lnh, 1, 6, 2) F(dlid, 2, 0, 16)           \
	F(pktlen, 4, 5, 11) F(slid, 6, 0, 16)

#define RDA_ORACLE_GRH_BYTES 40
#define RDA_ORACLE_GRH(F, G)                                                                       \
	F(ipver, 0, 0, 4) F(tclass, 0, 4, 8) F(flow_label, 1, 4, 20) F(paylen, 4, 0, 16)           \
	F(nxthdr, 6, 0, 8) F(hoplmt, 7, 0, 8) G(sgid, 8, 16) G(dgid, 24, 16)

#define RDA_ORACLE_RWH_BYTES 4
#define RDA_ORACLE_RWH(F, G) F(type, 2, 0, 16)

#define RDA_ORACLE_BTH_BYTES 12
#define RDA_ORACLE_BTH(F, G)                                                                       \
	F(opcode, 0, 0, 8) F(se, 1, 0, 1) F(migreq, 1, 1, 1) F(padcnt, 1, 2, 2) F(tver, 1, 4, 4)   \
	F(pkey, 2, 0, 16) F(fecn, 4, 0, 1) F(becn, 4, 1, 1) F(resv6a, 4, 2, 6)                     \
	F(dest_qp, 5, 0, 24) F(ack_req, 8, 0, 1) F(resv7, 8, 1, 7) F(psn, 9, 0, 24)

#define RDA_ORACLE_RDETH_BYTES 4
#define RDA_ORACLE_RDETH(F, G) F(eecnxt, 1, 0, 24)

#define RDA_ORACLE_DETH_BYTES 8
#define RDA_ORACLE_DETH(F, G) F(q_key, 0, 0, 32) F(src_qp, 5, 0, 24)

#define RDA_ORACLE_XRCETH_BYTES 4
#define RDA_ORACLE_XRCETH(F, G) F(xrc_srq, 1, 0, 24)

#define RDA_ORACLE_FETH_BYTES 4
#define RDA_ORACLE_FETH(F, G) F(sel, 3, 2, 2) F(plt, 3, 4, 4)

#define RDA_ORACLE_RETH_BYTES 16
#define RDA_ORACLE_RETH(F, G) F(va, 0, 0, 64) F(rkey, 8, 0, 32) F(dmalen, 12, 0, 32)

#define RDA_ORACLE_ATOMICETH_BYTES 28
#define RDA_ORACLE_ATOMICETH(F, G)                                                                 \
	F(va, 0, 0, 64) F(rkey, 8, 0, 32) F(swap_add, 12, 0, 64) F(compare, 20, 0, 64)

#define RDA_ORACLE_AETH_BYTES 4
#define RDA_ORACLE_AETH(F, G) F(syndrome, 0, 0, 8) F(msn, 1, 0, 24)

#define RDA_ORACLE_ATOMICACKETH_BYTES 8
#define RDA_ORACLE_ATOMICACKETH(F, G) F(original, 0, 0, 64)

#define RDA_ORACLE_IMMDT_BYTES 4
#define RDA_ORACLE_IMMDT(F, G) F(immediate, 0, 0, 32)

#define RDA_ORACLE_IETH_BYTES 4
#define RDA_ORACLE_IETH(F, G) F(rkey, 0, 0, 32)

#define RDA_ORACLE_MAD_BYTES 24
#define RDA_ORACLE_MAD(F, G)                                                                       \
	F(base_version, 0, 0, 8) F(mgmt_class, 1, 0, 8) F(class_version, 2, 0, 8) F(method, 3, 0, 8)   \
	F(status, 4, 0, 16) F(specific, 6, 0, 16) F(tid, 8, 0, 64) F(attribute, 16, 0, 16)         \
	F(modifier, 20, 0, 32)

#define RDA_ORACLE_IP_CM_BYTES 36
#define RDA_ORACLE_IP_CM(F, G)                                                                     \
	F(major_version, 0, 0, 4) F(minor_version, 0, 4, 4) F(ip_version, 1, 0, 4)                 \
	F(source_port, 2, 0, 16) G(source, 4, 16) G(destination, 20, 16)

/* ---- TCP and iWARP --------------------------------------------------------------------------- */

#define RDA_ORACLE_TCP_BYTES 20
#define RDA_ORACLE_TCP(F, G)                                                                       \
	F(source_port, 0, 0, 16) F(destination_port, 2, 0, 16) F(sequence, 4, 0, 32)               \
	F(acknowledgment, 8, 0, 32) F(data_offset, 12, 0, 4) F(ack, 13, 3, 1) F(psh, 13, 4, 1)     \
	F(rst, 13, 5, 1) F(syn, 13, 6, 1) F(fin, 13, 7, 1) F(window, 14, 0, 16)                    \
	F(checksum, 16, 0, 16)

#define RDA_ORACLE_MPA_START_BYTES 20
#define RDA_ORACLE_MPA_START(F, G)                                                                 \
	G(key, 0, 16) F(markers, 16, 0, 1) F(crc, 16, 1, 1) F(reject, 16, 2, 1)                    \
	F(enhanced, 16, 3, 1) F(reserved, 16, 4, 4) F(revision, 17, 0, 8)                          \
	F(private_data_length, 18, 0, 16)

#define RDA_ORACLE_MPA_DEPTHS_BYTES 4
#define RDA_ORACLE_MPA_DEPTHS(F, G)                                                                \
	F(peer_to_peer, 0, 0, 1) F(send_rtr, 0, 1, 1) F(ird, 0, 2, 14) F(write_rtr, 2, 0, 1)       \
	F(read_rtr, 2, 1, 1) F(ord, 2, 2, 14)

#define RDA_ORACLE_FPDU_BYTES	   2
#define RDA_ORACLE_FPDU(F, G)	   F(length, 0, 0, 16)

#define RDA_ORACLE_DDP_CONTROL(F)                                                                  \
	F(tagged, 0, 0, 1) F(last, 0, 1, 1) F(ddp_reserved, 0, 2, 4) F(ddp_version, 0, 6, 2)       \
	F(rdmap_version, 1, 0, 2) F(rdmap_reserved, 1, 2, 2) F(opcode, 1, 4, 4)

#define RDA_ORACLE_DDP_TAGGED_BYTES 14
#define RDA_ORACLE_DDP_TAGGED(F, G)                                                                \
	RDA_ORACLE_DDP_CONTROL(F) F(stag, 2, 0, 32) F(offset, 6, 0, 64)

#define RDA_ORACLE_DDP_UNTAGGED_BYTES 18
#define RDA_ORACLE_DDP_UNTAGGED(F, G)                                                              \
	RDA_ORACLE_DDP_CONTROL(F) F(invalidate_stag, 2, 0, 32) F(queue, 6, 0, 32)                  \
	F(msn, 10, 0, 32) F(offset, 14, 0, 32)

#define RDA_ORACLE_RDMAP_READ_BYTES 28
#define RDA_ORACLE_RDMAP_READ(F, G)                                                                \
	F(sink_stag, 0, 0, 32) F(sink_offset, 4, 0, 64) F(size, 12, 0, 32)                         \
	F(source_stag, 16, 0, 32) F(source_offset, 20, 0, 64)

#define RDA_ORACLE_RDMAP_ATOMIC_BYTES 52
#define RDA_ORACLE_RDMAP_ATOMIC(F, G)                                                              \
	F(operation, 3, 4, 4) F(request_id, 4, 0, 32) F(stag, 8, 0, 32) F(offset, 12, 0, 64)       \
	F(swap_add, 20, 0, 64) F(swap_add_mask, 28, 0, 64) F(compare, 36, 0, 64)                   \
	F(compare_mask, 44, 0, 64)

#define RDA_ORACLE_RDMAP_ATOMIC_ACK_BYTES 12
#define RDA_ORACLE_RDMAP_ATOMIC_ACK(F, G) F(request_id, 0, 0, 32) F(original, 4, 0, 64)

#define RDA_ORACLE_RDMAP_TERMINATE_BYTES 4
#define RDA_ORACLE_RDMAP_TERMINATE(F, G)                                                           \
	F(layer, 0, 0, 4) F(type, 0, 4, 4) F(code, 1, 0, 8) F(has_length, 2, 0, 1)                 \
	F(has_ddp, 2, 1, 1) F(has_rdmap, 2, 2, 1)

#endif
