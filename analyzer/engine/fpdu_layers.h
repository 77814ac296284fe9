/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The headers of an FPDU or start frame, as layers of the bytes that are kept of it: for whoever
 * prints the fields of headers.def.
 */
#ifndef RDA_FPDU_LAYERS_H
#define RDA_FPDU_LAYERS_H

#include "analyzer/engine/fpdus.h"

/* DDP, RDMAP, and what a Terminate copies of both. */
#define RDA_FPDU_LAYERS_MAX 4

/*
 * Lists the headers that were read, in the order of the stream; their offsets count from the first
 * byte of the FPDU or frame, without markers. Returns how many.
 */
unsigned rda_fpdu_layers(const struct rda_fpdu_told *told,
			 struct rda_layer layers[RDA_FPDU_LAYERS_MAX]);

#endif
