/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* What is drawn at random, from one sequence of numbers that a seed decides: the elements of
 * the plugin, caps, values of properties; and the options that say so. */
#pragma once

#include <gst/mgpu/mgpu.h>

/* Reads the options --seed, which is @seed unless it is given and is drawn from the clock
 * where it is negative, --verbose, those of GStreamer and @entries. Prints the seed, and
 * begins its sequence.
 * Returns: FALSE if the options are wrong, which was printed */
gboolean draw_begin (int * argc, char *** argv, const GOptionEntry * entries, gint64 seed);
void draw_end (void);
gint64 draw_get_seed (void);

/* Prints a line about what happens, if --verbose is given. */
void draw_tell (const gchar * format, ...) G_GNUC_PRINTF (1, 2);

/* Returns: the number of calls of draw_tell(); may be called in any thread */
guint draw_count_told (void);

/* Returns: a number from 0 to @n - 1 */
gint draw_below (gint n);

/* Returns: a number from 0 to 2^32 - 1 */
guint32 draw_bits (void);

/* Returns: a width or height in pixels: small ones often, single pixels and odd ones too */
gint draw_size (void);

/* Returns: (transfer full): raw video in host memory with 30 frames per second */
GstCaps * draw_caps (void);

/* Initializes @value with a value for the property @spec. What takes more time than a test
 * has is left out.
 * Returns: FALSE if properties of this type are left alone: texts */
gboolean draw_value (const GParamSpec * spec, GValue * value);

/* Returns: (transfer full): the names of all elements of the plugin, in order */
GPtrArray * draw_list_elements (void);

/* Waits until nobody but the caller has a reference to @context.
 * Returns: how many references of others are left after five seconds */
guint draw_wait_for_context (GstMgpuContext * context);

/* Opens the device as it is, and as if it had memory of its own.
 * Returns: FALSE if there is none */
gboolean draw_open_contexts (GstMgpuContext * contexts[2]);
