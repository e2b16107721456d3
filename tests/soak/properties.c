/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Sets properties of each element to random values while it processes frames with random layouts
 * and metas. Nothing may crash, warn or leak, and if a frame fails, an error message must say why.
 * Half of the elements work on a device that appears to have dedicated memory.
 *
 *   properties [--rounds N] [--seed N] [--verbose]
 *
 * The seed determines everything that happens. Each round tests an element with some frames. */
#include "../check/harness.h"
#include <gst/video/video.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"

/* Maximum number of pixels of a frame, because some values take long */
#define MAX_SIZE 40

static gint n_rounds = 1;
static guint n_frames, n_failed, n_set;

static const GOptionEntry entries[] = {
  {"rounds", 0, 0, G_OPTION_ARG_INT, &n_rounds,
      "How often each element plays (default: 1)", "N"},
  {NULL}
};

/* --- Properties --- */

static void
draw_text (const gchar * name, GValue * value)
{
  static const gchar *const texts[] = {
    NULL, "", "*", "car,person", "1,2,10,8", "0.1,0.1,0.5,0.5;2,2,4,4",
    "1,1,30,2,5,20", "-9,1e9,3,nan", "door:0.1,0.2,0.9,0.5", "a:0,0,1,0,1,1",
    "{\"a\":[1,2]}", "/none", "{ms} \xff {keypoints}", ",;:.", "\xc3\xa4\n"
  };

  static const gchar *const kernels[] = {
    "PIXEL (f) { return MAX - LOAD (x, y); }",
    "//! results int 1 n\nPIXEL (f) { atomic_inc (n); return LOAD (x, y); }",
    "//! output GRAY8\nPIXEL (f) { return LOAD (y, x); }", "PIXEL (f) { a }"
  };

  if (g_str_equal (name, "source") && draw_below (2)) {
    g_value_set_static_string (value,
        kernels[draw_below (G_N_ELEMENTS (kernels))]);
    return;
  }
  /* Leaves the property out, because a file of this name would be written. */
  if (g_str_equal (name, "location"))
    g_value_set_static_string (value, "/dev/null");
  else
    g_value_set_static_string (value, texts[draw_below (G_N_ELEMENTS (texts))]);
}

/* Sets a property, except those of GStreamer's base classes. */
static void
set_property (GstElement * element)
{
  guint n;
  GParamSpec **specs = g_object_class_list_properties
      (G_OBJECT_GET_CLASS (element), &n);
  GParamSpec *spec = specs[draw_below (n)];
  GValue value = G_VALUE_INIT;
  gchar *text;

  g_free (specs);
  if (!(spec->flags & G_PARAM_WRITABLE) || spec->flags & G_PARAM_CONSTRUCT_ONLY
      || !g_str_has_prefix (g_type_name (spec->owner_type), "GstMgpu"))
    return;
  if (G_IS_PARAM_SPEC_STRING (spec)) {
    g_value_init (&value, G_TYPE_STRING);
    draw_text (spec->name, &value);
  } else if (!draw_value (spec, &value)) {
    return;
  }
  g_param_value_validate (spec, &value);
  text = gst_value_serialize (&value);
  draw_tell ("  %s=%s", spec->name, text);
  g_free (text);
  g_object_set_property (G_OBJECT (element), spec->name, &value);
  g_value_unset (&value);
  n_set++;
}

/* --- Frames --- */

/* Returns: (transfer full): an array of memory blocks of @size bytes in total */
static GstBuffer *
make_buffer (gsize size)
{
  GstBuffer *buffer = gst_buffer_new ();

  while (size > 0) {
    gsize part = draw_below (3) ? size : 1 + draw_bits () % size;
    gsize before = draw_below (2) * draw_below (70);
    GstMemory *memory = gst_allocator_alloc (NULL, before + part, NULL);
    GstMapInfo map;

    g_assert (gst_memory_map (memory, &map, GST_MAP_WRITE));
    for (gsize i = 0; i < map.size; i++)
      map.data[i] = i % 7 ? map.data[i ? i - 1 : 0] + i : draw_bits ();
    gst_memory_unmap (memory, &map);
    gst_memory_resize (memory, before, part);
    gst_buffer_append_memory (buffer, memory);
    size -= part;
  }
  return buffer;
}

/* Returns: (transfer full): a frame whose rows and planes have gaps, some of them odd; its planes
 * may be in another order, and the end of the last plane may be missing */
static GstBuffer *
make_frame (const GstVideoInfo * info)
{
  const GstVideoFormatInfo *format = info->finfo;
  gsize offsets[GST_VIDEO_MAX_PLANES] = { 0, }, size = draw_below (2)
      * draw_below (50);
  gint strides[GST_VIDEO_MAX_PLANES] = { 0, };
  guint n = GST_VIDEO_INFO_N_PLANES (info), first = draw_below (n);
  GstBuffer *buffer;

  if (draw_below (4) == 0)
    return make_buffer (info->size);
  for (guint i = 0; i < n; i++) {
    guint plane = (i + first) % n;
    gint components[GST_VIDEO_MAX_COMPONENTS];

    gst_video_format_info_component (format, plane, components);
    strides[plane] = GST_VIDEO_INFO_PLANE_STRIDE (info, plane)
        + draw_below (2) * draw_below (40);
    offsets[plane] = size;
    size += (gsize) strides[plane] * GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT (format,
        components[0], GST_VIDEO_INFO_HEIGHT (info)) + draw_below (20);
  }
  if (draw_below (16) == 0)
    size = 1 + draw_bits () % size;
  buffer = make_buffer (size);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), n, offsets, strides);
  return buffer;
}

static guint
draw_place (void)
{
  static const guint places[] = { 0, 1, G_MAXINT, (guint) G_MAXINT + 1,
    G_MAXUINT - 1, G_MAXUINT
  };

  return draw_below (4) ? (guint) draw_below (MAX_SIZE)
      : places[draw_below (G_N_ELEMENTS (places))];
}

static gdouble
draw_confidence (void)
{
  const gdouble values[] = { 0, 0.5, 1, -1, 1e300, NAN, INFINITY };

  return values[draw_below (G_N_ELEMENTS (values))];
}

static void
add_metas (GstBuffer * buffer)
{
  static const gchar *const types[] = { "car", "person", "", "\xff" };

  for (gint n = draw_below (5); n > 0; n--) {
    GstVideoRegionOfInterestMeta *roi =
        gst_buffer_add_video_region_of_interest_meta (buffer,
        types[draw_below (G_N_ELEMENTS (types))], draw_place (), draw_place (),
        draw_place (), draw_place ());

    roi->id = draw_bits ();
    roi->parent_id = draw_below (3);
    if (draw_below (2))
      gst_video_region_of_interest_meta_add_param (roi,
          gst_structure_new (draw_below (2) ? "detection" : "class",
              "confidence", G_TYPE_DOUBLE, draw_confidence (),
              "label", G_TYPE_STRING, types[draw_below (G_N_ELEMENTS (types))],
              "label_id", G_TYPE_INT, (gint) draw_bits (), NULL));
  }
  if (draw_below (4) == 0) {
    GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

    crop->x = draw_place ();
    crop->y = draw_place ();
    crop->width = draw_place ();
    crop->height = draw_place ();
  }
}

static GstClockTime
draw_time (guint i)
{
  static const GstClockTime times[] =
      { 0, GST_CLOCK_TIME_NONE, G_MAXUINT64 - 1 };

  return draw_below (4) ? i * 40 * GST_MSECOND
      : times[draw_below (G_N_ELEMENTS (times))];
}

/* --- A round: one element --- */

/* Returns: (transfer full): small frames in host memory that @element accepts */
static GstCaps *
choose_caps (GstElement * element)
{
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  GstCaps *allowed = gst_pad_get_pad_template_caps (pad), *caps = NULL;

  do {
    gst_clear_caps (&caps);
    caps = draw_caps ();
    gst_caps_set_simple (caps, "width", G_TYPE_INT, 1 + draw_size () % MAX_SIZE,
        "height", G_TYPE_INT, 1 + draw_size () % MAX_SIZE, NULL);
  } while (!gst_caps_can_intersect (caps, allowed));
  gst_caps_unref (allowed);
  return caps;
}

/* Ends the process if no error message says why a frame failed. */
static void
check_failure (GstBus * bus, const gchar * name)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  GError *error = NULL;

  if (message == NULL) {
    printf ("FAILED: %s failed without a message\n", name);
    exit (1);
  }
  gst_message_parse_error (message, &error, NULL);
  draw_tell ("  %s", error->message);
  g_assert (g_utf8_validate (error->message, -1, NULL));
  g_error_free (error);
  gst_message_unref (message);
  n_failed++;
}

static void
flush (GstHarness * h)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (h, gst_event_new_flush_start ());
  gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (h, gst_event_new_segment (&segment));
}

static void
push_frames (GstHarness * h, GstBus * bus, guint n)
{
  GstVideoInfo info;

  for (guint i = 0; i < n; i++) {
    GstBuffer *frame;
    GstFlowReturn ret;

    if (i == 0 || draw_below (4) == 0) {
      GstCaps *caps = choose_caps (h->element);

      g_assert (gst_video_info_from_caps (&info, caps));
      draw_tell ("  %s %dx%d", info.finfo->name, info.width, info.height);
      gst_harness_set_src_caps (h, caps);
    }
    for (gint k = draw_below (5); k > 0; k--)
      set_property (h->element);
    frame = make_frame (&info);
    add_metas (frame);
    GST_BUFFER_PTS (frame) = draw_time (i);
    GST_BUFFER_DURATION (frame) = draw_time (1);
    ret = gst_harness_push (h, frame);
    n_frames++;
    draw_tell ("  %s", gst_flow_get_name (ret));
    if (ret == GST_FLOW_ERROR)
      check_failure (bus, GST_OBJECT_NAME (gst_element_get_factory
              (h->element)));
    if (draw_below (8) == 0)
      flush (h);
  }
  gst_harness_push_event (h, gst_event_new_eos ());
}

static void
play_element (const gchar * name, GstMgpuContext * context)
{
  g_autoptr (GstElement) element = gst_element_factory_make (name, "f");
  GstPad *src = gst_element_get_static_pad (element, "src");
  GstContext *carrier = gst_context_new_mgpu_context (context);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GstHarness) h = NULL;

  gst_element_set_context (element, carrier);
  gst_context_unref (carrier);
  gst_element_set_bus (element, bus);
  /* Sets a kernel, because mgpukernel does not start without one. */
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (element), "control-1"))
    g_object_set (element, "source", "PIXEL (f) { return LOAD (x, y); }", NULL);
  h = gst_harness_new_with_element (element, "sink", src != NULL ? "src"
      : "src_1");
  gst_clear_object (&src);
  gst_harness_set_drop_buffers (h, TRUE);
  push_frames (h, bus, 8);
  gst_element_set_bus (element, NULL);
}

int
main (int argc, char **argv)
{
  GstMgpuContext *contexts[2];
  GPtrArray *names;

  if (!draw_begin (&argc, &argv, entries, 1))
    return 1;
  names = draw_list_elements ();
  if (names->len == 0 || !draw_open_contexts (contexts))
    return 1;
  g_log_set_always_fatal (G_LOG_FATAL_MASK | G_LOG_LEVEL_CRITICAL);
  for (guint i = 0; i < n_rounds * names->len; i++) {
    const gchar *name = names->pdata[i % names->len];
    gint own_memory = draw_below (2);

    printf ("%s%s\n", name, own_memory ? ", own memory" : "");
    fflush (stdout);
    play_element (name, contexts[own_memory]);
  }
  for (guint i = 0; i < G_N_ELEMENTS (contexts); i++) {
    guint left = draw_wait_for_context (contexts[i]);

    if (left > 0) {
      printf ("FAILED: %u references to a context are left\n", left);
      return 1;
    }
    gst_object_unref (contexts[i]);
  }
  printf ("ok: %u frames, %u of them failed, %u properties set\n", n_frames,
      n_failed, n_set);
  draw_end ();
  g_ptr_array_unref (names);
  gst_deinit ();
  return 0;
}
