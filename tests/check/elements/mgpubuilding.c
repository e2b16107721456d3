/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the progress messages that an element posts while it builds kernels. */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

#include "../builds.h"
#include "../folder.h"
#include "../harness.h"
#include "../launches.h"

#define DATA "/usr/share/doc/opencv-doc/examples/data/"
#define BOX DATA "box.png"
#define LENS DATA "left_intrinsics.yml"

/* Names of the kernels that were launched, or NULL; launches_lock guards it. */
static GHashTable *launched;
static GMutex launches_lock;

static cl_int
on_launch (cl_kernel kernel, cl_uint n_dims, const size_t *global)
{
  gchar name[100];

  launch_get_name (kernel, name);
  g_mutex_lock (&launches_lock);
  if (launched != NULL)
    g_hash_table_add (launched, g_strdup (name));
  g_mutex_unlock (&launches_lock);
  return CL_SUCCESS;
}

static void
setup (void)
{
  folder_make ();
  g_setenv ("GST_MGPU_CACHE_DIR", folder, TRUE);
}

/* Takes the PROGRESS messages of @element from the bus, up to the COMPLETE message that follows a
 * START or CONTINUE message. Returns: (transfer full): "TYPE TEXT" for each, in order */
static GPtrArray *
read_progress (GstBus * bus, const gchar * element, const gchar * wanted_code)
{
  GPtrArray *lines = g_ptr_array_new_with_free_func (g_free);
  GstMessage *message;
  gboolean is_over = FALSE;

  while (!is_over && (message = gst_bus_pop_filtered (bus,
              GST_MESSAGE_PROGRESS)) != NULL) {
    GstProgressType type;
    gchar *code, *text;

    gst_message_parse_progress (message, &type, &code, &text);
    if (g_str_equal (GST_OBJECT_NAME (GST_MESSAGE_SRC (message)), element)) {
      fail_unless_equals_string (code, wanted_code);
      g_ptr_array_add (lines, g_strdup_printf ("%d %s", type, text));
      is_over = type == GST_PROGRESS_TYPE_COMPLETE;
    } else {
      fail_unless (lines->len == 0, "%s posts between messages of %s",
          GST_OBJECT_NAME (GST_MESSAGE_SRC (message)), element);
    }
    g_free (code);
    g_free (text);
    gst_message_unref (message);
  }
  return lines;
}

/* Fails unless @element counts its programs from 0 to the total, one by one. Returns: the total */
static guint
expect_count (GstBus * bus, const gchar * element)
{
  g_autoptr (GPtrArray) lines = read_progress (bus, element, "mgpu-build");
  guint total = 0;

  fail_unless (lines->len >= 3, "%u messages of %s", lines->len, element);
  for (guint i = 0; i + 1 < lines->len; i++) {
    guint type, built, n;

    fail_unless (sscanf (lines->pdata[i], "%u %*s %u of %u kernel programs",
            &type, &built, &n) == 3, "%s", (gchar *) lines->pdata[i]);
    fail_unless_equals_int (type,
        i == 0 ? GST_PROGRESS_TYPE_START : GST_PROGRESS_TYPE_CONTINUE);
    fail_unless_equals_int (built, i);
    fail_unless (i == 0 || n == total, "%u after %u", n, total);
    total = n;
  }
  fail_unless_equals_int (lines->len, total + 2);
  return total;
}

/* Fails unless the messages of @element report that a frame launches at least @n new kernels.
 * @first: the type of the first such message, which is CONTINUE if another message about this frame
 * comes before */
static void
expect_launches (GstBus * bus, const gchar * element, GstProgressType first,
    guint n)
{
  g_autoptr (GPtrArray) lines =
      read_progress (bus, element, "mgpu-first-frame");
  guint begin = first == GST_PROGRESS_TYPE_CONTINUE;

  fail_unless (lines->len >= begin + n + 1, "%u messages of %s", lines->len,
      element);
  for (guint i = begin; i + 1 < lines->len; i++) {
    const gchar *line = lines->pdata[i];

    fail_unless_equals_int (atoi (line),
        i == 0 ? GST_PROGRESS_TYPE_START : GST_PROGRESS_TYPE_CONTINUE);
    fail_unless (strstr (line, "first launch of the kernel ") != NULL, "%s",
        line);
    for (guint j = begin; j < i; j++)
      fail_if (g_str_equal (line, lines->pdata[j]), "%s twice", line);
  }
}

static GstBus *
preroll (const gchar * launch, GstElement ** pipeline)
{
  *pipeline = gst_parse_launch (launch, NULL);
  fail_unless (*pipeline != NULL);
  gst_element_set_state (*pipeline, GST_STATE_PAUSED);
  fail_unless_equals_int (gst_element_get_state (*pipeline, NULL, NULL,
          GST_CLOCK_TIME_NONE), GST_STATE_CHANGE_SUCCESS);
  return gst_element_get_bus (*pipeline);
}

static void
stop (GstElement * pipeline, GstBus * bus)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

/* Tests that with an empty cache there are messages that count the programs of each element, and
 * messages about the kernels of the first frame, and that with a full cache there are none. All
 * messages arrive before the pipeline has prerolled, that is, before the first frame is pushed. */
GST_START_TEST (test_progress)
{
  const gchar *launch = "videotestsrc num-buffers=2 ! video/x-raw,format=GRAY8,"
      "width=64,height=48 ! mgpusift name=sift ! mgpuhisteq name=histeq ! fakesink";
  GstElement *pipeline;
  GstBus *bus = preroll (launch, &pipeline);

  /* Counts the programs of all kernel sets of mgpusift together. */
  fail_unless (expect_count (bus, "sift") > 2);
  fail_unless (expect_count (bus, "histeq") > 0);
  expect_launches (bus, "sift", GST_PROGRESS_TYPE_CONTINUE, 5);
  expect_launches (bus, "histeq", GST_PROGRESS_TYPE_CONTINUE, 2);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_PROGRESS) == NULL);
  stop (pipeline, bus);

  bus = preroll (launch, &pipeline);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_PROGRESS) == NULL);
  stop (pipeline, bus);
}

GST_END_TEST;

/* Tests that the programs of a user's kernels count together with the element's own. If the format
 * changes, the kernels are built again as another program. */
GST_START_TEST (test_user_kernels)
{
  g_autoptr (GstElement) element = gst_element_factory_make ("mgpukernel",
      "kernel");
  g_autoptr (GstHarness) h = NULL;
  GstBus *bus;

  g_object_set (element, "source", __i__ == 0
      ? "PIXEL (a) { return LOAD (x, y); }\n"
      : "//! output GRAY8\n//! pass a b\nPIXEL (a) { return LOAD (x, y); }\n"
      "PIXEL (b) { return LOAD (x, y); }\n", NULL);
  h = gst_harness_new_with_element (element, "sink", "src");
  bus = harness_bus (h);
  gst_harness_set_src_caps_str (h,
      "video/x-raw,format=RGB,width=64,height=48,framerate=25/1");
  gst_harness_push (h, gst_harness_create_buffer (h, 64 * 48 * 3));
  gst_buffer_unref (harness_pull (h));
  fail_unless_equals_int (expect_count (bus, "kernel"), 2 + __i__);
}

GST_END_TEST;

/* Tests that programs that the first frame needs because of its mask are counted together with the
 * others. */
GST_START_TEST (test_mask)
{
  g_autoptr (GstHarness) h = gst_harness_new_parse ("mgpuinpaint name=inpaint "
      "mode=video rectangle=20,10,20,20");
  GstBus *bus = harness_bus (h);
  const gchar *caps =
      "video/x-raw,format=GRAY8,width=64,height=48,framerate=25/1";

  gst_harness_set_caps_str (h, caps, caps);
  for (guint i = 0; i < 2; i++)
    gst_harness_push (h, gst_harness_create_buffer (h, 64 * 48));
  expect_count (bus, "inpaint");
  g_ptr_array_unref (read_progress (bus, "inpaint", "mgpu-first-frame"));
}

GST_END_TEST;

/* Tests that an element that compares frames launches most of its kernels for the second frame. */
GST_START_TEST (test_second_frame)
{
  g_autoptr (GstHarness) h = gst_harness_new_parse ("mgpuflow name=flow");
  GstBus *bus = harness_bus (h);
  const gchar *caps =
      "video/x-raw,format=GRAY8,width=64,height=48,framerate=25/1";

  gst_harness_set_caps_str (h, caps, caps);
  for (guint i = 0; i < 4; i++) {
    gst_harness_push (h, gst_harness_create_buffer (h, 64 * 48));
    gst_buffer_unref (harness_pull (h));
    if (i == 0)
      expect_count (bus, "flow");
    if (i < 2)
      expect_launches (bus, "flow", i == 0 ? GST_PROGRESS_TYPE_CONTINUE
          : GST_PROGRESS_TYPE_START, 1 + 2 * i);
    fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_PROGRESS) == NULL);
  }
}

GST_END_TEST;

/* Takes the PROGRESS messages from the bus. Fails unless the messages of each code begin with START
 * and end with COMPLETE. Returns: the number of such pairs */
static guint
expect_pairs (GstBus * bus)
{
  gchar *open[2] = { NULL, NULL };
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_PROGRESS)) != NULL) {
    GstProgressType type;
    gchar *code, **is_open;

    gst_message_parse_progress (message, &type, &code, NULL);
    is_open = &open[g_str_equal (code, "mgpu-build")];
    fail_unless ((*is_open == NULL) == (type == GST_PROGRESS_TYPE_START),
        "%s: type %d", code, type);
    if (type == GST_PROGRESS_TYPE_COMPLETE)
      g_clear_pointer (is_open, g_free);
    else if (*is_open == NULL)
      *is_open = g_strdup (code);
    g_free (code);
    gst_message_unref (message);
    n++;
  }
  fail_unless (open[0] == NULL && open[1] == NULL);
  return n;
}

/* Tests that kernels that a changed property requires are built when the next frame arrives. */
GST_START_TEST (test_later)
{
  g_autoptr (GstHarness) h = gst_harness_new_parse ("mgpuintegral name=f");
  GstBus *bus = harness_bus (h);
  const gchar *caps =
      "video/x-raw,format=GRAY8,width=64,height=48,framerate=25/1";

  gst_harness_set_caps_str (h, caps, caps);
  for (guint i = 0; i < 3; i++) {
    gst_harness_push (h, gst_harness_create_buffer (h, 64 * 48));
    gst_buffer_unref (harness_pull (h));
    fail_unless ((expect_pairs (bus) > 0) == (i < 2), "frame %u", i);
    gst_harness_set (h, "mgpuintegral", "box-radius", 3, NULL);
  }
}

GST_END_TEST;

/* Lists an element of each kind, and two elements in a row of which the second launches more
 * kernels after the first. Each element has launched all its kernels after a few frames. */
static const gchar *const lines[] = {
  "mgpupyramid", "mgpubilateral", "mgpubilateral method=grid",
  "mgpublur method=pixelate rectangle=8,8,20,20",
  "mgpuconvert ! capsfilter caps=video/x-raw,format=NV12,width=100",
  "mgpudenoise motion=flow", "mgpuflow tracks=8 ! mgpuoverlay",
  "mgpuhisteq method=clahe", "mgpuhog",
  "mgpuinpaint rectangle=20,10,20,20 mode=temporal background=true",
  "mgpuinpaint rectangle=20,10,20,20 mode=video look-ahead=1",
  "mgpuintegral box-radius=3", "mgpulocalcontrast",
  "mgpusift ! mgpumatch pictures=" BOX, "mgpumotion ! mgpuoverlay draw=motion",
  "mgpuremap corners=0,0,1,0,1,1,0,1",
  "mgpuremap location=" LENS " interpolation=lanczos samples=4",
  "mgpusharpen", "mgpustabilize mode=tripod", "mgputags"
};

/* Pushes frames in which a lighter band moves. */
static void
push_frames (GstHarness * h)
{
  gst_harness_set_src_caps_str (h,
      "video/x-raw,format=I420,width=192,height=144,framerate=25/1");
  for (guint i = 0; i < 4; i++) {
    GstBuffer *buffer = gst_harness_create_buffer (h, 192 * 144 * 3 / 2);

    gst_buffer_memset (buffer, 0, 90, 192 * 144 * 3 / 2);
    gst_buffer_memset (buffer, 5000 + 600 * i, 200 - 30 * i, 4000);
    GST_BUFFER_PTS (buffer) = i * GST_SECOND / 25;
    fail_unless_equals_int (gst_harness_push (h, buffer), GST_FLOW_OK);
  }
  fail_unless (gst_harness_push_event (h, gst_event_new_eos ()));
}

/* Takes the PROGRESS messages from the bus, and adds the kernels that they name to @told. Fails if
 * an element starts building more than once. Returns: the number of programs that were built */
static guint
read_all (GstBus * bus, GHashTable * told)
{
  static const gchar launch[] = "first launch of the kernel ";
  g_autoptr (GHashTable) builders = g_hash_table_new (NULL, NULL);
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_PROGRESS)) != NULL) {
    GstProgressType type;
    gchar *code, *text, *begin;

    gst_message_parse_progress (message, &type, &code, &text);
    begin = strstr (text, launch);
    if (begin != NULL) {
      begin += strlen (launch);
      g_hash_table_add (told, g_strndup (begin, strcspn (begin, ",;")));
    }
    if (g_str_equal (code, "mgpu-build")) {
      n += type == GST_PROGRESS_TYPE_CONTINUE;
      fail_if (type == GST_PROGRESS_TYPE_START
          && !g_hash_table_add (builders, GST_MESSAGE_SRC (message)),
          "%s: it counts programs again", text);
    }
    g_free (code);
    g_free (text);
    gst_message_unref (message);
  }
  return n;
}

/* Tests that the messages count all programs that are built for an element, with one total for each
 * element, and name all kernels that are launched for it. */
GST_START_TEST (test_all_elements)
{
  g_autoptr (GHashTable) told =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  /* Requests a pad of mgpupyramid, the first element, which has no source pad otherwise. */
  g_autoptr (GstHarness) h = __i__ == 0
      ? gst_harness_new_with_padnames (lines[0], "sink", "src_1")
      : gst_harness_new_parse (lines[__i__]);
  GstBus *bus = harness_bus (h);
  GHashTableIter iter;
  gpointer name;

  launched = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  n_builds = 0;
  push_frames (h);
  fail_unless (n_builds > 0);
  fail_unless_equals_int (read_all (bus, told), n_builds);
  g_hash_table_iter_init (&iter, launched);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    fail_unless (g_hash_table_contains (told, name),
        "%s: no message names %s", lines[__i__], (gchar *) name);
  g_clear_pointer (&launched, g_hash_table_unref);
}

GST_END_TEST;

CHECK_TESTS (mgpubuilding)
{
  tcase_add_checked_fixture (tc, setup, folder_remove);
  tcase_add_test (tc, test_progress);
  tcase_add_loop_test (tc, test_user_kernels, 0, 2);
  tcase_add_test (tc, test_mask);
  tcase_add_test (tc, test_second_frame);
  tcase_add_test (tc, test_later);
  tcase_add_loop_test (tc, test_all_elements, 0, G_N_ELEMENTS (lines));
}
