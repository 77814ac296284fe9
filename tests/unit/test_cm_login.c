/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Logins in private data, in both forms, cut, and what is none.
 */
#include "analyzer/track/setup/cm_login.h"

#include "tests/unit/srp_feed.h"
#include "tests/unit/suite.h"

enum { REQ = 0x10, REJ = 0x12, REP = 0x13, IP_CM = 36 };

static const uint64_t of_ip = UINT64_C(0x000000000106162e), of_ib = UINT64_C(0x505400fffeda0002);

#define ZEROS36 "000000000000000000000000000000000000 000000000000000000000000000000000000"
#define GRANT	"c0 000000 00000040 0000000000000000 00001034 00001034 0006 00"
#define REFUSE	"c2 000000 00010003 0000000000000000 0000000000000000 0006"

/* The message, less so many bytes of its end that a snap length took. */
static struct rda_cm_login take(uint16_t attribute, uint64_t service, const char *hex,
				uint32_t missing)
{
	struct rda_cm_login login = {0};
	struct rda_packet packet;
	struct rda_built built;
	struct rda_frame frame;
	struct rda_cm cm;

	rda_build_cm(&built, &(struct rda_cm_message){.from = 1,
						      .to = 2,
						      .attribute = attribute,
						      .service_id = service,
						      .private_data = hex});
	frame = rda_exact_frame(built.b.bytes, built.b.length - missing, built.b.length,
				built.link);
	rda_dissect(&packet, &frame, NULL);
	ck_assert(rda_read_cm(&frame, &packet, &cm));
	rda_cm_login_take(&login, &frame, &packet, &cm);
	rda_frame_free(&frame);
	return login;
}

START_TEST(asked)
{
	enum { ICRC = 4, LOGIN = 64, PRIVATE = 92 };

	ck_assert(take(REQ, of_ib, RDA_SRP_LOGIN_HEX, 0).asked);
	ck_assert(take(REQ, of_ip, ZEROS36 RDA_SRP_COMPACT_HEX, 0).asked);
	ck_assert(!take(REQ, of_ib, RDA_SRP_COMPACT_HEX, 0).asked);
	ck_assert(!take(REQ, of_ip, ZEROS36 RDA_SRP_LOGIN_HEX, 0).asked);
	ck_assert(!take(REQ, of_ib, NULL, 0).asked && !take(REQ, of_ip, NULL, 0).asked);
	ck_assert(take(REQ, of_ib, RDA_SRP_LOGIN_HEX, ICRC + PRIVATE - LOGIN).asked);
	ck_assert(!take(REQ, of_ib, RDA_SRP_LOGIN_HEX, ICRC + PRIVATE - LOGIN + 1).asked);
}
END_TEST

START_TEST(answered)
{
	struct rda_cm_login login = take(REP, 0, GRANT, 0);

	ck_assert(login.granted && !login.refused);
	ck_assert_int_eq(login.limit, 64);
	login = take(REJ, 0, REFUSE, 0);
	ck_assert(login.refused && !login.granted);
	ck_assert_uint_eq(login.reason, 0x10003);
	login = take(REP, 0, REFUSE, 0);
	ck_assert(!login.refused && !login.granted);
	login = take(REJ, 0, GRANT, 0);
	ck_assert(!login.refused && !login.granted);
	login = take(REJ, 0, NULL, 0);
	ck_assert(!login.refused);
	login = take(REJ, 0, REFUSE, 200); /* it was cut */
	ck_assert(!login.refused);
}
END_TEST

Suite *rda_suite_cm_login(void)
{
	Suite *suite = suite_create("cm_login");
	TCase *tcase = tcase_create("cm_login");

	tcase_add_test(tcase, asked);
	tcase_add_test(tcase, answered);
	suite_add_tcase(suite, tcase);
	return suite;
}
