#include "tests/unit/suite.h"
Suite *rda_suite_check_timer(void) { return suite_create("check_timer"); }
