/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpuinpaint on single frames: masks from all sources, methods, progress and errors. */
#include "../folder.h"
#include "../notrun.h"
#include "exif.h"
#include "inpaint.h"

#include <sys/stat.h>

/* Writes @size bytes into a new mask file. Returns: its path */
static gchar *
write_mask (const gchar * name, const gchar * bytes, gssize size)
{
  gchar *path = g_build_filename (folder, name, NULL);

  fail_unless (g_file_set_contents (path, bytes, size, NULL));
  return path;
}

static gchar *
write_gray (const gchar * name, gint width, gint height, const guint8 * mask)
{
  gchar *path = g_build_filename (folder, name, NULL);

  write_png (path, width, height, mask);
  return path;
}

/* Returns whether gdk-pixbuf can read PGM and PPM files on this machine. If not, prints a line. */
static gboolean
can_read_pgm (void)
{
  GSList *formats = gdk_pixbuf_get_formats ();
  gboolean can = FALSE;

  for (GSList * l = formats; l != NULL; l = l->next) {
    g_autofree gchar *name = gdk_pixbuf_format_get_name (l->data);

    can |= g_str_equal (name, "pnm");
  }
  g_slist_free (formats);
  if (!can)
    not_run ("gdk-pixbuf reads no PGM files here");
  return can;
}

/* Returns: the path of a new PGM file with the mask */
static gchar *
write_pgm (const gchar * name, gint width, gint height, const guint8 * mask)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gchar *path;

  g_string_printf (text, "P5\n%d %d\n255\n", width, height);
  g_string_append_len (text, (const gchar *) mask, (gssize) width * height);
  path = write_mask (name, text->str, text->len);
  return path;
}

/* Returns the path of a named pipe that nobody writes to. */
static gchar *
make_pipe (const gchar * name)
{
  gchar *path = g_build_filename (folder, name, NULL);

  fail_unless_equals_int (mkfifo (path, 0600), 0);
  return path;
}

/* ---- Correct results ------------------------------------------------------- */

GST_START_TEST (test_formats)
{
  Removal r = { 5, 0, 1.0, 9, 6, 8, 7, NULL, NULL, FALSE };

  check_reference ("mgpuinpaint " PLAIN "patch-size=5 rectangle=9,6,8,7",
      all_formats[__i__], 30, 21, inpaint_reference, &r);
}

GST_END_TEST;

/* Tests holes at every border, holes of one pixel, and holes larger than the rest of the frame. */
GST_START_TEST (test_holes)
{
  static const struct
  {
    const gchar *launch;
    Removal removal;
  } holes[] = {
    {"mgpuinpaint " PLAIN "patch-size=4 rectangle=0,0,6,5",
        {5, 0, 1, 0, 0, 6, 5, NULL, NULL, FALSE}},
    {"mgpuinpaint " PLAIN "patch-size=3 rectangle=-4,10,99,3",
        {3, 0, 1, -4, 10, 99, 3, NULL, NULL, FALSE}},
    {"mgpuinpaint " PLAIN "rectangle=39,29,1,1",
        {9, 0, 1, 39, 29, 1, 1, NULL, NULL, FALSE}},
    {"mgpuinpaint " PLAIN "rectangle=20,15,1,1 search-factor=0",
        {9, 0, 0, 20, 15, 1, 1, NULL, NULL, FALSE}},
    {"mgpuinpaint " PLAIN "rectangle=20,15,2,2 mask-dilate=3 search-factor=-1",
        {9, 3, -1, 20, 15, 2, 2, NULL, NULL, FALSE}},
    {"mgpuinpaint " PLAIN "patch-size=33 rectangle=4,4,9,9",
        {33, 0, 1, 4, 4, 9, 9, NULL, NULL, FALSE}},
    {"mgpuinpaint " PLAIN "patch-size=3 rectangle=1,0,999,30",
        {3, 0, 1, 1, 0, 999, 30, NULL, NULL, FALSE}},
    {"mgpuinpaint " PLAIN "rectangle=100,100,5,5",
        {9, 0, 1, 100, 100, 5, 5, NULL, NULL, FALSE}}
  };

  check_reference (holes[__i__].launch, GST_VIDEO_FORMAT_I420, 40, 30,
      inpaint_reference, &holes[__i__].removal);
}

GST_END_TEST;

/* Tests that pixels outside of the hole do not change, byte for byte, and that the object is
 * removed. */
GST_START_TEST (test_object_is_gone)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 64, 48);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpuinpaint " PLAIN "patch-size=7 rectangle=25,15,14,18",
      caps, caps);
  g_autoptr (GstBuffer) out = NULL, clean = NULL;
  GstBuffer *in = frame_new (&info, LAYOUT_DEFAULT, 1);
  GstVideoFrame a, b;

  /* Checks that the stripes continue in the area of the removed object. */
  fail_unless (gst_video_frame_map (&a, &info, in, GST_MAP_WRITE));
  FOR_EACH_SAMPLE (&a, c, x, y, p, mask, p[0] = mask & ((x + y) % 8 < 4 ? 40
          : 200);
      );
  gst_video_frame_unmap (&a);
  clean = gst_buffer_copy_deep (in);
  fail_unless (gst_video_frame_map (&b, &info, in, GST_MAP_WRITE));
  for (gint y = 15; y < 33; y++)
    memset (comp_data (&b, 0) + y * 64 + 25, 120, 14);
  gst_video_frame_unmap (&b);
  out = harness_push_pull (h, in);
  fail_unless_same_frame (&info, out, clean);
}

GST_END_TEST;

/* ---- Masks ------------------------------------------------------------------ */

/* Tests gray and colored mask files, and both kinds of masks together; specks below the threshold
 * do not count. */
GST_START_TEST (test_files)
{
  const gchar *caps = HOST_CAPS ("RGB", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  g_autofree guint8 *mask = rectangle_mask (40, 30, 10, 8, 9, 7);
  g_autofree guint8 *forbidden = rectangle_mask (40, 30, 0, 0, 20, 30), *set = NULL;
  gchar *path, *source;
  Removal r = { 5, 0, -1, 0, 0, 0, 0, mask, NULL, FALSE };
  g_autoptr (GString) colours = NULL;
  g_autoptr (GstHarness) h = NULL;

  if (!can_read_pgm ())
    return;
  colours = g_string_new ("P6\n40 30\n255\n");
  mask[3] = 127;
  path = write_pgm ("mask.pgm", 40, 30, mask);
  source = write_gray ("source.png", 40, 30, forbidden);
  h = harness_with_mask ("mgpuinpaint " PLAIN "patch-size=5 search-factor=-1 name=f "
      "mask-location=%s", path, caps);
  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 1), &r);

  /* Changes the masks in PLAYING: patches may not be copied from the left half, and more pixels are
   * removed. */
  set = g_memdup2 (forbidden, 40 * 30);
  r.forbidden = set;
  gst_harness_set (h, "mgpuinpaint", "source-mask-location", source, NULL);
  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 2), &r);
  gst_harness_set (h, "mgpuinpaint", "rectangle", "30,0,4,6", NULL);
  for (gint y = 0; y < 6; y++)
    memset (mask + y * 40 + 30, 255, 4);
  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 3), &r);

  /* Uses a colored file that gives the same mask, because green counts as bright and blue does
   * not. */
  for (guint i = 0; i < 40 * 30; i++)
    g_string_append_len (colours, mask[i] == 255 ? "\0\377\377" : "\0\0\377", 3);
  g_free (path);
  path = write_mask ("colours.ppm", colours->str, colours->len);
  gst_harness_set (h, "mgpuinpaint", "mask-location", path, "rectangle", "",
      NULL);
  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 4), &r);
  gst_harness_set (h, "mgpuinpaint", "source-mask-location", "", NULL);
  r.forbidden = NULL;
  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 5), &r);

  g_free (path);
  g_free (source);
}

GST_END_TEST;

GST_START_TEST (test_scaled_file)
{
  const gchar *caps = HOST_CAPS ("NV12", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  g_autofree guint8 *mask = rectangle_mask (20, 15, 5, 4, 5, 3);
  g_autofree gchar *path = write_gray ("half.png", 20, 15, mask);
  Removal r = { 5, 0, 1, 10, 8, 10, 6, NULL, NULL, FALSE };
  g_autoptr (GstHarness) h = harness_with_mask ("mgpuinpaint " PLAIN "patch-size=5 scale-mask=true "
      "mask-location=%s", path, caps);

  push_and_compare (h, &info, frame_new (&info, LAYOUT_PADDED, 1), &r);
}

GST_END_TEST;

/* Tests that a mask photographed with an upright camera has the size of the frame after the
 * rotation that its EXIF tag requires. */
GST_START_TEST (test_turned_file)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  g_autofree guint8 *mask = rectangle_mask (40, 30, 8, 8, 8, 8);
  g_autofree gchar *upright = write_gray ("upright.png", 40, 30, mask);
  g_autofree gchar *path = g_build_filename (folder, "turned.jpg", NULL);
  g_autoptr (GdkPixbuf) picture = gdk_pixbuf_new_from_file (upright, NULL);
  Removal r = { 5, 0, 1, 8, 8, 8, 8, NULL, NULL, FALSE };
  g_autoptr (GstHarness) h = NULL;

  write_turned (picture, path);
  h = harness_with_mask ("mgpuinpaint " PLAIN "patch-size=5 mask-location=%s",
      path, caps);
  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 1), &r);
}

GST_END_TEST;

/* Tests that a mask file is read only once, whatever other properties change. */
GST_START_TEST (test_file_is_gone)
{
  const gchar *caps = HOST_CAPS ("GRAY8", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  g_autofree guint8 *mask = rectangle_mask (40, 30, 10, 8, 5, 4);
  g_autofree gchar *path = write_gray ("gone.png", 40, 30, mask);
  Removal r = { 5, 0, 1, 10, 8, 5, 4, NULL, NULL, FALSE };
  g_autoptr (GstHarness) h = harness_with_mask ("mgpuinpaint " PLAIN "patch-size=5 "
      "mask-location=%s", path, caps);

  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 1), &r);
  fail_unless_equals_int (g_unlink (path), 0);
  gst_harness_set (h, "mgpuinpaint", "patch-size", 3, "rectangle", "15,8,3,4",
      NULL);
  r.patch_size = 3;
  r.width = 8;
  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 2), &r);
  gst_harness_set (h, "mgpuinpaint", "mask-dilate", 2, NULL);
  r.dilate = 2;
  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 3), &r);
}

GST_END_TEST;

/* Tests regions of interest that appear, move, have another type or lie outside of the frame, and
 * disappear. */
GST_START_TEST (test_regions)
{
  const gchar *caps = HOST_CAPS ("I420", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  Removal r = { 5, 0, 1, 8, 9, 10, 6, NULL, NULL, FALSE };
  Removal moved = { 5, 0, 1, 36, 25, 100, 100, NULL, NULL, FALSE };
  Removal nothing = { 5, 0, 1, 0, 0, 0, 0, NULL, NULL, FALSE };
  Removal corner = { 5, 0, 1, 0, 0, 6, 5, NULL, NULL, FALSE };
  g_autoptr (GstHarness) h = harness_new ("mgpuinpaint " PLAIN "patch-size=5 mask-source=roi "
      "roi-type=person name=f", caps, caps);
  GstBuffer *in[5];

  for (guint i = 0; i < G_N_ELEMENTS (in); i++)
    in[i] = frame_new (&info, LAYOUT_DEFAULT, i);
  gst_buffer_add_video_region_of_interest_meta (in[1], "person", 8, 9, 10, 6);
  gst_buffer_add_video_region_of_interest_meta (in[1], "car", 20, 20, 5, 5);
  gst_buffer_add_video_region_of_interest_meta (in[1], "person", 99, 9, 10, 6);
  gst_buffer_add_video_region_of_interest_meta (in[2], "person", 36, 25,
      G_MAXUINT, 100);
  /* Adds a region that begins outside of the frame, and a region without a type, which matches no
   * type. */
  gst_buffer_add_video_region_of_interest_meta (in[4], "person", -4, -3, 10, 8);
  gst_buffer_add_video_region_of_interest_meta_id (in[4], 0, 20, 20, 9, 9);
  moved.width = 4;
  push_and_compare (h, &info, in[0], &nothing);
  push_and_compare (h, &info, in[1], &r);
  push_and_compare (h, &info, in[2], &moved);
  push_and_compare (h, &info, in[3], &nothing);
  push_and_compare (h, &info, in[4], &corner);
  fail_unless_equals_uint64 (harness_stat (h, "frames"), 5);
}

GST_END_TEST;

/* Tests that setting roi-type without mask-source implies mask-source=roi, until roi-type is unset
 * again. A mask-source that the application sets stays. */
GST_START_TEST (test_roi_type_alone)
{
  const gchar *caps = HOST_CAPS ("I420", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  Removal region = { 5, 0, 1, 8, 9, 10, 6, NULL, NULL, FALSE };
  Removal rectangle = { 5, 0, 1, 20, 12, 5, 7, NULL, NULL, FALSE };
  const gchar *sources[] = { "", "mask-source=property ", "" };
  const gchar *last[] = { "", "", " mask-source=property" };

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++) {
    g_autofree gchar *launch = g_strdup_printf ("mgpuinpaint " PLAIN "patch-size=5 name=f "
        "%srectangle=20,12,5,7 roi-type=person%s", sources[i], last[i]);
    g_autoptr (GstHarness) h = harness_new (launch, caps, caps);

    for (guint frame = 0; frame < 3; frame++) {
      GstBuffer *in = frame_new (&info, LAYOUT_DEFAULT, frame);

      if (frame == 1)
        gst_harness_set (h, "mgpuinpaint", "roi-type", NULL, NULL);
      if (frame == 2)
        gst_harness_set (h, "mgpuinpaint", "roi-type", "person", NULL);
      gst_buffer_add_video_region_of_interest_meta (in, "person", 8, 9, 10, 6);
      gst_buffer_add_video_region_of_interest_meta (in, "car", 30, 2, 5, 5);
      push_and_compare (h, &info, in, i == 0 && frame != 1 ? &region
          : &rectangle);
    }
  }
}

GST_END_TEST;

/* Tests that transparent pixels are filled, and are opaque afterwards. */
GST_START_TEST (test_alpha)
{
  const gchar *caps = HOST_CAPS ("BGRA", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  g_autofree guint8 *mask = g_malloc0 (40 * 30);
  Removal r = { 5, 0, 1, 0, 0, 0, 0, mask, NULL, FALSE };
  g_autoptr (GstHarness) h = harness_new ("mgpuinpaint " PLAIN "patch-size=5 mask-source=alpha",
      caps, caps);
  GstBuffer *in = frame_new (&info, LAYOUT_PADDED, 1);
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, &info, in, GST_MAP_WRITE));
  for (gint y = 0; y < 30; y++) {
    for (gint x = 0; x < 40; x++) {
      gboolean is_hole = x >= 12 && x < 20 && y >= 10 && y < 17;

      comp_data (&frame, 3)[y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 3)
          + 4 * x] = is_hole ? 127 : 128;
      mask[y * 40 + x] = is_hole ? 255 : 0;
    }
  }
  gst_video_frame_unmap (&frame);
  push_and_compare (h, &info, in, &r);
}

GST_END_TEST;

/* Tests that rows whose strides lead far beyond the frame's bytes are not read. */
GST_START_TEST (test_alpha_outside)
{
  const gchar *caps = HOST_CAPS ("BGRA", 40, 30);
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 100000000 };
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpuinpaint " PLAIN
      "name=f mask-source=alpha", caps, caps);
  GstBus *bus = harness_bus (h);
  GstBuffer *in = frame_new (&info, LAYOUT_DEFAULT, 1);

  gst_buffer_add_video_meta_full (in, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_BGRA, 40, 30, 1, offset, stride);
  fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_ERROR);
  check_error (bus, "does not hold the frame of 40x30 BGRA",
      "look at the element before this one");
}

GST_END_TEST;

/* Tests that frames pass unchanged, without a copy, if there is no mask. */
GST_START_TEST (test_passes)
{
  const gchar *caps = HOST_CAPS ("NV12", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpuinpaint", caps, caps);
  g_autoptr (GstBuffer) in = frame_new (&info, LAYOUT_DEFAULT, 1);
  g_autoptr (GstBuffer) out = harness_push_pull (h, gst_buffer_ref (in));

  fail_unless (out == in);
}

GST_END_TEST;

/* ---- Bad input ---------------------------------------------------------------- */

/* Tests that each invalid mask causes one error message for its frame, and that the next frame is
 * processed. */
GST_START_TEST (test_bad_masks)
{
  const gchar *caps = HOST_CAPS ("NV12", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  g_autofree guint8 *mask = rectangle_mask (20, 15, 5, 4, 5, 3);
  g_autofree gchar *small = write_gray ("small.png", 20, 15, mask);
  g_autofree gchar *broken = write_mask ("broken.png", "\211PNG\r\n\032\n", 8);
  /* Header of a PNG file of 60000x60000 gray pixels */
  g_autofree gchar *bomb = write_mask ("bomb.png", "\211PNG\r\n\032\n\0\0\0\rIHDR"
      "\0\0\352\140\0\0\352\140\010\0\0\0\0\245\271\052\236\0\0\0\1IDAT",
      41);
  g_autofree gchar *pipe = make_pipe ("pipe.png");
  const struct
  {
    const gchar *property, *value, *word1, *word2;
  } cases[] = {
    {"mask-location", "/nonexistent/mask.png", "/nonexistent/mask.png",
        "\"mask-location\""},
    {"mask-location", broken, "cannot be read", "PNG, JPEG or PGM"},
    {"mask-location", pipe, "is a directory, a pipe", "\"mask-location\""},
    {"mask-location", folder, "is a directory", "\"mask-location\""},
    /* PNG files that are refused because of their header; they contain no pixels. */
    {"mask-location", bomb, "60000x60000", "\"scale-mask\""},
    {"mask-location", small, "20x15", "\"scale-mask\""},
    {"source-mask-location", small, "40x30", "\"source-mask-location\""},
    {"source-mask-location", "/nonexistent/mask.png", "cannot be read",
        "\"source-mask-location\""},
    {"rectangle", "10,20,30", "10,20,30", "x,y,width,height"},
    {"rectangle", "10,20,30,0", "has no pixels", "height above 0"},
    {"rectangle", "1,2,3,4,5", "not a rectangle", "x,y,width,height"},
    {"rectangle", "a", "not a rectangle", "x,y,width,height"},
    {"rectangle", "4294967306,2,3,4", "not a rectangle", "x,y,width,height"},
    {"rectangle", "1,2,99999999999999999999,4", "not a rectangle",
        "x,y,width,height"},
    {"rectangle", "1,2,3,4 ", "not a rectangle", "x,y,width,height"},
    {"rectangle", "1,2,3,4;", "\"\" is not a rectangle",
        "semicolons between rectangles"},
    {"polygon", "1,2,3,4,5", "not a polygon", "three corners"},
    {"polygon", "1,2,3,4,5,1e99", "not a polygon", "three corners"},
    {"mask-source", "alpha", "NV12", "format=RGBA"},
    {"mask-source", "pad", "no pad \"mask_sink\"", "GRAY8"}
  };
  g_autoptr (GstHarness) h = harness_new ("mgpuinpaint " PLAIN "name=f", caps, caps);
  GstBus *bus = harness_bus (h);
  g_autoptr (GstElement) f = harness_filter (h);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    gst_util_set_object_arg (G_OBJECT (f), cases[i].property, cases[i].value);
    fail_unless_equals_int (gst_harness_push (h, frame_new (&info,
                LAYOUT_DEFAULT, 1)), GST_FLOW_ERROR);
    check_error (bus, cases[i].word1, cases[i].word2);
    fail_unless (gst_harness_try_pull (h) == NULL);
    g_object_set (f, "mask-location", NULL, "source-mask-location", NULL,
        "rectangle", NULL, "polygon", NULL, "mask-source", 0, NULL);
    gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
                2)));
  }
  g_object_set (f, "scale-mask", TRUE, "mask-location", bomb, NULL);
  fail_unless_equals_int (gst_harness_push (h, frame_new (&info,
              LAYOUT_DEFAULT, 1)), GST_FLOW_ERROR);
  check_error (bus, "60000x60000", "too many to be scaled");
}

GST_END_TEST;

/* Tests that a mask of the whole frame, which leaves no pixels to fill it with, causes one warning,
 * and that the frames pass unchanged. */
GST_START_TEST (test_whole_frame)
{
  const gchar *caps = HOST_CAPS ("NV12", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new ("mgpuinpaint " PLAIN
      "name=f rectangle=0,0,40,30", caps, caps);
  GstBus *bus = harness_bus (h);

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) in = frame_new (&info, LAYOUT_DEFAULT, i);
    g_autoptr (GstBuffer) out = harness_push_pull (h, gst_buffer_ref (in));

    fail_unless_same_frame (&info, in, out);
    if (i == 0)
      check_warning (bus, "whole frame", "passes unchanged");
  }
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
}

GST_END_TEST;

GST_START_TEST (test_no_source)
{
  const gchar *caps = HOST_CAPS ("NV12", 40, 30);
  GstVideoInfo info = info_from_string (caps);
  Removal r = { 31, 0, 1, 9, 9, 12, 10, NULL, NULL, FALSE };
  g_autoptr (GstHarness) h = harness_new ("mgpuinpaint " PLAIN "name=f patch-size=31 "
      "rectangle=9,9,12,10", caps, caps);
  GstBus *bus = harness_bus (h);

  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 1), &r);
  check_warning (bus, "no patch of 31x31", "\"patch-size\"");
  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 2), &r);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
}

GST_END_TEST;

/* Tests the patch size of method=patchmatch: patches that are found all at once have 7x7 pixels, so
 * that patch-size=33, which is larger than the frame, neither prevents nor changes them. Patches
 * that are reused in later frames have patch-size pixels. */
GST_START_TEST (test_own_patch_size)
{
  const gchar *caps = HOST_CAPS ("NV12", 45, 32);
  GstVideoInfo info = info_from_string (caps);
  Removal r = { 7, 0, 1, 12, 9, 11, 12, NULL, NULL, SEAM | BLEND,
    REF_INPAINT_PATCHMATCH
  };
  g_autoptr (GstHarness) h = harness_new ("mgpuinpaint name=f patch-size=33 "
      "rectangle=12,9,11,12", caps, caps);
  GstBus *bus = harness_bus (h);

  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 1), &r);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
  gst_harness_set (h, "mgpuinpaint", "mode", 1, NULL);
  r.method = REF_INPAINT_EXEMPLAR;
  r.patch_size = 33;
  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 2), &r);
  check_warning (bus, "no patch of 33x33", "smaller \"patch-size\"");
  gst_harness_set (h, "mgpuinpaint", "patch-size", 5, NULL);
  r.patch_size = 5;
  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 3), &r);
  fail_if (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
}

GST_END_TEST;

/* ---- Progress ------------------------------------------------------------------- */

/* Fillings that take some time: one of many short steps, and one of few long steps */
static const gchar *const slow[][2] = {
  {"mgpuinpaint " PLAIN "name=f patch-size=15 search-factor=-1 rectangle=300,200,90,90",
      HOST_CAPS ("RGB", 640, 480)},
  {"mgpuinpaint name=f rectangle=60,60,400,400", HOST_CAPS ("RGB", 1280, 960)}
};

/* Tests that a frame that takes some time posts its progress, and posts once that it is
 * finished. */
GST_START_TEST (test_progress)
{
  const gchar *caps = slow[__i__][1];
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h = harness_new (slow[__i__][0], caps, caps);
  GstBus *bus = harness_bus (h);
  GstMessage *message;
  gint last = -1, n = 0, percent;
  gint64 start = g_get_monotonic_time (), duration;

  gst_buffer_unref (harness_push_pull (h, frame_new (&info, LAYOUT_DEFAULT,
              1)));
  duration = g_get_monotonic_time () - start;
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT)) != NULL) {
    const GstStructure *s = gst_message_get_structure (message);

    fail_unless (gst_structure_has_name (s, "mgpu-inpaint-progress"));
    fail_unless (gst_structure_get_int (s, "percent", &percent));
    fail_unless (percent >= last && percent <= 100);
    fail_unless (last < 100, "finished twice");
    last = percent;
    n++;
    gst_message_unref (message);
  }
  GST_INFO ("%d messages in %" G_GINT64_FORMAT " us", n, duration);
  /* Allows at most ten progress messages per second after the first 200 ms, and the last
   * message. */
  fail_unless (n <= (duration < 200 * 1000 ? 0
          : (duration - 200 * 1000) / (100 * 1000) + 2));
  if (duration > G_USEC_PER_SEC)
    fail_unless (n >= 2 && last == 100, "%d messages, %d %%", n, last);
}

GST_END_TEST;

/* ---- Interrupted frames ------------------------------------------------------- */

typedef struct
{
  GstHarness *h;
  GstBuffer *frame;
} Push;

static gpointer
push_frame (gpointer data)
{
  Push *push = data;

  return GINT_TO_POINTER (gst_harness_push (push->h, push->frame));
}

/* Starts a thread that pushes a frame that takes seconds, and returns once the element processes
 * it. */
static GThread *
start_long_frame (Push * push, const GstVideoInfo * info, GstBus * bus)
{
  GThread *thread;
  g_autoptr (GstMessage) message = NULL;

  push->frame = frame_new (info, LAYOUT_DEFAULT, 1);
  thread = g_thread_new ("push", push_frame, push);
  message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND,
      GST_MESSAGE_ELEMENT);
  fail_unless (message != NULL);
  return thread;
}

/* Checks that processing of the frame of @thread ended before the frame was complete, and that it
 * is not pushed. */
static void
check_stopped (GstHarness * h, GThread * thread, GstBus * bus)
{
  GstFlowReturn flow = GPOINTER_TO_INT (g_thread_join (thread));
  GstMessage *message;

  /* If another thread pushes frames later, this push only reports that the frame was accepted. */
  fail_unless (flow == GST_FLOW_FLUSHING
      || (flow == GST_FLOW_OK && !device_is_unified ()), "%s",
      gst_flow_get_name (flow));
  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT)) != NULL) {
    gint percent;

    fail_unless (gst_structure_get_int (gst_message_get_structure (message),
            "percent", &percent));
    fail_unless (percent < 100);
    gst_message_unref (message);
  }
  fail_unless (gst_harness_try_pull (h) == NULL);
}

/* Tests that a flush and a change of state interrupt a frame, with both methods for large holes.
 * After the flush the next frame is correct. */
GST_START_TEST (test_stopped)
{
  static const gchar *const methods[] = { "exemplar", "patchmatch" };
  const gchar *caps = HOST_CAPS ("RGB", 2560, 1920);
  GstVideoInfo info = info_from_string (caps);
  Removal r = { 17, 0, 0, 5, 5, 2, 2, NULL, NULL, FALSE };
  g_autoptr (GstHarness) h = harness_new ("mgpuinpaint " PLAIN "name=f patch-size=17 "
      "search-factor=-1 rectangle=100,80,2200,1600", caps, caps);
  GstBus *bus = harness_bus (h);
  g_autoptr (GstElement) element = harness_filter (h);
  Push push = { h, NULL };
  GstSegment segment;
  GThread *thread;

  gst_util_set_object_arg (G_OBJECT (element), "method", methods[__i__]);
  thread = start_long_frame (&push, &info, bus);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_start ()));
  check_stopped (h, thread, bus);
  fail_unless (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  fail_unless (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  g_object_set (element, "rectangle", "5,5,2,2", "search-factor", 0.0, NULL);
  gst_util_set_object_arg (G_OBJECT (element), "method", "exemplar");
  push_and_compare (h, &info, frame_new (&info, LAYOUT_DEFAULT, 2), &r);

  g_object_set (element, "rectangle", "100,80,2200,1600", "search-factor", -1.0,
      NULL);
  gst_util_set_object_arg (G_OBJECT (element), "method", methods[__i__]);
  gst_bus_set_flushing (bus, TRUE);
  gst_bus_set_flushing (bus, FALSE);
  thread = start_long_frame (&push, &info, bus);
  gst_element_set_state (h->element, GST_STATE_NULL);
  check_stopped (h, thread, bus);
}

GST_END_TEST;

CHECK_TESTS (mgpuinpaint)
{
  tcase_add_checked_fixture (tc, folder_make, folder_remove);
  tcase_add_loop_test (tc, test_formats, 0, N_ALL_FORMATS);
  tcase_add_loop_test (tc, test_holes, 0, 8);
  tcase_add_test (tc, test_object_is_gone);
  tcase_add_test (tc, test_files);
  tcase_add_test (tc, test_scaled_file);
  tcase_add_test (tc, test_turned_file);
  tcase_add_test (tc, test_file_is_gone);
  tcase_add_test (tc, test_regions);
  tcase_add_test (tc, test_roi_type_alone);
  tcase_add_test (tc, test_alpha);
  tcase_add_test (tc, test_alpha_outside);
  tcase_add_test (tc, test_passes);
  tcase_add_test (tc, test_bad_masks);
  tcase_add_test (tc, test_whole_frame);
  tcase_add_test (tc, test_no_source);
  tcase_add_test (tc, test_own_patch_size);
  tcase_add_loop_test (tc, test_progress, 0, G_N_ELEMENTS (slow));
  tcase_add_loop_test (tc, test_stopped, 0, 2);
}
