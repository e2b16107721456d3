/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests that each failure posts one message that names element, cause and remedy. */
#include "../notrun.h"
#include "common.h"

#include "../../opencl.h"

#include <dlfcn.h>

/* The element whose context is replaced by @replacement while the error message about its device is
 * formatted; @replaced: the context that it had before. */
static GstElement *changed;
static GstMgpuContext *replacement, *replaced;

/* Whether the device reports that it can allocate 4 GiB at once */
static gboolean is_roomy;

/* Harness and bus that begin() creates and end() frees */
static GstHarness *h;
static GstBus *bus;

/* Replaces the OpenCL function clGetDeviceInfo(), and calls it. */
__attribute__((visibility ("default")))
    cl_int
clGetDeviceInfo (cl_device_id device, cl_device_info what, size_t size,
    void *value, size_t *result_size)
{
  cl_int ret = REAL (clGetDeviceInfo) (device, what, size, value, result_size);

  if (ret == CL_SUCCESS && is_roomy && value != NULL
      && what == CL_DEVICE_MAX_MEM_ALLOC_SIZE)
    *(cl_ulong *) value = 1ull << 32;
  return ret;
}

static void
set_context (GstElement * element, GstMgpuContext * context)
{
  g_autoptr (GstContext) carrier = gst_context_new_mgpu_context (context);

  gst_element_set_context (element, carrier);
}

/* Replaces a library function that is called while an error message is formatted. Does what another
 * thread might do at that moment: sets another context on the element @changed. */
__attribute__((visibility ("default")))
     const gchar *gst_mgpu_context_get_platform_name (GstMgpuContext * context)
{
  __typeof__ (gst_mgpu_context_get_platform_name) * real =
      (__typeof__ (real)) dlsym (RTLD_NEXT,
      "gst_mgpu_context_get_platform_name");
  GstElement *element = g_steal_pointer (&changed);

  if (element != NULL) {
    set_context (element, replacement);
    fail_unless (replaced == context);
  }
  return real (context);
}

static void
end (void)
{
  if (h != NULL)
    harness_end (h);
  h = NULL;
}

/* Makes a harness of an element for its pads "sink" and "src", with any caps. */
static void
begin (const gchar * launch, const gchar * src)
{
  GstElement *element = gst_parse_launch (launch, NULL);

  end ();
  h = gst_harness_new_with_element (element, "sink", src);
  gst_object_unref (element);
  bus = harness_bus (h);
  gst_harness_set_sink_caps_str (h, "ANY");
}

/* Returns the maximum number of bytes that the device allocates at once */
static guint64
find_most (void)
{
  g_autoptr (GstMgpuContext) context = harness_context (h);
  guint64 most = gst_mgpu_context_get_traits (context)->max_allocation_size;

  return most;
}

GST_START_TEST (test_unknown_device)
{
  gchar **names = elements_list_with_device ();

  for (guint i = 0; names[i] != NULL; i++) {
    g_autoptr (GstElement) element = gst_element_factory_make (names[i], "f");

    g_object_set (element, "device", "::no such device", NULL);
    check_no_start (element, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "no such device", "\"device\"");

    /* Checks that the element processes frames again. */
    g_object_set (element, "device", NULL, NULL);
    element_complete (element);
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
        GST_STATE_CHANGE_SUCCESS);
    gst_element_set_state (element, GST_STATE_NULL);
  }
  g_strfreev (names);
}

GST_END_TEST;

/* Tests that an error that quotes a property's value is valid UTF-8, whatever the value is, in
 * elements with a device and without one. */
GST_START_TEST (test_quoted_bytes)
{
  static const gchar *const launches[][2] = {
    {"mgputrack name=f", "lines"}, {"mgpublur name=f", "rectangle"}
  };

  for (guint i = 0; i < G_N_ELEMENTS (launches); i++) {
    g_autoptr (GError) error = NULL;

    begin (launches[i][0], "src");
    g_object_set (h->element, launches[i][1], "\xff_", NULL);
    gst_harness_set_src_caps_str (h, HOST_CAPS ("GRAY8", 40, 30));
    gst_harness_push (h, gst_buffer_new_allocate (NULL, 40 * 30, NULL));
    error = pop_message (bus, GST_MESSAGE_ERROR, "_", launches[i][1]);
    fail_unless (g_utf8_validate (error->message, -1, NULL));
  }
}

GST_END_TEST;

/* Tests that the context of an element that cannot start may change while it posts its error. */
GST_START_TEST (test_changed_context)
{
  g_autoptr (GstElement) element =
      gst_parse_launch ("mgpuhog name=f detector=model " "model=/none.xml",
      NULL);
  GError *error = NULL;

  bus = gst_bus_new ();
  gst_element_set_bus (element, bus);
  replacement = gst_mgpu_context_new (NULL, &error);
  replaced = gst_mgpu_context_new (NULL, &error);
  fail_unless (error == NULL, "%s", error != NULL ? error->message : "");
  set_context (element, replaced);
  g_object_add_weak_pointer (G_OBJECT (replaced), (gpointer *) & replaced);
  gst_object_unref (replaced);
  changed = element;
  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  fail_unless (changed == NULL);
  fail_unless (replaced == NULL);
  check_code (bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ, "/none.xml",
      "\"model\"");
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (bus);
  gst_object_unref (replacement);
}

GST_END_TEST;

/* Strides and offsets of NV12 frames of 32x24 with which rows lie outside of the buffer, or
 * overlap: an element that accepted them would read foreign memory. */
static const struct
{
  gint strides[2];
  guint64 offset;               /* of chroma */
} bad_layouts[] = {
  {{32, 4000}, 32 * 24}, {{32, 100000000}, 32 * 24},
  {{32, 32}, 32 * 24 + (G_GUINT64_CONSTANT (1) << 32)}, {{31, 32}, 32 * 24},
  {{32, 0}, 32 * 24}, {{32, -1}, 32 * 24}
};

#define N_BROKEN (3 + G_N_ELEMENTS (bad_layouts))

/* Makes invalid copies of @frame (transfer full): shorter than the caps require, of another format
 * or size, or with invalid layouts. */
static void
break_frames (GstBuffer * frame, gsize size, GstBuffer * broken[N_BROKEN])
{
  for (guint i = 0; i < N_BROKEN; i++)
    broken[i] = gst_buffer_copy (frame);
  gst_buffer_unref (frame);
  gst_buffer_resize (broken[0], 0, size - 1);
  gst_buffer_add_video_meta (broken[1], GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_GRAY8, 32, 24);
  gst_buffer_add_video_meta (broken[2], GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_NV12, 16, 24);
  for (guint i = 0; i < G_N_ELEMENTS (bad_layouts); i++) {
    GstVideoMeta *meta = gst_buffer_get_video_meta (broken[3 + i]);
    gsize offset[GST_VIDEO_MAX_PLANES] = { 0, bad_layouts[i].offset };
    gint stride[GST_VIDEO_MAX_PLANES] = { bad_layouts[i].strides[0],
      bad_layouts[i].strides[1]
    };

    if (meta != NULL)
      gst_buffer_remove_meta (broken[3 + i], (GstMeta *) meta);
    gst_buffer_add_video_meta_full (broken[3 + i], GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_FORMAT_NV12, 32, 24, 2, offset, stride);
  }
}

static void
check_broken (const gchar * launch, gboolean device)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("NV12", 32, 24));
  g_autoptr (GstMgpuContext) context = NULL;
  GstBuffer *broken[N_BROKEN], *frame;

  begin (launch, "src");
  gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_NV12, 32, 24,
          device));
  context = harness_context (h);
  frame = device ? device_frame_new (context, &info, 1)
      : frame_new (&info, LAYOUT_DEFAULT, 1);
  /* Adds a region for mgpuoverlay to draw: it draws no text, because text requires a font. */
  gst_buffer_add_video_region_of_interest_meta_id (frame, 0, 8, 6, 9, 9);
  break_frames (frame, GST_VIDEO_INFO_SIZE (&info), broken);
  for (guint i = 0; i < N_BROKEN; i++) {
    fail_unless_equals_int (gst_harness_push (h, broken[i]), GST_FLOW_ERROR);
    check_code (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, "32x24",
        "before this one");
    fail_unless (gst_harness_try_pull (h) == NULL);
  }

  /* Checks that the next frame, a valid one, is processed. */
  gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
              1)));
}

GST_START_TEST (test_broken_frame)
{
  for (guint device = 0; device < 2; device++) {
    for (guint i = 0; test_cases[i] != NULL; i++) {
      g_autofree gchar *launch =
          g_strdup_printf ("mgpu%s name=f", test_cases[i]->name);

      check_broken (launch, device);
    }
    check_broken ("mgpuoverlay name=f draw=regions", device);
    check_broken ("mgpuconvert name=f video-direction=180", device);
    check_broken ("mgpuupload name=f", device);
    check_broken ("mgpudownload name=f", device);
  }
}

GST_END_TEST;

/* Sends caps of frames that are too large. @rows: their number of rows of 16384 bytes, as a
 * fraction of the largest allocation of the device, which main() limits to 256 MiB. */
static void
check_too_large (const gchar * launch, gdouble rows, const gchar * word1,
    const gchar * word2)
{
  guint64 most;

  begin (launch, "src");
  most = find_most ();
  if (most >= G_MAXINT) {
    not_run ("the device takes all frames that GStreamer can describe");
  } else {
    gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_GRAY8, 16384,
            most / 16384 * rows + 1, FALSE));
    check_code (bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
        word1, word2);
  }
}

GST_START_TEST (test_frame_too_large)
{
  check_too_large ("mgpubilateral name=f", 1, "16384x", "scale it down");
  /* The frame fits into the device's memory, but the frame's table, with four bytes for each pixel,
   * does not. */
  check_too_large ("mgpuintegral name=f", 0.5, "a table of results takes",
      "scale the frames down");
  check_too_large ("mgpuflow name=f", 0.5, "the flow of frames of 16384x",
      "choose a coarser preset");
}

GST_END_TEST;

/* Tests histogram tables for many tiles, with 65536 bins each. */
GST_START_TEST (test_too_many_tiles)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY16_LE", 32, 24));

  begin ("mgpuhisteq name=f method=clahe tiles-x=64 tiles-y=64", "src");
  if (find_most () >= 1 << 29) {
    not_run ("the device has room for a table of 512 MiB");
  } else {
    gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_GRAY16_LE, 32, 24,
            FALSE));
    fail_unless_equals_int (gst_harness_push (h, frame_new (&info,
                LAYOUT_DEFAULT, 1)), GST_FLOW_ERROR);
    check_code (bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
        "4096 tiles", "use fewer tiles");

    /* Checks that the element processes frames again. */
    g_object_set (h->element, "tiles-x", 4, "tiles-y", 4, NULL);
    gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
                1)));
  }
}

GST_END_TEST;

/* Tests that a frame with a crop may be larger than its caps: the size in its GstVideoMeta
 * counts. */
GST_START_TEST (test_cropped_too_large)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 32, 24));
  gint sizes[][2] = { {30000, 0}, {G_MAXINT, 1}
  };

  begin (__i__ == 0 ? "mgpuconvert name=f"
      : "mgpuremap name=f input=fisheye", "src");
  /* Limits the frame to G_MAXINT bytes, which is the maximum for any device. */
  sizes[0][1] = MIN (find_most (), G_MAXINT) / 30000 + 1;
  gst_harness_set_sink_caps_str (h, HOST_CAPS ("GRAY8", 16, 12));
  gst_harness_set_src_caps_str (h, HOST_CAPS ("GRAY8", 32, 24));
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
    gint stride[GST_VIDEO_MAX_PLANES] = { 32 };
    GstBuffer *in = frame_new (&info, LAYOUT_DEFAULT, 1);
    g_autofree gchar *size =
        g_strdup_printf ("a frame of %dx%d takes ", sizes[i][0],
        sizes[i][1]);

    gst_buffer_add_video_meta_full (in, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_FORMAT_GRAY8, sizes[i][0], sizes[i][1], 1, offset, stride);
    gst_buffer_add_video_crop_meta (in)->width = 32;
    gst_buffer_get_video_crop_meta (in)->height = 24;
    fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_ERROR);
    check_code (bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
        size, "scale it down");
    fail_unless (gst_harness_try_pull (h) == NULL);
    gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
                1)));
  }
}

GST_END_TEST;

/* Tests a frame that fits into the device's memory while its guide, with four bytes for each pixel,
 * does not. */
GST_START_TEST (test_guide_too_large)
{
  g_autoptr (GstHarness) guides = NULL;

  begin ("mgpubilateral name=f", "src");
  guides = gst_harness_new_with_element (h->element, "guide", NULL);
  if (find_most () > 8200 * 8200 * 4) {
    not_run ("the device has room for a frame of 8200x8200 BGRA");
  } else {
    gst_harness_set_src_caps_str (h, HOST_CAPS ("GRAY8", 8200, 8200));
    gst_harness_set_src_caps_str (guides, HOST_CAPS ("BGRA", 8200, 8200));
    fail_unless_equals_int (gst_harness_push (guides,
            gst_buffer_new_allocate (NULL, 8200 * 8200 * 4, NULL)),
        GST_FLOW_OK);
    fail_unless_equals_int (gst_harness_push (h,
            gst_buffer_new_allocate (NULL, 8200 * 8200, NULL)), GST_FLOW_ERROR);
    check_code (bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
        "a frame of 8200x8200 takes 268960000 bytes", "scale it down");
  }
}

GST_END_TEST;

/* Tests small input frames whose output frames are too large for the device. */
GST_START_TEST (test_output_too_large)
{
  guint64 most;

  begin ("mgpuconvert name=f", "src");
  most = find_most ();
  if (most >= G_MAXINT) {
    not_run ("the device takes all frames that GStreamer can describe");
  } else {
    gst_harness_set_sink_caps (h, caps_new (GST_VIDEO_FORMAT_GRAY8, 16384,
            most / 16384 + 1, FALSE));
    gst_harness_set_src_caps_str (h, HOST_CAPS ("GRAY8", 16, 16));
    check_code (bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
        "16384x", "scale it down");
  }
}

GST_END_TEST;

/* Positions in frames are limited to 65536 columns and rows. */
GST_START_TEST (test_frame_too_wide)
{
  begin ("mgpustabilize name=f", "src");
  gst_harness_set_src_caps_str (h, __i__ == 0 ? HOST_CAPS ("GRAY8", 65537, 16)
      : HOST_CAPS ("GRAY8", 16, 65537));
  check_code (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      __i__ == 0 ? "a frame of 65537x16 has more than 65536 columns or rows"
      : "a frame of 16x65537 has more than 65536 columns or rows",
      "scale it down");
}

GST_END_TEST;

static void
check_caps (const gchar * caps, const gchar * word)
{
  static const gchar *const launches[][2] = {
    {"mgpuhisteq name=f", "src"}, {"mgpupyramid name=f", "src_0"}
  };

  for (guint i = 0; i < G_N_ELEMENTS (launches); i++) {
    begin (launches[i][0], launches[i][1]);
    gst_harness_set_src_caps_str (h, caps);
    check_code (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT, word,
        "capsfilter");
    /* Checks that the error is posted only once, although caps arrive again with each event. */
    gst_harness_push_event (h, gst_event_new_tag (gst_tag_list_new_empty ()));
    fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR) == NULL);
  }
}

GST_START_TEST (test_caps_without_format)
{
  check_caps ("video/x-raw,width=32,height=24", "width=(int)32");
}

GST_END_TEST;

/* Tests caps of frames whose size in bytes exceeds an int. GStreamer accepts the first two caps,
 * the second with a size of 0. */
GST_START_TEST (test_caps_too_wide)
{
  check_caps ("video/x-raw,format=GRAY8,width=2147483647,height=1", "GRAY8");
  check_caps ("video/x-raw,format=BGRx,width=1073741824,height=1", "BGRx");
  check_caps ("video/x-raw,format=I420,width=65536,height=65536", "I420");
}

GST_END_TEST;

/* Tests frame formats that an element does not accept: each start causes one warning that names the
 * format and the element that converts it. Memory that the element does not accept causes no
 * warning. */
GST_START_TEST (test_format_refused)
{
  static const gchar *const launches[][2] = {
    {"mgpublur name=f", "src"}, {"mgpuconvert name=f", "src"},
    {"mgpupyramid name=f", "src_0"}
  };

  for (guint i = 0; i < G_N_ELEMENTS (launches); i++) {
    begin (launches[i][0], launches[i][1]);
    for (guint k = 0; k < 2; k++) {
      g_autoptr (GstCaps) gl = gst_caps_from_string
          ("video/x-raw(memory:GLMemory),format=A420_10LE,width=32,height=24");

      fail_if (gst_pad_peer_query_accept_caps (h->srcpad, gl));
      fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
      for (guint n = 0; n < 2; n++) {
        gst_harness_set_src_caps_str (h, HOST_CAPS ("A420_10LE", 32, 24));
        fail_unless_equals_int (gst_harness_push (h, gst_buffer_new ()),
            GST_FLOW_NOT_NEGOTIATED);
      }
      check_warning (bus, "A420_10LE", "put mgpuconvert");
      gst_element_set_state (h->element, GST_STATE_NULL);
      gst_element_set_state (h->element, GST_STATE_PLAYING);
    }
  }
}

GST_END_TEST;

/* Checks a frame that returns to its buffer pool after a downstream element changed its metas. */
static void
check_changed_meta (const gchar * launch, const gchar * pad, const gchar * cure)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("NV12", 32, 24));
  GstBuffer *out;

  begin (launch, pad);
  gst_harness_set_src_caps_str (h, HOST_CAPS ("NV12", 32, 24));
  out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));
  gst_buffer_get_video_meta (out)->stride[0] = 100000000;
  gst_buffer_unref (out);
  fail_unless_equals_int (gst_harness_push (h, frame_new (&info,
              LAYOUT_DEFAULT, 1)), GST_FLOW_ERROR);
  check_code (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "gave a buffer that holds no frame", cure);
  fail_unless (gst_harness_try_pull (h) == NULL);
}

GST_START_TEST (test_changed_meta)
{
  check_changed_meta ("mgpubilateral name=f", "src", "after this one");
  check_changed_meta ("mgpupyramid name=f", "src_1", "after this one");
}

GST_END_TEST;

/* Tests that a changed meta is also an error on a pad that outputs the smallest pyramid level
 * again. */
GST_START_TEST (test_changed_meta_of_copy)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("GRAY8", 4, 4));
  g_autoptr (GstHarness) first = NULL;
  GstBuffer *out;

  begin ("mgpupyramid name=f levels=4", "src_3");
  first = gst_harness_new_with_element (h->element, NULL, "src_2");
  gst_harness_set_sink_caps_str (first, "ANY");
  gst_harness_set_src_caps_str (h, HOST_CAPS ("GRAY8", 4, 4));
  out = harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT, 1));
  gst_buffer_get_video_meta (out)->width++;
  gst_buffer_unref (out);
  fail_unless_equals_int (gst_harness_push (h, frame_new (&info,
              LAYOUT_DEFAULT, 1)), GST_FLOW_ERROR);
  check_code (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "gave a buffer that holds no frame", "after this one");
}

GST_END_TEST;

/* Tests a frame that fits into memory while the number of samples of its scale space exceeds an
 * int. */
GST_START_TEST (test_scale_space_too_large)
{
  begin ("mgpusift name=f", "src");
  gst_harness_set_src_caps_str (h, HOST_CAPS ("GRAY8", 9000, 9000));
  check_code (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "the scale space of a frame of 9000x9000", "\"upsample\" to false");
}

GST_END_TEST;

/* Tests a source pad of mgpupyramid whose downstream element accepts only a size that the level
 * does not have. */
GST_START_TEST (test_level_refused)
{
  GstVideoInfo info = info_from_string (HOST_CAPS ("NV12", 32, 24));

  begin ("mgpupyramid name=f", "src_1");
  gst_harness_set_sink_caps_str (h, "video/x-raw,width=15");
  gst_harness_set_src_caps_str (h, HOST_CAPS ("NV12", 32, 24));
  fail_unless_equals_int (gst_harness_push (h, frame_new (&info,
              LAYOUT_DEFAULT, 1)), GST_FLOW_NOT_NEGOTIATED);
  check_code (bus, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "the element after src_1 accepts no frames of video/x-raw",
      "videoconvert");
}

GST_END_TEST;

/* Checks frames that fit into the device's memory, but whose number of samples exceeds the int in
 * which kernels count. */
static void
check_uncountable (const gchar * launch, GstVideoFormat format, gint width,
    gint height, const gchar * limit)
{
  is_roomy = TRUE;
  begin (launch, "src");
  gst_harness_set_src_caps (h, caps_new (format, width, height, FALSE));
  check_code (bus, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT,
      limit, "scale them down");
  end ();
  is_roomy = FALSE;
}

GST_START_TEST (test_uncountable)
{
  check_uncountable ("mgpuinpaint name=f", GST_VIDEO_FORMAT_GRAY8, 32000,
      22400, "of up to about 715 million pixels");
  check_uncountable ("mgpuinpaint name=f", GST_VIDEO_FORMAT_RGB, 32000, 16800,
      "of up to about 536 million pixels");
  check_uncountable ("mgpulocalcontrast name=f", GST_VIDEO_FORMAT_GRAY8, 32000,
      50400, "of up to about 1610 million pixels");
}

GST_END_TEST;

CHECK_SUITE (mgpuerrors)
{
  tcase_add_checked_fixture (tc, NULL, end);
  tcase_add_test (tc, test_unknown_device);
  tcase_add_test (tc, test_quoted_bytes);
  tcase_add_test (tc, test_changed_context);
  tcase_add_test (tc, test_broken_frame);
  tcase_add_test (tc, test_frame_too_large);
  tcase_add_test (tc, test_too_many_tiles);
  tcase_add_loop_test (tc, test_cropped_too_large, 0, 2);
  tcase_add_test (tc, test_guide_too_large);
  tcase_add_test (tc, test_output_too_large);
  tcase_add_loop_test (tc, test_frame_too_wide, 0, 2);
  tcase_add_test (tc, test_caps_without_format);
  tcase_add_test (tc, test_caps_too_wide);
  tcase_add_test (tc, test_format_refused);
  tcase_add_test (tc, test_changed_meta);
  tcase_add_test (tc, test_changed_meta_of_copy);
  tcase_add_test (tc, test_scale_space_too_large);
  tcase_add_test (tc, test_level_refused);
  tcase_add_test (tc, test_uncountable);
}

int
main (int argc, char **argv)
{
  /* Limits PoCL's memory, in GiB; a quarter of it is the largest allocation. */
  g_setenv ("POCL_MEMORY_LIMIT", "1", TRUE);
  gst_check_init (&argc, &argv);
  return gst_check_run_suite (mgpuerrors_suite (), "mgpuerrors", __FILE__);
}
