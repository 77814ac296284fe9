/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The BTH opcodes (IBTA vol 1, table 38), one row each. See opcode_oracle.h.
 */
#include "tests/unit/opcode_oracle.h"

#include <check.h>

/* clang-format off */
const struct rda_oracle_row rda_oracle_rows[] = {
	{0x00, "RC SEND First", "", 'Y', "SQR"},
	{0x01, "RC SEND Middle", "", 'Y', "MQ"},
	{0x02, "RC SEND Last", "", '1', "EQ"},
	{0x03, "RC SEND Last with Immediate", "I", '1', "EQ"},
	{0x04, "RC SEND Only", "", '*', "SEQR"},
	{0x05, "RC SEND Only with Immediate", "I", '*', "SEQR"},
	{0x06, "RC RDMA WRITE First", "R", 'Y', "SQ"},
	{0x07, "RC RDMA WRITE Middle", "", 'Y', "MQ"},
	{0x08, "RC RDMA WRITE Last", "", '1', "EQ"},
	{0x09, "RC RDMA WRITE Last with Immediate", "I", '1', "EQR"},
	{0x0a, "RC RDMA WRITE Only", "R", '*', "SEQ"},
	{0x0b, "RC RDMA WRITE Only with Immediate", "RI", '*', "SEQR"},
	{0x0c, "RC RDMA READ Request", "R", '0', "SEQ"},
	{0x0d, "RC RDMA READ Response First", "a", 'Y', "SP"},
	{0x0e, "RC RDMA READ Response Middle", "", 'Y', "MP"},
	{0x0f, "RC RDMA READ Response Last", "a", '1', "EP"},
	{0x10, "RC RDMA READ Response Only", "a", '*', "SEP"},
	{0x11, "RC Acknowledge", "a", '0', "SEP"},
	{0x12, "RC ATOMIC Acknowledge", "ak", '0', "SEP"},
	{0x13, "RC CmpSwap", "A", '0', "SEQ"},
	{0x14, "RC FetchAdd", "A", '0', "SEQ"},
	{0x16, "RC SEND Last with Invalidate", "i", '1', "EQ"},
	{0x17, "RC SEND Only with Invalidate", "i", '*', "SEQR"},
	{0x1c, "RC FLUSH", "FR", '0', "SEQ"},
	{0x1d, "RC ATOMIC WRITE", "R", '8', "SEQ"},
	{0x20, "UC SEND First", "", 'Y', "SQR"},
	{0x21, "UC SEND Middle", "", 'Y', "MQ"},
	{0x22, "UC SEND Last", "", '1', "EQ"},
	{0x23, "UC SEND Last with Immediate", "I", '1', "EQ"},
	{0x24, "UC SEND Only", "", '*', "SEQR"},
	{0x25, "UC SEND Only with Immediate", "I", '*', "SEQR"},
	{0x26, "UC RDMA WRITE First", "R", 'Y', "SQ"},
	{0x27, "UC RDMA WRITE Middle", "", 'Y', "MQ"},
	{0x28, "UC RDMA WRITE Last", "", '1', "EQ"},
	{0x29, "UC RDMA WRITE Last with Immediate", "I", '1', "EQR"},
	{0x2a, "UC RDMA WRITE Only", "R", '*', "SEQ"},
	{0x2b, "UC RDMA WRITE Only with Immediate", "RI", '*', "SEQR"},
	{0x40, "RD SEND First", "dD", 'Y', "SQR"},
	{0x41, "RD SEND Middle", "dD", 'Y', "MQ"},
	{0x42, "RD SEND Last", "dD", '1', "EQ"},
	{0x43, "RD SEND Last with Immediate", "dDI", '1', "EQ"},
	{0x44, "RD SEND Only", "dD", '*', "SEQR"},
	{0x45, "RD SEND Only with Immediate", "dDI", '*', "SEQR"},
	{0x46, "RD RDMA WRITE First", "dDR", 'Y', "SQ"},
	{0x47, "RD RDMA WRITE Middle", "dD", 'Y', "MQ"},
	{0x48, "RD RDMA WRITE Last", "dD", '1', "EQ"},
	{0x49, "RD RDMA WRITE Last with Immediate", "dDI", '1', "EQR"},
	{0x4a, "RD RDMA WRITE Only", "dDR", '*', "SEQ"},
	{0x4b, "RD RDMA WRITE Only with Immediate", "dDRI", '*', "SEQR"},
	{0x4c, "RD RDMA READ Request", "dDR", '0', "SEQ"},
	{0x4d, "RD RDMA READ Response First", "da", 'Y', "SP"},
	{0x4e, "RD RDMA READ Response Middle", "d", 'Y', "MP"},
	{0x4f, "RD RDMA READ Response Last", "da", '1', "EP"},
	{0x50, "RD RDMA READ Response Only", "da", '*', "SEP"},
	{0x51, "RD Acknowledge", "da", '0', "SEP"},
	{0x52, "RD ATOMIC Acknowledge", "dak", '0', "SEP"},
	{0x53, "RD CmpSwap", "dDA", '0', "SEQ"},
	{0x54, "RD FetchAdd", "dDA", '0', "SEQ"},
	{0x55, "RD RESYNC", "dD", '0', "SEQ"},
	{0x5c, "RD FLUSH", "dDFR", '0', "SEQ"},
	{0x64, "UD SEND Only", "D", '*', "SEQR"},
	{0x65, "UD SEND Only with Immediate", "DI", '*', "SEQR"},
	{0x80, "CNP", "", '*', ""},
	{0x81, "CNP", "", '*', ""},
	{0xa0, "XRC SEND First", "X", 'Y', "SQR"},
	{0xa1, "XRC SEND Middle", "X", 'Y', "MQ"},
	{0xa2, "XRC SEND Last", "X", '1', "EQ"},
	{0xa3, "XRC SEND Last with Immediate", "XI", '1', "EQ"},
	{0xa4, "XRC SEND Only", "X", '*', "SEQR"},
	{0xa5, "XRC SEND Only with Immediate", "XI", '*', "SEQR"},
	{0xa6, "XRC RDMA WRITE First", "XR", 'Y', "SQ"},
	{0xa7, "XRC RDMA WRITE Middle", "X", 'Y', "MQ"},
	{0xa8, "XRC RDMA WRITE Last", "X", '1', "EQ"},
	{0xa9, "XRC RDMA WRITE Last with Immediate", "XI", '1', "EQR"},
	{0xaa, "XRC RDMA WRITE Only", "XR", '*', "SEQ"},
	{0xab, "XRC RDMA WRITE Only with Immediate", "XRI", '*', "SEQR"},
	{0xac, "XRC RDMA READ Request", "XR", '0', "SEQ"},
	{0xad, "XRC RDMA READ Response First", "a", 'Y', "SP"},
	{0xae, "XRC RDMA READ Response Middle", "", 'Y', "MP"},
	{0xaf, "XRC RDMA READ Response Last", "a", '1', "EP"},
	{0xb0, "XRC RDMA READ Response Only", "a", '*', "SEP"},
	{0xb1, "XRC Acknowledge", "a", '0', "SEP"},
	{0xb2, "XRC ATOMIC Acknowledge", "ak", '0', "SEP"},
	{0xb3, "XRC CmpSwap", "XA", '0', "SEQ"},
	{0xb4, "XRC FetchAdd", "XA", '0', "SEQ"},
	{0xb6, "XRC SEND Last with Invalidate", "Xi", '1', "EQ"},
	{0xb7, "XRC SEND Only with Invalidate", "Xi", '*', "SEQR"},
	{0xbc, "XRC FLUSH", "XFR", '0', "SEQ"},
	{0xbd, "XRC ATOMIC WRITE", "XR", '8', "SEQ"},
};
/* clang-format on */

const unsigned rda_oracle_row_count = sizeof(rda_oracle_rows) / sizeof(rda_oracle_rows[0]);

static const struct rda_oracle_header headers[] = {
	{'d', RDA_RDETH, 4}, {'D', RDA_DETH, 8},	 {'X', RDA_XRCETH, 4},
	{'F', RDA_FETH, 4},  {'R', RDA_RETH, 16},	 {'A', RDA_ATOMICETH, 28},
	{'a', RDA_AETH, 4},  {'k', RDA_ATOMICACKETH, 8}, {'I', RDA_IMMDT, 4},
	{'i', RDA_IETH, 4},
};

const struct rda_oracle_row *rda_oracle_row(unsigned opcode)
{
	for (unsigned i = 0; i < rda_oracle_row_count; i++)
		if (rda_oracle_rows[i].opcode == opcode)
			return &rda_oracle_rows[i];
	return NULL;
}

const struct rda_oracle_header *rda_oracle_header(char letter)
{
	for (unsigned i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		if (headers[i].letter == letter)
			return &headers[i];
	ck_abort_msg("tests/unit/opcode_oracle.c: headers[] has no header of the letter %c",
		     letter);
}

uint32_t rda_oracle_extension(const struct rda_oracle_row *row)
{
	uint32_t bytes = 0;

	for (const char *letter = row ? row->headers : ""; *letter; letter++)
		bytes += rda_oracle_header(*letter)->bytes;
	return bytes;
}
