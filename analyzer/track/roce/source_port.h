/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The UDP source port of RoCEv2 as evidence of which QPs belong together.
 */
#ifndef RDA_SOURCE_PORT_H
#define RDA_SOURCE_PORT_H

#include <stdint.h>

/*
 * The source port that Linux drivers (rxe, mlx5, irdma, hns) give an RC or UC connection that was
 * made without RDMA-CM: the product of its QPNs, folded. It is the same in both directions.
 */
static inline uint16_t rda_source_port_of_qps(uint32_t qpn, uint32_t peer_qpn)
{
	uint64_t product = (uint64_t)qpn * peer_qpn;
	uint32_t label;

	product ^= product >> 20;
	product ^= product >> 40;
	label = (uint32_t)product & 0xfffff;
	return (uint16_t)(0xc000 | ((label & 0x3fff) ^ (label >> 14)));
}

#endif
