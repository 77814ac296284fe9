/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the specification says of the BTH opcodes, typed by hand from its table and apart from
 * opcodes.def, so that a wrong row there fails.
 */
#ifndef RDA_TEST_OPCODE_ORACLE_H
#define RDA_TEST_OPCODE_ORACLE_H

#include "dissectors/opcode.h"

enum { RDA_ORACLE_HEADERS = 4 };

struct rda_oracle_row {
	uint8_t opcode;
	const char *name;
	const char
		*headers;   /* the extended headers, in the order of the wire: letters, see below */
	char payload;	    /* Y full path MTU, 1 one byte to MTU, * none to MTU, 0 none, 8 eight */
	const char *traits; /* S starts a message, M middle, E ends; Q request, P response; R takes
			       a receive request */
};

/* One letter for each header: headers[] in opcode_oracle.c. */
struct rda_oracle_header {
	char letter;
	uint8_t id; /* enum rda_header_id */
	uint8_t bytes;
};

/* All opcodes that are neither reserved nor a vendor's. */
extern const struct rda_oracle_row rda_oracle_rows[];
extern const unsigned rda_oracle_row_count;

/* The row of an opcode, or NULL. */
const struct rda_oracle_row *rda_oracle_row(unsigned opcode);

/* Fails the test when there is none. */
const struct rda_oracle_header *rda_oracle_header(char letter);

/* The bytes of all extended headers of a row (NULL: 0). */
uint32_t rda_oracle_extension(const struct rda_oracle_row *row);

#endif
