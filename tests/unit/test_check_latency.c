#include "tests/unit/suite.h"
Suite *rda_suite_check_latency(void) { return suite_create("check_latency"); }
