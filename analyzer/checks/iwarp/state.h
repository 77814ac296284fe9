/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the checks of iWARP look at, what they watch of a flow, and how they tell of it: the state
 * that the files of the family share.
 */
#ifndef RDA_CHECKS_IWARP_STATE_H
#define RDA_CHECKS_IWARP_STATE_H

#include "analyzer/checks/judge.h"
#include "analyzer/track/iwarp/iwarp.h"
#include "analyzer/track/iwarp/rdmap_track.h"

struct rda_iwarp_watch {
	uint64_t segments, retransmitted, late, zero_windows; /* of TCP, as far as was told */
	uint64_t overtaken, again; /* of those late, as far as identifications tell */
	uint64_t mirrored;	   /* segments, as far as was told */
	uint64_t perhaps_mirrored; /* of those retransmitted: they may be copies */
	uint64_t needless;	   /* of those: the peer says that it had their bytes */
	uint64_t stalls;	   /* times that it stood still until it sent again; in all: */
	int64_t stalled_ns;
	uint64_t damaged, fitting; /* segments whose checksum does not fit, and does */
	int64_t acked, acked_ns;   /* what the peer has, of the stream; since when no more of it */
	uint64_t acked_segments;   /* `segments` when `acked` became what it is */
	uint64_t resent;	   /* segments since then that repeated bytes; and the latest: */
	int64_t resent_ns, unacked;
	uint64_t fpdus, not_aligned;
	uint64_t not_aligned_place; /* the first */
	uint64_t latest_place;	    /* where the latest FPDU ended */
	int64_t latest_begin;	    /* of that FPDU; no more of them once `desync` */
	int64_t again_end;	    /* of what was sent again before the peer acknowledged it */
	int64_t desync_end;	    /* where the bytes are that make no FPDU, at the latest */
	uint64_t desync_place;	    /* in which frame */
	uint64_t desync_fpdus;	    /* behind so many */
	uint64_t terminate_place;   /* where it sent its Terminate; 0: it did not */
	uint64_t terminate_holes;   /* in its stream, until then */
	uint64_t closed_place;	    /* its FIN or RST; 0: none that ended anything */
	int64_t closed_ns;
	int64_t rst_sent;     /* all that it had sent when its latest RST passed; 0: none did */
	int64_t rst_heard;    /* and its peer */
	uint64_t reset_place; /* its first RST; what it had not acknowledged by then ended here: */
	int64_t reset_end, reset_ns;
	uint64_t refused_place; /* the RST that answers what came behind that, up to: */
	int64_t refused_end;
	uint64_t went_on_place; /* what tells that its host did not make that; so much later: */
	int64_t went_on_ns;

	bool stall_unseen; /* of a stall: what followed tells that data was under way */
	bool unchecked;	   /* segments with data are cut: nothing tells which are damaged */
	bool guessed;	   /* of some FPDUs it is a guess where they begin */
	bool latest_aligned;
	bool behind;	    /* what it sent is not all there, so far */
	bool inside;	    /* it ends inside an FPDU, so far */
	bool broken;	    /* FPDUs of it are missing */
	bool desync;	    /* and that was told */
	bool doubted;	    /* of what was cut, and sent again: damage may have made it */
	bool markers_told;  /* W03 */
	bool start_doubted; /* its start frame was damaged, perhaps */
	bool reset;	    /* what closed it was a RST */
	bool fin_unsure;    /* it was a FIN, and damage may have made it */
	bool numbered;	    /* its sequence number is its sender's, not of what it answers */
	bool reset_told;    /* its first RST has an acknowledgment itself */
	bool reset_several; /* segments were under way then, not just one */
	bool rdmap_known;   /* an RDMAP version was seen: */
	uint8_t rdmap_version;
};

/* One case of an FPDU, a start frame or a segment. */
struct rda_iwarp_case {
	struct rda_judge *judge;
	const struct rda_iwarp_at *at;
	struct rda_iwarp_side side, other;
	struct rda_flow *flow, *peer; /* peer: NULL when nothing of it was seen */
	struct rda_iwarp_watch *watch;
	const struct rda_fpdu_seen *fpdu;  /* NULL in other cases than that */
	const struct rda_rdmap_step *step; /* NULL in other cases than that of an FPDU */
};

/* Begins what is watched of the side's flow, where that is not yet so. */
struct rda_iwarp_case rda_iwarp_case_of(struct rda_judge *judge, const struct rda_iwarp_at *at);
void rda_iwarp_watch_free(struct rda_flow *flow); /* there need be none */

/* A finding about the sender of what is at hand, in the frame `place`. */
struct rda_finding *rda_iwarp_find(const struct rda_iwarp_case *c, enum rda_check check,
				   uint64_t place);
struct rda_finding *rda_iwarp_find_as(const struct rda_iwarp_case *c, enum rda_check check,
				      enum rda_severity severity, enum rda_proof proof,
				      uint64_t place);

/* By what the start frames say: a suspicion, where the bytes of one may have changed on their way.
 */
struct rda_finding *rda_iwarp_find_agreed(const struct rda_iwarp_case *c, enum rda_check check,
					  enum rda_severity severity, uint64_t place);

#define RDA_IWARP_ARG_OPCODE(code) RDA_ARG_WORD("opcode", rda_rdmap_operation(code)->name)

/* ---- what iwarp.c calls of the others, by what they look at ---------------------------------- */

/* What TCP acknowledged; what it lost and repeated: gathered at a segment, and of all of a flow,
 * told. */
void rda_check_tcp_progress(const struct rda_iwarp_case *c);
void rda_check_tcp_trouble(const struct rda_iwarp_case *c);
void rda_check_tcp_troubles(struct rda_judge *judge, const struct rda_flow *flow);
void rda_check_mpa_start(const struct rda_iwarp_case *c, const struct rda_mpa_start_seen *start);
void rda_check_mpa_fpdu(const struct rda_iwarp_case *c);
/* Where its FPDUs begin in segments: of each, gathered; and of all of a flow, told. */
void rda_check_mpa_place(const struct rda_iwarp_case *c);
void rda_check_mpa_places(struct rda_judge *judge, const struct rda_flow *flow);
void rda_check_ddp_fpdu(const struct rda_iwarp_case *c);
void rda_check_rdmap_fpdu(const struct rda_iwarp_case *c);
void rda_check_terminate_fpdu(const struct rda_iwarp_case *c);
void rda_check_stag_free(struct rda_judge *judge);
void rda_check_stag_fpdu(const struct rda_iwarp_case *c);
/* An STag that a Terminate calls invalid. */
void rda_check_stag_not_valid(const struct rda_iwarp_case *c, uint32_t stag);

#endif
