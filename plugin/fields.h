/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields that can be filtered by. Those of headers come from headers.def, as rdma.HEADER.FIELD
 * ("rdma.reth.rkey"); the analysis has its own list here.
 */
#ifndef RDA_PLUGIN_FIELDS_H
#define RDA_PLUGIN_FIELDS_H

#include "plugin/compat.h"

#include "analyzer/checks/check.h"
#include "dissectors/headers.h"
#include "plugin/fields.def"

/* When a field is known: see fields.def. */
enum rda_when { RDA_WHEN_NOW, RDA_WHEN_SOME, RDA_WHEN_LATER };

enum rda_own_field {
#define RDA_O(ID, abbreviation, name, type, display, strings, when) RDA_OWN_##ID,
	RDA_OWN_FIELDS(RDA_O)
#undef RDA_O
		RDA_OWN_COUNT
};

extern int rda_own_hf[RDA_OWN_COUNT];

/* That a frame asks or answers a command of an upper layer: "rdma.ulp.nvme", of RDA_ULPS. */
extern int rda_ulp_hf[RDA_ULP_COUNT];

/* "Note", "Warning", "Error", by enum rda_severity plus one: 0 is no severity. */
extern const value_string rda_field_severities[];

enum {
	RDA_ETT_RDMA = RDA_HEADER_COUNT, /* headers have their ids */
	RDA_ETT_ANALYSIS,
	RDA_ETT_KEY,
	RDA_ETT_FPDU,
	RDA_ETT_COMMAND,
	RDA_ETT_COUNT
};

extern int rda_ett[RDA_ETT_COUNT];

void rda_fields_register(int protocol);

/* The first header that is listed: what is outside of it, the built-in dissectors show well. */
#define RDA_FIRST_SHOWN RDA_LRH

/* That a header is there; and its field number `index`. */
int rda_field_header_hf(enum rda_header_id header);
int rda_field_hf(enum rda_header_id header, unsigned index);

/* Of a finding of a check, as severe as it is. */
expert_field *rda_field_expert(enum rda_check check, enum rda_severity severity);

#endif
