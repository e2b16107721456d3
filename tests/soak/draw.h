/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Draws at random, from one sequence of numbers that a seed determines: elements of the plugin,
 * caps, values of properties. Also declares the options for this. */
#pragma once

#include <gst/mgpu/mgpu.h>

/* Reads the options --seed, which is @seed unless it is given and is drawn from the clock if it is
 * negative, --verbose, GStreamer's options and @entries. Prints the seed, and begins its sequence.
 * Returns: FALSE if the options are invalid, which is printed */
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

/* Returns: a width or height in pixels: often a small one, sometimes 1 or an odd one */
gint draw_size (void);

/* Returns: (transfer full): raw video in host memory with 30 frames per second */
GstCaps * draw_caps (void);

/* Initializes @value with a random value for the property @spec. Values with which a frame would
 * take too long for a test are left out. Returns: FALSE if properties of this type (texts) are not
 * changed */
gboolean draw_value (const GParamSpec * spec, GValue * value);

/* Returns: (transfer full): the names of all elements of the plugin, in order */
GPtrArray * draw_list_elements (void);

/* Waits until only the caller has a reference to @context. Returns: the number of other references
 * after five seconds */
guint draw_wait_for_context (GstMgpuContext * context);

/* Opens the device as it is, and as if it had dedicated memory. Returns: FALSE if there is no
 * device */
gboolean draw_open_contexts (GstMgpuContext * contexts[2]);
