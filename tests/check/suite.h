/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Defines how a program lists the tests that it runs, and checks for programs of all kinds. */
#pragma once

#include <gst/check/gstcheck.h>
#include <string.h>

/* Replaces GStreamer's macro, which waits for the threads of all pads at the end of the test
 * function. Cleanup attributes and fixtures, which free the elements, run later, so that the thread
 * of a pad that is still active would wait forever. CHECK_SUITE waits after they have run. */
#undef GST_END_TEST
#define GST_END_TEST END_TEST

/* CHECK_SUITE (name) { ... } defines the function name_suite(). The block adds the tests to the
 * TCase tc. */
#define CHECK_SUITE(name) \
static void add_tests (TCase * tc); \
static Suite * \
name##_suite (void) \
{ \
  Suite *s = suite_create (#name); \
  TCase *tc = tcase_create ("general"); \
\
  suite_add_tcase (s, tc); \
  /* Teardown functions of fixtures that are added first run last. */ \
  tcase_add_checked_fixture (tc, NULL, gst_task_cleanup_all); \
  add_tests (tc); \
  return s; \
} \
static void \
add_tests (TCase * tc)

/* Defines a suite as CHECK_SUITE does, with a main() that only runs the suite. */
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
