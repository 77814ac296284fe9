/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --html: hands the packets of a run to its page. See html.h.
 */
#include "analyzer/rdma-analyze/html.h"

#include "analyzer/rdma-analyze/complain.h"
#include "analyzer/rdma-analyze/sights.h"
#include "analyzer/report/page/page.h"

#include <stdio.h>

static bool take(void *context, const struct rda_sight *sight)
{
	rda_page_sight(context, sight);
	return true;
}

static void take_time(void *context, const struct rda_time_sight *time)
{
	rda_page_time(context, time);
}

bool rda_html_write(struct rda_run *run, struct rda_outfile *file, char **error)
{
	struct rda_report report = rda_run_report(run);
	struct rda_page *page = rda_page_new(&report);
	struct rda_output out;
	bool done;

	if (!rda_page_has_charts())
		rda_complain("--html: built without dygraphs (Debian: libjs-dygraphs): the page "
			     "has no charts");
	rda_sights_take(run, take, take_time, page);
	rda_output_init(&out, rda_outfile_fd(file), false);
	rda_page_print(page, &out);
	done = rda_outfile_finish(file, rda_output_failure(&out), error);
	rda_output_cleanup(&out);
	rda_page_free(page);
	return done;
}
