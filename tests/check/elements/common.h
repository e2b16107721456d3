/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Makes frames with known content in any memory layout, and compares frames. */
#pragma once

#include <gst/mgpu/mgpu.h>
#include <gst/video/video.h>

#include "../../cases/cases.h"
#include "../../cases/packed.h"
#include "../harness.h"

/* mgpubilateral that changes no sample: with this range sigma no other value has any weight, so
 * that the output equals the input. */
#define IDENTITY "mgpubilateral name=f sigma-color=0.01 planes=all"

#define DEVICE_CAPS(format, width, height) "video/x-raw(memory:OpenCLMemory)," \
    "format=" format ",width=" G_STRINGIFY (width) ",height=" \
    G_STRINGIFY (height) ",framerate=25/1"
#define HOST_CAPS(format, width, height) "video/x-raw,format=" format \
    ",width=" G_STRINGIFY (width) ",height=" G_STRINGIFY (height) \
    ",framerate=25/1"

#define POISON 0xa5

typedef enum
{
  LAYOUT_DEFAULT,               /* frames in one aligned memory, with default strides */
  LAYOUT_PADDED,                /* frames with longer strides, and gaps between planes */
  LAYOUT_ODD,                   /* strides that are not a multiple of any vector size */
  LAYOUT_SHIFTED,               /* frames whose first byte is at an odd address, or at 2 */
  LAYOUT_PLANES,                /* frames with one memory for each plane */
  N_LAYOUTS
} Layout;

static inline GstVideoInfo
info_from_string (const gchar * string)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (string);
  GstVideoInfo info;

  fail_unless (caps != NULL && gst_video_info_from_caps (&info, caps));
  return info;
}

/* Returns: (transfer full): a context of a device that appears to have dedicated memory */
static inline GstContext *
discrete_carrier (void)
{
  GError *error = NULL;
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, &error);
  GstContext *carrier;

  fail_unless (context != NULL, "%s", error != NULL ? error->message : "");
  ((GstMgpuTraits *) gst_mgpu_context_get_traits (context))->unified_memory =
      FALSE;
  carrier = gst_context_new_mgpu_context (context);
  return carrier;
}

/* Returns: (transfer full): the names of the plugin's elements. base: (nullable): name of the type
 * from which the elements have to be derived */
static inline gchar **
elements_list (const gchar * base)
{
  GPtrArray *names = g_ptr_array_new ();
  GList *list = gst_registry_get_feature_list_by_plugin (gst_registry_get (),
      "mgpu");

  for (GList * l = list; l != NULL; l = l->next) {
    g_autoptr (GstPluginFeature) loaded = gst_plugin_feature_load (l->data);

    if (base == NULL || g_type_is_a (gst_element_factory_get_element_type
            (GST_ELEMENT_FACTORY (loaded)), g_type_from_name (base)))
      g_ptr_array_add (names, g_strdup (GST_OBJECT_NAME (loaded)));
  }
  g_assert (names->len > 0);
  g_ptr_array_add (names, NULL);
  gst_plugin_feature_list_free (list);
  return (gchar **) g_ptr_array_free (names, FALSE);
}

/* Sets the property without which @element cannot work: the camera of mgpuremap, the kernel of
 * mgpukernel. */
static inline void
element_complete (GstElement * element)
{
  GObjectClass *klass = G_OBJECT_GET_CLASS (element);

  if (g_object_class_find_property (klass, "input-fov") != NULL)
    gst_util_set_object_arg (G_OBJECT (element), "input", "fisheye");
  if (g_object_class_find_property (klass, "control-1") != NULL)
    g_object_set (element, "source", "PIXEL (f) { return MAX - LOAD (x, y); }",
        NULL);
}

/* Returns: (transfer full): a harness with the element @name, with all properties set that it needs
 * to work */
static inline GstHarness *
harness_new_complete (const gchar * name)
{
  g_autoptr (GstElement) element = gst_element_factory_make (name, NULL);

  element_complete (element);
  return gst_harness_new_with_element (element, "sink", "src");
}

/* Returns: (transfer full): the names of the elements that open a device */
static inline gchar **
elements_list_with_device (void)
{
  gchar **names = elements_list (NULL);
  guint n = 0;

  for (guint i = 0; names[i] != NULL; i++) {
    g_autoptr (GstElement) element = gst_element_factory_make (names[i], NULL);
    gchar *name = names[i];

    names[i] = NULL;
    if (g_object_class_find_property (G_OBJECT_GET_CLASS (element), "device"))
      names[n++] = name;
    else
      g_free (name);
  }
  g_assert (n > 0);
  return names;
}

/* Sets a property to a value outside of its range, which GObject refuses. GLib logs a warning for
 * it, since version 2.75 a critical. */
static inline void
set_badly (GstElement * filter, const gchar * name, gdouble value)
{
  g_autofree gchar *pattern = g_strdup_printf ("*out of range*%s*", name);
  gdouble before, after;

  g_object_get (filter, name, &before, NULL);
  g_test_expect_message ("GLib-GObject",
      glib_check_version (2, 75, 0) == NULL ? G_LOG_LEVEL_CRITICAL
      : G_LOG_LEVEL_WARNING, pattern);
  g_object_set (filter, name, value, NULL);
  g_test_assert_expected_messages ();
  g_object_get (filter, name, &after, NULL);
  fail_unless (before == after);
}

static inline GstCaps *
caps_new (GstVideoFormat format, gint width, gint height, gboolean device)
{
  GstCaps *caps = gst_caps_new_simple ("video/x-raw",
      "format", G_TYPE_STRING, gst_video_format_to_string (format),
      "width", G_TYPE_INT, width, "height", G_TYPE_INT, height,
      "framerate", GST_TYPE_FRACTION, 25, 1, NULL);

  if (device)
    gst_caps_set_features_simple (caps,
        gst_caps_features_new (GST_CAPS_FEATURE_MEMORY_OPENCL, NULL));
  return caps;
}

/* Computes plane offsets and strides of @layout. Returns: the number of bytes of a frame */
static inline gsize
layout_planes (const GstVideoInfo * info, Layout layout, gsize * offset,
    gint * stride)
{
  gsize size = 0;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    gint comp[GST_VIDEO_MAX_COMPONENTS], n;

    gst_video_format_info_component (info->finfo, i, comp);
    stride[i] = GST_VIDEO_INFO_PLANE_STRIDE (info, i);
    if (test_packed_tile (info) > 0) {
      /* Adds one column and one row of tiles. */
      if (layout == LAYOUT_PADDED)
        stride[i] += GST_VIDEO_TILE_MAKE_STRIDE (1, 1);
      test_packed_row (info, i, &n);
      offset[i] = size;
      size += (gsize) test_packed_stride (info, stride[i])
          * GST_VIDEO_TILE_Y_TILES (stride[i]);
      continue;
    }
    if (layout == LAYOUT_PADDED)
      stride[i] += 64;
    else if (layout == LAYOUT_ODD)
      stride[i] += 7;
    offset[i] = size;
    size += (gsize) stride[i] * GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT (info->finfo,
        comp[0], GST_VIDEO_INFO_HEIGHT (info));
    if (layout == LAYOUT_DEFAULT || layout == LAYOUT_SHIFTED) {
      offset[i] = GST_VIDEO_INFO_PLANE_OFFSET (info, i);
      size = GST_VIDEO_INFO_SIZE (info);
    } else if (layout == LAYOUT_PADDED) {
      size += 128;
    }
  }
  return size;
}

/* Returns: the address of the first sample of component @c. V of P010 lies 2 bytes after U, but
 * GStreamer 1.22 reports 1 byte. */
static inline guint8 *
comp_data (GstVideoFrame * frame, guint c)
{
  return (guint8 *) GST_VIDEO_FRAME_COMP_DATA (frame, c)
      + (GST_VIDEO_FRAME_COMP_DEPTH (frame, c) > 8
      && GST_VIDEO_FRAME_COMP_POFFSET (frame, c) == 1);
}

/* Runs @code for each sample, with @p, the address of sample (@x, @y) of component @c, and @mask,
 * the bits of the sample within its word. */
#define FOR_EACH_SAMPLE(frame, c, x, y, p, mask, code) \
  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (frame); c++) { \
    guint mask = ((1u << GST_VIDEO_FRAME_COMP_DEPTH (frame, c)) - 1) \
        << (frame)->info.finfo->shift[c]; \
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (frame, c); y++) \
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (frame, c); x++) { \
        guint8 *p = comp_data (frame, c) \
            + (gssize) y * GST_VIDEO_FRAME_COMP_STRIDE (frame, c) \
            + (gssize) x * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, c); \
        code \
      } \
  }

/* Returns: the address of row y of plane i of a mapped frame of a packed format */
static inline guint8 *
packed_row (GstVideoFrame * frame, guint i, gint y)
{
  return (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, i)
      + (gssize) y * test_packed_stride (&frame->info,
      GST_VIDEO_FRAME_PLANE_STRIDE (frame, i));
}

/* Calls @code for each row @y of each plane @i of a frame of a packed format; the row has @width
 * bytes. */
#define FOR_EACH_PACKED_ROW(frame, i, y, width, code) \
  for (guint i = 0; i < GST_VIDEO_FRAME_N_PLANES (frame); i++) { \
    gint n_rows, width = test_packed_row (&(frame)->info, i, &n_rows); \
    for (gint y = 0; y < n_rows; y++) { \
      code \
    } \
  }

static inline void
fill_frame (const GstVideoInfo * info, GstBuffer * buffer, guint seed)
{
  GstVideoFrame frame;
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  if (test_packed_find (GST_VIDEO_INFO_FORMAT (info)) != NULL) {
    FOR_EACH_PACKED_ROW (&frame, i, y, width, {
      for (gint x = 0; x < width; x++)
        packed_row (&frame, i, y)[x] = g_rand_int (rand);
    });
    gst_video_frame_unmap (&frame);
    return;
  }
  FOR_EACH_SAMPLE (&frame, c, x, y, p, mask, {
    guint value = g_rand_int (rand) & mask;

    /* Uses steps of 8 bits, because IDENTITY (a bilateral filter) distinguishes neighbors only by
     * steps of this size. */
    if (mask == 0xffff)
      value = (value >> 8) * 257;
    /* Avoids pixels with alpha 0: they have no weight, so the filter would give them the colors of
     * their neighbors. */
    if (c == 3)
      value = MAX (value, 1);
    p[0] = value;
    if (mask > 0xff)
      p[1] = value >> 8;
  });
  gst_video_frame_unmap (&frame);
}

static inline GstMemory *
memory_new (gsize size, gsize shift)
{
  GstAllocationParams params = { 0, 4095, shift, 0, {NULL} };
  GstMemory *memory = gst_allocator_alloc (NULL, size, &params);
  GstMapInfo map;

  fail_unless (gst_memory_map (memory, &map, GST_MAP_WRITE));
  fail_unless_equals_int64 (((guintptr) map.data - shift) % 4096, 0);
  memset (map.data, POISON, map.size);
  gst_memory_unmap (memory, &map);
  return memory;
}

/* Returns a frame in system memory with random content, which depends on @seed. */
static inline GstBuffer *
frame_new (const GstVideoInfo * info, Layout layout, guint seed)
{
  GstBuffer *buffer = gst_buffer_new ();
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 0 };
  gsize size = layout_planes (info, layout, offset, stride);
  guint n_planes = GST_VIDEO_INFO_N_PLANES (info);

  if (layout == LAYOUT_PLANES) {
    for (guint i = 0; i < n_planes; i++)
      gst_buffer_append_memory (buffer,
          memory_new ((i + 1 < n_planes ? offset[i + 1] : size) - offset[i],
              0));
  } else {
    gst_buffer_append_memory (buffer, memory_new (size,
            layout != LAYOUT_SHIFTED ? 0
            : GST_VIDEO_INFO_COMP_DEPTH (info, 0) > 8 ? 2 : 1));
  }
  if (layout != LAYOUT_DEFAULT && layout != LAYOUT_SHIFTED)
    gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
        GST_VIDEO_INFO_HEIGHT (info), n_planes, offset, stride);
  fill_frame (info, buffer, seed);
  GST_BUFFER_PTS (buffer) = 0;
  GST_BUFFER_DURATION (buffer) = GST_SECOND / 25;
  return buffer;
}

/* Returns the number of samples in which two frames differ; for packed formats, the number of
 * rows. */
static inline guint
count_differences (const GstVideoInfo * info, GstBuffer * a, GstBuffer * b)
{
  GstVideoFrame frame_a, frame_b;
  guint n = 0;

  fail_unless (gst_video_frame_map (&frame_a, info, a, GST_MAP_READ));
  fail_unless (gst_video_frame_map (&frame_b, info, b, GST_MAP_READ));
  if (test_packed_find (GST_VIDEO_INFO_FORMAT (info)) != NULL) {
    FOR_EACH_PACKED_ROW (&frame_a, i, y, width, {
      n += memcmp (packed_row (&frame_a, i, y), packed_row (&frame_b, i, y),
          width) != 0;
    });
    gst_video_frame_unmap (&frame_b);
    gst_video_frame_unmap (&frame_a);
    return n;
  }
  FOR_EACH_SAMPLE (&frame_a, c, x, y, p, mask, {
    guint8 *q = comp_data (&frame_b, c)
        + (gssize) y * GST_VIDEO_FRAME_COMP_STRIDE (&frame_b, c)
        + (gssize) x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame_b, c);

    n += p[0] != q[0] || (mask > 0xff && p[1] != q[1]);
  });
  gst_video_frame_unmap (&frame_b);
  gst_video_frame_unmap (&frame_a);
  return n;
}

#define fail_unless_same_frame(info, a, b) \
  fail_unless (count_differences (info, a, b) == 0)

/* Returns the element named "f" in the pipeline of a harness that was made from a launch line. */
static inline GstElement *
harness_filter (GstHarness * h)
{
  GstElement *element = GST_IS_BIN (h->element)
      ? gst_bin_get_by_name (GST_BIN (h->element), "f")
      : gst_object_ref (h->element);

  fail_unless (element != NULL);
  return element;
}

static inline guint64
harness_stat (GstHarness * h, const gchar * field)
{
  g_autoptr (GstElement) element = harness_filter (h);
  guint64 value = get_stat (element, field);

  return value;
}

/* Returns the context that all harnesses of a test share, so that each OpenCL program is built only
 * once. */
static inline GstContext *
common_context (void)
{
  static GstContext *carrier;

  if (carrier == NULL) {
    GError *error = NULL;
    g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, &error);

    fail_unless (context != NULL, "%s", error != NULL ? error->message : "");
    carrier = gst_context_new_mgpu_context (context);
  }
  return carrier;
}

/* Makes a harness whose elements use @context, or a context that they create if it is NULL. */
static inline GstHarness *
harness_open_on (GstContext * context, const gchar * launch)
{
  g_autoptr (GstElement) element = gst_parse_bin_from_description_full (launch, TRUE, NULL,
      GST_PARSE_FLAG_NO_SINGLE_ELEMENT_BINS | GST_PARSE_FLAG_PLACE_IN_BIN, NULL);
  GstHarness *h;

  fail_unless (element != NULL, "%s", launch);
  if (context != NULL)
    gst_element_set_context (element, context);
  h = gst_harness_new_with_element (element, "sink", "src");
  return h;
}

static inline GstHarness *
harness_open (const gchar * launch)
{
  return harness_open_on (common_context (), launch);
}

static inline GstHarness *
harness_new_on (GstContext * context, const gchar * launch,
    const gchar * in_caps, const gchar * out_caps)
{
  GstHarness *h = harness_open_on (context, launch);

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_set_caps_str (h, in_caps, out_caps);
  return h;
}

static inline GstHarness *
harness_new (const gchar * launch, const gchar * in_caps,
    const gchar * out_caps)
{
  return harness_new_on (common_context (), launch, in_caps, out_caps);
}

/* Returns whether host and device share memory, so that a frame need not be copied. */
static inline gboolean
device_is_unified (void)
{
  GError *error = NULL;
  g_autoptr (GstMgpuContext) context = gst_mgpu_context_new (NULL, &error);
  gboolean unified;

  fail_unless (context != NULL, "%s", error != NULL ? error->message : "");
  unified = gst_mgpu_context_get_traits (context)->unified_memory;
  return unified;
}

static inline GstMgpuMemory *
frame_memory (GstBuffer * buffer)
{
  fail_unless_equals_int (gst_buffer_n_memory (buffer), 1);
  fail_unless (gst_is_mgpu_memory (gst_buffer_peek_memory (buffer, 0)));
  return (GstMgpuMemory *) gst_buffer_peek_memory (buffer, 0);
}

/* Returns a frame in the memory of context, with default strides. */
static inline GstBuffer *
device_frame_new (GstMgpuContext * context, const GstVideoInfo * info,
    guint seed)
{
  GError *error = NULL;
  g_autoptr (GstMgpuQueue) queue = gst_mgpu_queue_new (context, &error);
  GstBuffer *buffer = gst_buffer_new ();
  GstMemory *memory;

  fail_unless (queue != NULL, "%s", error != NULL ? error->message : "");
  memory = gst_mgpu_memory_new (queue, GST_VIDEO_INFO_SIZE (info), NULL,
      &error);
  fail_unless (memory != NULL, "%s", error != NULL ? error->message : "");
  gst_buffer_append_memory (buffer, memory);
  fill_frame (info, buffer, seed);
  GST_BUFFER_PTS (buffer) = 0;
  return buffer;
}

/* Returns the video format of the frames that @h outputs. */
G_GNUC_UNUSED static GstVideoInfo
harness_out_info (GstHarness * h)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->sinkpad);
  GstVideoInfo info;

  fail_unless (caps != NULL && gst_video_info_from_caps (&info, caps));
  return info;
}

/* Returns: (transfer full): the context in which the element of @h works */
static inline GstMgpuContext *
harness_context (GstHarness * h)
{
  g_autoptr (GstQuery) query = gst_query_new_context (GST_MGPU_CONTEXT_TYPE);
  GstContext *carrier;
  GstMgpuContext *context;

  fail_unless (gst_pad_peer_query (h->srcpad, query));
  gst_query_parse_context (query, &carrier);
  context = gst_context_get_mgpu_context (carrier);
  fail_unless (context != NULL);
  return context;
}

static inline GstBuffer *
harness_push_pull (GstHarness * h, GstBuffer * buffer)
{
  fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  return harness_pull (h);
}

/* Sends a flush through the element of @h. */
static inline void
flush (GstHarness * h)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
}

/* Blocks until the element has no frame in flight on the device. */
static inline void
wait_for_all (GstHarness * h)
{
  g_autoptr (GstQuery) query = gst_query_new_drain ();

  gst_pad_peer_query (h->srcpad, query);
}

/* Returns whether @object reaches @n references within ten seconds: threads and messages may hold
 * references a little longer than the call that stopped them. */
static inline gboolean
comes_to_refs (gpointer object, gint n)
{
  for (guint i = 0; i < 1000; i++) {
    if (GST_OBJECT_REFCOUNT_VALUE (object) == n)
      return TRUE;
    g_usleep (10000);
  }
  return FALSE;
}

/* Returns: (transfer none): the context that an element of @bin returns in context queries */
static inline GstMgpuContext *
context_of (GstElement * bin, const gchar * name)
{
  g_autoptr (GstElement) element = gst_bin_get_by_name (GST_BIN (bin), name);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstQuery) query = gst_query_new_context (GST_MGPU_CONTEXT_TYPE);
  GstMgpuContext *context = NULL;
  GstContext *carrier;

  if (gst_pad_query (pad, query)) {
    gst_query_parse_context (query, &carrier);
    context = gst_context_get_mgpu_context (carrier);
    /* Releases the reference to the context: the caller only compares the pointer, and the element
     * holds a reference. */
    gst_object_unref (context);
  }
  return context;
}
