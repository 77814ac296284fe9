/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens to memory keys, as values: the trackers of flows tell it (key_track.h,
 * stag_track.h), and the ledger of all keys and the checks know nothing else. A key belongs to a
 * responder whose users may be in several engines; events name hosts and flows by index, so those
 * of several engines can be put in one order and told to one ledger (key_log.h).
 */
#ifndef RDA_KEY_EVENT_H
#define RDA_KEY_EVENT_H

#include "analyzer/rda.h"
#include <stdbool.h>
#include <stdint.h>

enum rda_key_event_kind {
	RDA_KEY_ASKED,	     /* a request named a key: the first time that it was seen */
	RDA_KEY_AGAIN,	     /* the request was sent again, and is not acknowledged */
	RDA_KEY_CONTRADICTS, /* before ASKED, where nobody answers: an exchange in clear told the
				key `other` for that address, at asked_place */
	RDA_KEY_RIVAL,	     /* another request under its PSN came another way: `rival` */
	RDA_KEY_PASSED,	     /* the request was acknowledged in part */
	RDA_KEY_WORKED,	     /* the request was acknowledged; INVALIDATE: and took effect */
	RDA_KEY_REFUSED,     /* a fatal NAK or Terminate; asked_place 0: of which request is not
				known; `other`: the PSN as on the wire; `change`: it asked for
				something else, too */
	RDA_KEY_PAIRED,	     /* answers to the flow are in the capture */
	RDA_KEY_DEAD,	     /* the flow got a fatal NAK, or its connection is over */
	RDA_KEY_USED_AFTER,  /* iWARP: a use after the STag was invalidated */
	RDA_KEY_RESULT,	     /* the result of an ATOMIC, perhaps once more: `va`; `peer` sent it */
	RDA_KEY_MESSAGE, /* the responder got `bytes`, of which `length` were captured of `other` */
	RDA_KEY_DATA,	 /* the responder got data in which no key is looked for */
	RDA_KEY_NUMBER,	 /* the requester told CM its QPN `key` and starting PSN `other` */
	/* all packets were seen: */
	RDA_KEY_UNANSWERED, /* the oldest request was sent `other` times */
	RDA_KEY_FAILED,	    /* an invalidation was acknowledged at `place` with the MSN `other`,
			       which did not advance, and nothing behind it was */
};

/* What may be damage in the packets that an event is told by. */
enum rda_key_doubt {
	RDA_KEY_DOUBTED = 1,	   /* ASKED: an ICRC that does not fit, of who may have none */
	RDA_KEY_UNCHECKED = 2,	   /* no ICRC vouches for the request of ASKED and REFUSED; nor
				      for the result of RESULT */
	RDA_KEY_NAK_UNCHECKED = 4, /* REFUSED: for the NAK */
	RDA_KEY_PERHAPS_ANEW = 8,  /* RESULT: the QP may have been set up anew, so that it is of */
	RDA_KEY_ANEW = 16,	   /* another ATOMIC than had its PSN before; or it was */
};

/* How a request came here: what an impostor's packets would hardly have in common with others. */
struct rda_key_path {
	uint64_t mac; /* of the source; 0 unknown */
	uint16_t source_port;
	uint8_t ttl;
};

static inline bool rda_key_is_same_path(const struct rda_key_path *path,
					const struct rda_key_path *other)
{
	return path->mac == other->mac && path->ttl == other->ttl &&
	       path->source_port == other->source_port;
}

/* Two requests under one PSN. */
struct rda_key_rival {
	uint8_t use; /* of the first one; enum rda_key_use */
	uint32_t key;
	struct rda_key_path first, now;
};

/* A request that was sent again with another key, address or length; or others of its sender. */
struct rda_key_change {
	uint64_t place; /* of the latest transmission that differs from the first; 0: of others */
};

/* What an ATOMIC does. */
struct rda_key_atomic {
	uint64_t swap_add, compare;
	bool swaps; /* CmpSwap, else FetchAdd */
};

#define RDA_KEY_NO_FLOW UINT32_MAX

struct rda_key_event {
	uint64_t place;	      /* of the packet at hand (meta.h); grows from event to event */
	uint64_t asked_place; /* of the request; 0 unknown */
	uint64_t va;
	int64_t psn;	 /* of the request's first packet, widened */
	int64_t time_ns; /* ASKED, AGAIN of RoCE: of the packet at hand; and so long behind it */
	int64_t wait_ns; /* whoever has no answer sends it again (INT64_MAX: never, perhaps) */
	union {		 /* for the time of the call; NULL: nothing more */
		const void *more;
		const uint8_t *bytes;		     /* MESSAGE */
		const struct rda_key_rival *rival;   /* RIVAL */
		const struct rda_key_change *change; /* REFUSED; NULL: all were always the same */
		const struct rda_key_atomic *atomic; /* ASKED, of an ATOMIC; NULL of iWARP */
	};
	uint32_t flow; /* rda_flow.index: that asks */
	uint32_t peer; /* RESULT, FAILED: the other direction's; ASKED: of the QP's first life that
			  is known, where this is another; or RDA_KEY_NO_FLOW */
	uint32_t requester, responder; /* rda_host.index */
	uint32_t tap;
	uint32_t key, length, other;
	uint8_t kind; /* enum rda_key_event_kind */
	uint8_t use;  /* enum rda_key_use */
	uint8_t syndrome;
	bool answers;	   /* the service answers: RC, XRC */
	bool stag;	   /* of iWARP */
	bool atomic_write; /* ATOMIC WRITE: it needs the right to WRITE, and is told by its own name
			    */
	uint8_t doubt;	   /* enum rda_key_doubt */
};

/* What a search for a key in the messages to a host found (clear_text.h). */
struct rda_key_told {
	uint64_t place;	   /* of the message in which it stands; 0 none */
	uint32_t offset;   /* of the key in the message */
	bool with_address; /* the address stands beside it */
	bool complete;	   /* when there is none: all that could have told it was looked at */
	bool any;	   /* anything at all was looked at */
	bool limited;	   /* the search was given up */
	uint64_t searched; /* bytes */
};

struct rda_key_sink {
	void (*event)(void *context, const struct rda_key_event *event);
	void *context;
};

#endif
