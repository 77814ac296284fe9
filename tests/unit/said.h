/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a finding says, for tests.
 */
#ifndef RDA_TEST_SAID_H
#define RDA_TEST_SAID_H

#include "analyzer/checks/finding.h"

/*
 * The sentence of a finding; good until the next call but one. Fails when there is none, when it is
 * of another check than the finding, and when the check did not give an argument that the template
 * names.
 */
const char *rda_said_by(const struct rda_finding *finding);

#endif
