#include "tests/unit/suite.h"
Suite *rda_suite_check_pace(void) { return suite_create("check_pace"); }
