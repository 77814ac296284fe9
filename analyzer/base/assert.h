/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must hold of our own state, whatever the input was: checked in builds with sanitizers and
 * for fuzzing (RDA_ASSERTIONS, cmake/Warnings.cmake), and only compiled in others.
 */
#ifndef RDA_ASSERT_H
#define RDA_ASSERT_H

#ifdef RDA_ASSERTIONS
#include <glib.h>
#define RDA_ASSERT(holds) g_assert(holds)
#else
#define RDA_ASSERT(holds) ((void)(0 && (holds))) /* what it calls counts as used */
#endif

#endif
