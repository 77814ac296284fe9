/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SCSI as iSCSI and SRP carry it: the CDB's operation, the status, and sense data in both formats
 * (SPC-5, 4.4).
 *
 *     fixed       0x70, 0x71 | .. | key 4 bits | .. | at 12: code | qualifier
 *     descriptor  0x72, 0x73 | key 4 bits | code | qualifier
 */
#ifndef RDA_SCSI_H
#define RDA_SCSI_H

#include "dissectors/cursor.h"
#include "dissectors/ulp/scsi.def"

/* Operations of SCSI are numbered from here on, by the CDB's; transports have their own below. */
enum { RDA_SCSI_OPERATION = 0x100 };

struct rda_scsi_sense {
	bool known;
	uint8_t key, code, qualifier;
};

/* Of so many bytes; as far as it is there. */
void rda_read_scsi_sense(struct rda_cursor *c, uint32_t length, struct rda_scsi_sense *sense);

/*
 * What a command is answered with: 0 where that is no error (GOOD, CONDITION MET), else the sense
 * key 4 bits, code 8, qualifier 8, status 8; highest four bits 0.
 */
uint32_t rda_scsi_status(uint8_t status, const struct rda_scsi_sense *sense);

/* NULL: there is none. */
const char *rda_scsi_operation_name(uint8_t cdb);
const char *rda_scsi_status_words(uint32_t status);
const char *rda_scsi_status_name(uint8_t status);
const char *rda_scsi_sense_key_name(uint8_t key);

/* About blocks of the medium. */
bool rda_scsi_is_medium(uint8_t cdb);

/* It is an answer as good as success: rda_scsi_status of that command. */
bool rda_scsi_status_is_usual(uint8_t cdb, uint32_t status);

#endif
