/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Lists the tests that a program runs, and has checks for programs of all kinds. */
#pragma once

#include <gst/check/gstcheck.h>
#include <string.h>

/* Replaces GStreamer's macro, which waits for the threads of all pads at the end of the function.
 * Scopes and fixtures, which free the elements, end later: the thread of a pad that is still active
 * would wait forever. CHECK_SUITE waits after they have ended. */
#undef GST_END_TEST
#define GST_END_TEST END_TEST

/* CHECK_SUITE (name) { ... } defines name_suite(). The block adds the tests to the TCase tc. */
#define CHECK_SUITE(name) \
static void add_tests (TCase * tc); \
static Suite * \
name##_suite (void) \
{ \
  Suite *s = suite_create (#name); \
  TCase *tc = tcase_create ("general"); \
\
  suite_add_tcase (s, tc); \
  /* Fixtures that are added first end last. */ \
  tcase_add_checked_fixture (tc, NULL, gst_task_cleanup_all); \
  add_tests (tc); \
  return s; \
} \
static void \
add_tests (TCase * tc)

/* Like CHECK_SUITE, with a main() that only runs the suite. */
#define CHECK_TESTS(name) \
static Suite *name##_suite (void); \
GST_CHECK_MAIN (name) \
CHECK_SUITE (name)

/* Compares @bytes (transfer full) with the expected bytes. */
static inline void
check_bytes (GBytes * bytes, gconstpointer expected, gsize size)
{
  fail_unless (bytes != NULL);
  fail_unless_equals_uint64 (g_bytes_get_size (bytes), size);
  fail_unless (size == 0
      || memcmp (g_bytes_get_data (bytes, NULL), expected, size) == 0);
  g_bytes_unref (bytes);
}
