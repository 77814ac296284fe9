/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What iWARP streams carry in the anonymous capture. Headers and CRCs of FPDUs lie anywhere in
 * TCP's payload, and an FPDU is known when its last byte has come, frames behind its first. So the
 * capture is read once to list the start frames and FPDUs of each stream, and which frame brought
 * which bytes of it, and once more to write them:
 *
 *     frame 7     ... | length | DDP, RDMAP |  payload      other STags, addresses, zeros
 *     frame 8     payload ... | pad | CRC |                 a CRC that fits as the old one did
 *
 * Markers stay as right or wrong as they were. Of an FPDU that never becomes whole the bytes that
 * came are written, its headers only where all of them came. Bytes that came before, in another
 * frame, and those of no FPDU are zeros: nobody reads them, with one exception. Behind a hole the
 * length of what is passed over, as nothing vouches for it, may have told where the next FPDU
 * begins: the copy does not have it, and that FPDU may not be found in it. Memory: 40 bytes and its
 * headers for each FPDU, 32 bytes for each segment.
 */
#ifndef RDA_STREAMS_ANEW_H
#define RDA_STREAMS_ANEW_H

#include "analyzer/engine/fpdus.h"
#include "dissectors/rewrite.h"

struct rda_streams_anew;

/* Headers and payload of FPDUs are written by `rewrite`, which is borrowed. */
struct rda_streams_anew *rda_streams_anew_new(const struct rda_rewrite *rewrite);
void rda_streams_anew_free(struct rda_streams_anew *streams);

/* What the frame at hand of a tracing engine brought (rda_engine_fpdus, rda_engine_fpdu_parts). */
void rda_streams_anew_fpdus(struct rda_streams_anew *streams, const struct rda_fpdu_told *told,
			    unsigned count);
void rda_streams_anew_parts(struct rda_streams_anew *streams, const struct rda_fpdu_part *parts,
			    unsigned count);

/* All frames were read. */
void rda_streams_anew_settle(struct rda_streams_anew *streams);

/*
 * Writes the bytes that the frame at `place` brought into `out`, which is zeros: the payload of its
 * segment, of `length` bytes. False: it is no frame of iWARP, or brought nothing.
 */
bool rda_streams_anew_write(struct rda_streams_anew *streams, uint64_t place,
			    const struct rda_tcp *tcp, uint8_t *out, uint32_t length);

#endif
