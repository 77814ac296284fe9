/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A part's result on its way to another process of the same build (pack.h): what rda_result_merge
 * looks at, and no more.
 */
#ifndef RDA_RESULT_PACK_H
#define RDA_RESULT_PACK_H

#include "analyzer/base/pack.h"
#include "analyzer/rda.h"

void rda_result_pack(struct rda_pack *pack, const struct rda_result *result);

/* Good only to be merged: nothing can be asked of it before. To be given to rda_result_free. */
struct rda_result *rda_result_unpack(struct rda_pack *pack);

#endif
