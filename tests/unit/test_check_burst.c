#include "tests/unit/suite.h"
Suite *rda_suite_check_burst(void) { return suite_create("check_burst"); }
