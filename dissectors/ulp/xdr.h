/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * XDR (RFC 4506): how RPC writes numbers, of 4 bytes, and byte strings, padded to 4. What is not
 * there leaves false; the cursor may be before it, then.
 */
#ifndef RDA_XDR_H
#define RDA_XDR_H

#include "dissectors/cursor.h"

RDA_INLINE bool rda_xdr_number(struct rda_cursor *c, uint32_t *value)
{
	const uint8_t *p = rda_cursor_take(c, 4);

	if (p)
		*value = rda_be32(p);
	return p != NULL;
}

RDA_INLINE bool rda_xdr_skip(struct rda_cursor *c, uint32_t bytes)
{
	return rda_cursor_take(c, bytes) != NULL;
}

RDA_INLINE bool rda_xdr_skip_opaque(struct rda_cursor *c)
{
	uint32_t length;

	return rda_xdr_number(c, &length) && length <= UINT32_MAX - 3 &&
	       rda_xdr_skip(c, (length + 3) & ~3u);
}

#endif
