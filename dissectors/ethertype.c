/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an EtherType announces, wherever one stands: Ethernet, VLAN tags, Linux cooked captures,
 * GRE, GENEVE. GRE's own protocol types (ERSPAN, bridged Ethernet) are read in overlay.c.
 */
#include "dissectors/walk.h"

enum rda_next rda_next_of_ethertype(uint16_t type)
{
	switch (type) {
	case RDA_ETHERTYPE_IP4: return RDA_NEXT_IP4;
	case RDA_ETHERTYPE_IP6: return RDA_NEXT_IP6;
	case RDA_ETHERTYPE_ARP: return RDA_NEXT_ARP;
	case RDA_ETHERTYPE_ROCE: return RDA_NEXT_GRH;
	case RDA_ETHERTYPE_VLAN:
	case RDA_ETHERTYPE_QINQ:
	case RDA_ETHERTYPE_QINQ_OLD: return RDA_NEXT_VLAN;
	case RDA_ETHERTYPE_MPLS:
	case RDA_ETHERTYPE_MPLS_MULTICAST: return RDA_NEXT_MPLS;
	case RDA_ETHERTYPE_MAC_CONTROL: return RDA_NEXT_MAC_CONTROL;
	case RDA_ETHERTYPE_TEB: return RDA_NEXT_ETHERNET;
	default: return RDA_NEXT_STOP;
	}
}
