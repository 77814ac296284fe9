/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * U12 and what U04 says of RDS: ports without room, messages that were never acknowledged.
 */
#include "analyzer/checks/ulp/rds.h"

#include "tests/unit/rds_feed.h"
#include "tests/unit/suite.h"

START_TEST(a_port)
{
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, false);
	rda_rds_send(&n, 0, &(struct rda_rds_pdu){.sequence = 1, .source = 4001});
	rda_rds_map(&n, 1, (uint16_t[]){4000, 4007}, 2);
	rda_nvme_wait(&n, 1000000);
	rda_rds_map(&n, 1, (uint16_t[]){4007}, 1);
	rda_nvme_finish(&n);
	ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U12), 2);
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U12,
				"192.0.2.2 told 192.0.2.1 that 2 of its RDS ports have no room"));
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U12, "for longest port 4007, 1 time and 1"));
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U12, "and at the end of the capture still"));
	rda_nvme_feed_end(&n);
}
END_TEST

/* Damage may have made the map, where no ICRC vouches for it. */
START_TEST(a_port_that_no_checksum_vouches_for)
{
	for (unsigned unchecked = 0; unchecked <= 1; unchecked++) {
		const struct rda_finding *finding;
		struct rda_nvme_feed n;

		rda_nvme_feed_begin(&n, false);
		rda_rds_send(&n, 0, &(struct rda_rds_pdu){.sequence = 1, .source = 4001});
		rda_rds_map(&n, 1, (uint16_t[]){4000}, 1);
		rda_nvme_found(&n)->facts.ports[0].unchecked |= unchecked;
		rda_nvme_finish(&n);
		for (unsigned i = 0;; i++) {
			finding = rda_engine_finding(n.w.feed.engine, i);
			if (finding->key.check == RDA_CHECK_U12)
				break;
		}
		ck_assert_int_eq(finding->proof,
				 unchecked ? RDA_PROOF_SUSPECTED : RDA_PROOF_PROVEN);
		ck_assert_int_eq(finding->severity,
				 unchecked ? RDA_SEVERITY_NOTE : RDA_SEVERITY_WARNING);
		rda_nvme_feed_end(&n);
	}
}
END_TEST

/* Only a message that asks for it has to be acknowledged. */
START_TEST(acknowledgements)
{
	for (uint8_t flags = 0; flags <= 2; flags += 2) {
		struct rda_nvme_feed n;

		rda_nvme_feed_begin(&n, false);
		rda_rds_send(&n, 0,
			     &(struct rda_rds_pdu){.sequence = 1,
						   .source = 4001,
						   .destination = 4000,
						   .flags = flags});
		rda_nvme_wait(&n, INT64_C(6000000000));
		rda_rds_send(&n, 1, &(struct rda_rds_pdu){.sequence = 1, .source = 4000});
		rda_nvme_finish(&n);
		ck_assert_uint_eq(rda_feed_cases(&n.w.feed, RDA_CHECK_U04), flags ? 1 : 0);
		if (flags)
			ck_assert(rda_nvme_says(&n, RDA_CHECK_U04, "from port 4001 to port 4000"));
		rda_nvme_feed_end(&n);
	}
}
END_TEST

/* Of more pairs of ports than have rows. */
START_TEST(many_ports)
{
	struct rda_rds_pdu pdu = {.destination = 4000};
	struct rda_nvme_feed n;

	rda_nvme_feed_begin(&n, false);
	for (unsigned i = 1; i <= RDA_ULP_OPERATIONS_MAX + 5; i++) {
		pdu.sequence = i;
		pdu.source = (uint16_t)(5000 + i);
		pdu.flags = i == RDA_ULP_OPERATIONS_MAX + 5 ? 2 : 0;
		rda_rds_send(&n, 0, &pdu);
	}
	rda_nvme_wait(&n, INT64_C(6000000000));
	rda_rds_send(&n, 1, &(struct rda_rds_pdu){.sequence = 1, .source = 4000});
	rda_nvme_finish(&n);
	ck_assert(rda_nvme_says(&n, RDA_CHECK_U04, "from port 5069 to port 4000"));
	rda_nvme_feed_end(&n);
}
END_TEST

Suite *rda_suite_check_ulp_rds(void)
{
	Suite *suite = suite_create("check_ulp_rds");
	TCase *tcase = tcase_create("check_ulp_rds");

	tcase_add_test(tcase, a_port);
	tcase_add_test(tcase, a_port_that_no_checksum_vouches_for);
	tcase_add_test(tcase, acknowledgements);
	tcase_add_test(tcase, many_ports);
	suite_add_tcase(suite, tcase);
	return suite;
}
