/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values of BTH opcodes, for tests that say which packet they mean: RC_SEND_ONLY, UD_SEND_ONLY,
 * ROCE_CNP. They are those of opcodes.def; that it is right is test_opcode.c's, which has the
 * numbers of the specification by hand.
 */
#ifndef RDA_TEST_OPCODES_H
#define RDA_TEST_OPCODES_H

#include "dissectors/opcodes.def"

enum {
#define RDA_O(ID, value, ...)                                                                      \
	RC_##ID = value, UC_##ID = 1 << 5 | (value), UD_##ID = 3 << 5 | (value),
	RDA_OPERATIONS(RDA_O)
#undef RDA_O
#define RDA_P(ID, value, ...) ROCE_##ID = value,
		RDA_SPECIAL_OPCODES(RDA_P)
#undef RDA_P
};

#endif
