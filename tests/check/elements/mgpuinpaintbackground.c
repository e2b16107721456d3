/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests mgpuinpaint with a stored background. */
#include "inpaint.h"

#include "../../reference/inpaint-background.h"

/* ---- A camera that stands still ---------------------------------------------------- */

#define WIDTH 47
#define HEIGHT 35

/* Stores what the reference remembers of earlier frames. If @behind is NULL, it remembers
 * nothing. */
typedef struct
{
  RefInpaintBackground *behind;
  RefInpaintMemory memory;
  const guint8 *mask;
} Past;

/* Computes the expected output for a frame. */
static void
fill_behind (GstVideoFrame * in, GstVideoFrame * out, gconstpointer data)
{
  Past *past = (Past *) data;
  g_autofree guint8 *planned = g_malloc (WIDTH * HEIGHT);
  g_autofree guint8 *unknown = g_malloc (WIDTH * HEIGHT);
  RefInpaint params = { 5, 1, 0, planned,
    ref_inpaint_background_unsettled (past->behind), FALSE, FALSE,
    REF_INPAINT_EXEMPLAR, unknown, TRUE
  };
  gint n = GST_VIDEO_FRAME_N_COMPONENTS (in);
  gboolean is_rgb = GST_VIDEO_INFO_IS_RGB (&in->info);
  GstBuffer *buffers[2] = { frame_new (&in->info, LAYOUT_DEFAULT, 0),
    frame_new (&in->info, LAYOUT_DEFAULT, 0)
  };
  RefPlane from[4], to[4], plate[4], filled[4];
  GstVideoFrame frames[2];
  RefInpaintWay way;
  gboolean is_new;

  for (guint i = 0; i < 2; i++)
    fail_unless (gst_video_frame_map (&frames[i], &in->info, buffers[i],
            GST_MAP_WRITE));
  ref_planes (in, from);
  ref_planes (out, to);
  ref_planes (&frames[0], plate);
  ref_planes (&frames[1], filled);
  is_new = ref_inpaint_background (past->behind, from, plate, past->mask,
      params.patch_size, planned, unknown);
  past->memory.is_valid = past->memory.is_valid && !is_new;
  fail_unless (gst_video_frame_copy (&frames[1], &frames[0]));
  fail_unless (ref_inpaint_temporal (plate, filled, n, is_rgb, &params,
          &past->memory, &way));
  ref_inpaint_background_check (past->behind, &filled[0], is_new);
  ref_inpaint_background_show (past->behind, filled, to);
  for (guint i = 0; i < 2; i++) {
    gst_video_frame_unmap (&frames[i]);
    gst_buffer_unref (buffers[i]);
  }
}

/* Pushes a frame with a person at @x; if @x is negative, without a person. Fails unless the output
 * equals that of the reference. */
static void
check_frame (GstHarness * h, const GstVideoInfo * info, GstBuffer * in, gint x,
    Past * past)
{
  g_autofree guint8 *mask =
      rectangle_mask (WIDTH, HEIGHT, x, 10, x < 0 ? 0 : 8, 12);
  GstBuffer *copy = gst_buffer_copy_deep (in), *out;
  Removal r = { 5, 0, 1, 0, 0, 0, 0, mask, NULL, FALSE };

  if (x >= 0)
    gst_buffer_add_video_region_of_interest_meta (in, "person", x, 10, 8, 12);
  out = harness_push_pull (h, in);
  if (past->behind != NULL) {
    past->mask = mask;
    fail_unless_as_reference (info, copy, out, fill_behind, past);
  } else {
    fail_unless_as_reference (info, copy, out, inpaint_reference, &r);
  }
  gst_buffer_unref (copy);
  gst_buffer_unref (out);
}

static Past
past_new (const GstVideoInfo * info)
{
  const gsize n = WIDTH * HEIGHT;

  return (Past) {
    ref_inpaint_background_new (GST_VIDEO_INFO_N_COMPONENTS (info),
        GST_VIDEO_INFO_IS_RGB (info), WIDTH, HEIGHT), {
    g_new (gint32, n), g_new (gint32, n), g_new (gint32, n),
          g_new (guint32, n), 0, FALSE, 0}
  , NULL};
}

static void
past_free (Past * past)
{
  ref_inpaint_background_free (past->behind);
  g_free (past->memory.origin);
  g_free (past->memory.filler);
  g_free (past->memory.targets);
  g_free (past->memory.fits);
}

/* Tests a walking person, whose hidden background is known after some frames; then disabling and
 * enabling the element, a scene cut and a flush. */
GST_START_TEST (test_background)
{
  g_autofree gchar *caps = caps_string (several_formats[__i__], WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h =
      harness_new ("mgpuinpaint " PLAIN "patch-size=5 name=f "
      "mask-source=roi background=true", caps, caps);
  Past past = past_new (&info), none = {.behind = NULL };

#define FRAME(seed) frame_new (&info, LAYOUT_DEFAULT, seed)
  fail_unless (past.behind != NULL);
  for (gint i = 0; i < 9; i++)
    check_frame (h, &info, FRAME (1), 4 * i, &past);
  check_frame (h, &info, FRAME (1), -1, &past);
  check_frame (h, &info, FRAME (1), 9, &past);
  /* Cuts to another scene, whose background is not known. */
  check_frame (h, &info, FRAME (2), 9, &past);
  check_frame (h, &info, FRAME (2), 12, &past);

  gst_harness_set (h, "mgpuinpaint", "background", FALSE, NULL);
  check_frame (h, &info, FRAME (2), 12, &none);
  ref_inpaint_background_forget (past.behind);
  gst_harness_set (h, "mgpuinpaint", "background", TRUE, NULL);
  for (gint i = 0; i < 6; i++)
    check_frame (h, &info, FRAME (2), -1, &past);
  check_frame (h, &info, FRAME (2), 12, &past);

  flush (h);
  ref_inpaint_background_forget (past.behind);
  check_frame (h, &info, FRAME (2), 12, &past);
  past_free (&past);
}

GST_END_TEST;

/* Paints a box, clipped to the frame, white in the first component. */
static void
paint_white (GstBuffer * buffer, const GstVideoInfo * info, gint x, gint y,
    gint width, gint height)
{
  gint left = MAX (x, 0), end = MIN (x + width, info->width);
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (gint v = MAX (y, 0); v < MIN (y + height, info->height) && left < end;
      v++)
    memset (comp_data (&frame, 0) + v * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0)
        + left, 255, end - left);
  gst_video_frame_unmap (&frame);
}

/* Draws a texture, and a white bar that begins at column @bar. */
static void
paint_bar (GstBuffer * buffer, const GstVideoInfo * info, gint bar)
{
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (gint y = 0; y < GST_VIDEO_FRAME_HEIGHT (&frame); y++) {
    guint8 *row = (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0)
        + y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);

    for (gint x = 0; x < GST_VIDEO_FRAME_WIDTH (&frame); x++)
      row[x] = 60 + (x * x + 7 * y * y) % 41;
  }
  gst_video_frame_unmap (&frame);
  paint_white (buffer, info, bar, 0, 10, info->height);
}

/* Tests that objects that pass behind a hole whose background was never visible do not change the
 * filling. */
GST_START_TEST (test_passing)
{
  const gint x = 40, y = 20, width = 16, height = 24;
  const gchar *method = __i__ == 0 ? "exemplar" : "patchmatch";
  g_autofree gchar *caps = caps_string (GST_VIDEO_FORMAT_GRAY8, 96, 64);
  g_autofree gchar *launch =
      g_strdup_printf ("mgpuinpaint rectangle=%d,%d,%d,%d "
      "background=true method=%s", x, y, width, height, method);
  g_autoptr (GstHarness) h = harness_new (launch, caps, caps);
  GstVideoInfo info = info_from_string (caps);
  guint8 before[16 * 24], now[16 * 24];

  for (gint i = 0; i < 24; i++) {
    GstBuffer *in = frame_new (&info, LAYOUT_DEFAULT, 1), *out;
    GstVideoFrame frame;

    paint_bar (in, &info, 8 * (i - 6));
    out = harness_push_pull (h, in);
    fail_unless (gst_video_frame_map (&frame, &info, out, GST_MAP_READ));
    for (gint v = 0; v < height; v++)
      memcpy (now + v * width, comp_data (&frame, 0) + (y + v)
          * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0) + x, width);
    gst_video_frame_unmap (&frame);
    fail_unless (i == 0 || memcmp (now, before, sizeof (now)) == 0,
        "%s: frame %d differs", method, i);
    memcpy (before, now, sizeof (now));
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* Asserts that nothing white is visible in columns 40 to 55 of rows 20 to 43 of a frame. */
static void
check_hole (const GstVideoInfo * info, GstBuffer * out, gint number)
{
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, out, GST_MAP_READ));
  for (gint y = 20; y < 44; y++)
    for (gint x = 40; x < 56; x++)
      fail_unless (((guint8 *) comp_data (&frame, 0))[x + y
              * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0)] < 200,
          "something white at %d,%d of frame %d", x, y, number);
  gst_video_frame_unmap (&frame);
}

/* Tests that two objects never appear in the hole: one that leaves a position whose background was
 * never visible, and one that stops next to that position for longer than the background was
 * visible there. */
GST_START_TEST (test_beside)
{
  const gchar *method = __i__ == 0 ? "exemplar" : "patchmatch";
  g_autofree gchar *caps = caps_string (GST_VIDEO_FORMAT_GRAY8, 96, 64);
  g_autofree gchar *launch =
      g_strdup_printf ("mgpuinpaint rectangle=40,20,16,24 "
      "background=true method=%s", method);
  g_autoptr (GstHarness) h = harness_new (launch, caps, caps);
  GstVideoInfo info = info_from_string (caps);

  for (gint i = 0; i < 94; i++) {
    GstBuffer *in = frame_new (&info, LAYOUT_DEFAULT, 1), *out;

    paint_bar (in, &info, i < 40 ? 56 + i : 57);
    out = harness_push_pull (h, in);
    if (i > 8)
      check_hole (&info, out, i);
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* Tests that a hole that grows until only narrow strips of the frame are left on its sides is still
 * filled with patches, while the light of the whole frame varies. */
GST_START_TEST (test_flicker)
{
  g_autofree gchar *caps = caps_string (GST_VIDEO_FORMAT_GRAY8, 48, 24);
  g_autoptr (GstHarness) h =
      harness_new ("mgpuinpaint name=f rectangle=12,0,24,24 "
      "background=true", caps, caps);
  GstVideoInfo info = info_from_string (caps);

  for (gint i = 0; i < 12; i++) {
    GstBuffer *in = gst_buffer_new_allocate (NULL, 48 * 24, NULL), *out;
    gint left = i < 7 ? 12 : 9;
    GstMapInfo map;

    if (i == 7)
      gst_harness_set (h, "mgpuinpaint", "rectangle", "9,0,30,24", NULL);
    fail_unless (gst_buffer_map (in, &map, GST_MAP_WRITE));
    for (gint k = 0; k < 48 * 24; k++)
      map.data[k] = 90 + (k % 48 + k / 48) % 5 + (i % 2) * 24;
    gst_buffer_unmap (in, &map);
    paint_white (in, &info, left, 0, 48 - 2 * left, 24);
    out = harness_push_pull (h, in);
    fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
    for (gint k = 0; k < 48 * 24; k++)
      fail_unless (map.data[k] < 200, "something white at %d,%d of frame %d",
          k % 48, k / 48, i);
    gst_buffer_unmap (out, &map);
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* Tests that a removed object is not replaced by a person who stood at the object's position
 * before, for half of the time in which the position was visible. */
GST_START_TEST (test_pieces)
{
  g_autofree gchar *caps = caps_string (GST_VIDEO_FORMAT_GRAY8, 96, 64);
  g_autoptr (GstHarness) h =
      harness_new ("mgpuinpaint mask-source=roi background=true", caps, caps);
  GstVideoInfo info = info_from_string (caps);

  for (gint i = 0; i < 26; i++) {
    GstBuffer *in = frame_new (&info, LAYOUT_DEFAULT, 1), *out;

    paint_bar (in, &info, i < 10 ? 44 : 200);
    if (i >= 20)
      gst_buffer_add_video_region_of_interest_meta (in, "person", 38, 16, 20,
          30);
    out = harness_push_pull (h, in);
    if (i >= 20)
      check_hole (&info, out, i);
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* Tests that a filling does not change while the hole grows over pixels whose background was not
 * visible long enough. */
GST_START_TEST (test_growing)
{
  const gchar *method = __i__ == 0 ? "exemplar" : "patchmatch";
  g_autofree gchar *caps = caps_string (GST_VIDEO_FORMAT_GRAY8, 96, 64);
  g_autofree gchar *launch =
      g_strdup_printf ("mgpuinpaint name=f rectangle=40,20,16,24 "
      "background=true method=%s", method);
  g_autoptr (GstHarness) h = harness_new (launch, caps, caps);
  GstVideoInfo info = info_from_string (caps);
  guint8 before[16 * 24], now[16 * 24];

  for (gint i = 0; i < 15; i++) {
    GstBuffer *in = frame_new (&info, LAYOUT_DEFAULT, 1), *out;
    GstVideoFrame frame;

    if (i == 9 || i == 11 || i == 13) {
      gchar *rectangle = g_strdup_printf ("40,20,%d,24", 16 + 2 * (i - 7));

      gst_harness_set (h, "mgpuinpaint", "rectangle", rectangle, NULL);
      g_free (rectangle);
    }
    paint_bar (in, &info, i < 4 ? 56 : 200);
    out = harness_push_pull (h, in);
    fail_unless (gst_video_frame_map (&frame, &info, out, GST_MAP_READ));
    for (gint y = 0; y < 24; y++)
      memcpy (now + y * 16, comp_data (&frame, 0) + (20 + y)
          * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0) + 40, 16);
    gst_video_frame_unmap (&frame);
    fail_unless (i < 9 || memcmp (now, before, sizeof (now)) == 0,
        "%s: frame %d differs", method, i);
    memcpy (before, now, sizeof (now));
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* ---- A camera that moves ------------------------------------------------------------ */

/* Size of the scene over which the camera moves (world), and of the frames */
#define WORLD_WIDTH 260
#define WORLD_HEIGHT 130
#define PAN_WIDTH 96
#define PAN_HEIGHT 64

static gint
corner_at (gint i, gint j)
{
  return 40 + (i * i * 31 + i * j * 13 + j * j * 17) % 151;
}

/* Returns: a pixel of the scene, interpolated from the corners of its cell of 6x6 pixels */
static guint8
world_at (gint x, gint y)
{
  gint i = x / 6, j = y / 6, u = x % 6, v = y % 6;

  return ((6 - u) * (6 - v) * corner_at (i, j) + u * (6 - v) * corner_at (i + 1,
          j) + (6 - u) * v * corner_at (i, j + 1)
      + u * v * corner_at (i + 1, j + 1)) / 36;
}

static void
paint_world (GstBuffer * buffer, const GstVideoInfo * info, gint left, gint top)
{
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE));
  for (gint y = 0; y < PAN_HEIGHT; y++)
    for (gint x = 0; x < PAN_WIDTH; x++)
      ((guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0))[x + y
          * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0)] =
          world_at (left + x, top + y);
  gst_video_frame_unmap (&frame);
}

/* Compares the hole of a frame with what was visible there, or with the earlier filling. @shown has
 * the value of each pixel of the scene: 0 if unknown, negative if it was filled. Returns: how many
 * pixels were known from earlier frames */
static guint
check_world (const GstVideoInfo * info, GstBuffer * out, gint left, gint top,
    const GstVideoRectangle * hole, gint * shown)
{
  guint n = 0;
  GstVideoFrame frame;

  fail_unless (gst_video_frame_map (&frame, info, out, GST_MAP_READ));
  for (gint y = 0; y < PAN_HEIGHT; y++)
    for (gint x = 0; x < PAN_WIDTH; x++) {
      gint value = ((guint8 *) comp_data (&frame, 0))[x + y
          * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0)];
      gint *last = &shown[(top + y) * WORLD_WIDTH + left + x];

      if (x >= hole->x && x < hole->x + hole->w && y >= hole->y
          && y < hole->y + hole->h) {
        fail_unless (*last == 0 || ABS (*last) == value,
            "%d instead of %d at %d,%d", value, *last, x, y);
        n += *last > 0;
        *last = *last == 0 ? -value : *last;
      } else {
        *last = world_at (left + x, top + y);
      }
    }
  gst_video_frame_unmap (&frame);
  return n;
}

/* Tests that the hole shows exactly what any earlier frame showed at its position, and otherwise
 * keeps its first filling, while the camera moves up, down and to the right, and the hole to the
 * left and to the right. */
GST_START_TEST (test_camera)
{
  GstVideoFormat format = __i__ == 0 ? GST_VIDEO_FORMAT_GRAY8
      : GST_VIDEO_FORMAT_I420;
  g_autofree gchar *caps = caps_string (format, PAN_WIDTH, PAN_HEIGHT);
  g_autoptr (GstHarness) h =
      harness_new ("mgpuinpaint mask-source=roi background=true "
      "camera=moves", caps, caps);
  gint *shown = g_new0 (gint, WORLD_WIDTH * WORLD_HEIGHT), left = 4, top = 30;
  GstVideoInfo info = info_from_string (caps);
  guint n_known = 0;

  for (gint i = 0; i < 40; i++) {
    GstVideoRectangle hole = { 30 + (i < 20 ? i : 40 - i), 20, 20, 24 };
    GstBuffer *in = frame_new (&info, LAYOUT_DEFAULT, 1), *out;

    paint_world (in, &info, left, top);
    gst_buffer_add_video_region_of_interest_meta (in, "person", hole.x, hole.y,
        hole.w, hole.h);
    out = harness_push_pull (h, in);
    /* In I420, the hole covers whole chroma samples, so its left edge moves to an even column. */
    hole.w += format == GST_VIDEO_FORMAT_I420 && hole.x % 2 != 0 ? 2 : 0;
    hole.x -= format == GST_VIDEO_FORMAT_I420 && hole.x % 2 != 0 ? 1 : 0;
    n_known += check_world (&info, out, left, top, &hole, shown);
    gst_buffer_unref (out);
    left += 3 + i % 3;
    top += i < 20 ? -(i % 2) : 1;
  }
  assert_equals_int (n_known > 12000, TRUE);
  g_free (shown);
}

GST_END_TEST;

/* Tests that an object, standing or walking, that is detected two frames late is not stored as
 * background. */
GST_START_TEST (test_late)
{
  g_autofree gchar *caps = caps_string (GST_VIDEO_FORMAT_GRAY8, 96, 64);
  g_autoptr (GstHarness) h =
      harness_new ("mgpuinpaint mask-source=roi background=true "
      "search-factor=2", caps, caps);
  GstVideoInfo info = info_from_string (caps);

  for (gint i = 0; i < 24; i++) {
    GstBuffer *in = frame_new (&info, LAYOUT_DEFAULT, 1), *out;
    gint bar = 20 + (i < 12 ? 0 : 2 * (i - 12));
    GstVideoFrame frame;

    paint_bar (in, &info, bar);
    if (i >= 2)
      gst_buffer_add_video_region_of_interest_meta (in, "person", bar - 3, 0,
          16, 64);
    out = harness_push_pull (h, in);
    fail_unless (gst_video_frame_map (&frame, &info, out, GST_MAP_READ));
    for (gint y = 0; y < 64 && i >= 2; y++)
      for (gint x = 0; x < 96; x++)
        fail_unless (((guint8 *) comp_data (&frame, 0))[x + y
                * GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0)] < 200,
            "a ghost at %d,%d of frame %d", x, y, i);
    gst_video_frame_unmap (&frame);
    gst_buffer_unref (out);
  }
}

GST_END_TEST;

/* Tests that in a static scene the hole shows exactly the background behind the object. */
GST_START_TEST (test_behind_is_true)
{
  g_autofree gchar *caps = caps_string (GST_VIDEO_FORMAT_I420, WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h =
      harness_new ("mgpuinpaint " PLAIN "name=f mask-source=roi "
      "background=true mode=temporal", caps, caps);
  GstBuffer *clean = frame_new (&info, LAYOUT_DEFAULT, 1), *in, *out;

  for (guint i = 0; i < 8; i++)
    gst_buffer_unref (harness_push_pull (h, gst_buffer_copy_deep (clean)));
  in = gst_buffer_copy_deep (clean);
  paint_white (in, &info, 20, 10, 8, 12);
  gst_buffer_add_video_region_of_interest_meta (in, "person", 20, 10, 8, 12);
  out = harness_push_pull (h, in);
  fail_unless_same_frame (&info, out, clean);
  gst_buffer_unref (out);
  gst_buffer_unref (clean);
}

GST_END_TEST;

/* Returns: (transfer full): the output for the last of six equal frames. The first three have the
 * time limit @first, the others @second, in ms */
static GstBuffer *
fill_with_budgets (const gchar * caps, guint first, guint second)
{
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h =
      harness_new ("mgpuinpaint background=true patch-size=5 "
      "rectangle=12,8,22,18 name=f", caps, caps);
  GstBuffer *out = NULL;

  for (guint i = 0; i < 6; i++) {
    gst_clear_buffer (&out);
    gst_harness_set (h, "mgpuinpaint", "budget-ms", i < 3 ? first : second,
        NULL);
    out = harness_push_pull (h, FRAME (1));
  }
  return out;
}

/* Tests that a time limit causes other patches in the hole. A limit that is set in PLAYING gives
 * the same bytes; after the limit is removed, the hole keeps its filling. */
GST_START_TEST (test_budget)
{
  g_autofree gchar *caps = caps_string (GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstBuffer) without = fill_with_budgets (caps, 0, 0);
  g_autoptr (GstBuffer) with = fill_with_budgets (caps, 60000, 60000);
  g_autoptr (GstBuffer) later = fill_with_budgets (caps, 0, 60000);
  g_autoptr (GstBuffer) before = fill_with_budgets (caps, 60000, 0);

  fail_unless (count_differences (&info, with, without) > 0);
  fail_unless_same_frame (&info, later, with);
  fail_unless_same_frame (&info, before, with);
}

GST_END_TEST;

/* Tests that a region of interest of one frame is also removed from the next two frames. */
GST_START_TEST (test_hold)
{
  g_autofree gchar *caps = caps_string (GST_VIDEO_FORMAT_GRAY8, WIDTH, HEIGHT);
  GstVideoInfo info = info_from_string (caps);
  g_autoptr (GstHarness) h =
      harness_new ("mgpuinpaint " PLAIN "patch-size=5 name=f "
      "mask-source=roi mask-hold=2", caps, caps);
  Removal r = { 5, 0, 1, 20, 10, 8, 12, NULL, NULL, FALSE };
  Removal nothing = { 5, 0, 1, 0, 0, 0, 0, NULL, NULL, FALSE };
  GstBuffer *in = FRAME (1);

  gst_buffer_add_video_region_of_interest_meta (in, "person", 20, 10, 8, 12);
  push_and_compare (h, &info, in, &r);
  push_and_compare (h, &info, FRAME (2), &r);
  push_and_compare (h, &info, FRAME (3), &r);
  push_and_compare (h, &info, FRAME (4), &nothing);

  /* Changes the property in PLAYING. */
  in = FRAME (5);
  gst_buffer_add_video_region_of_interest_meta (in, "person", 20, 10, 8, 12);
  push_and_compare (h, &info, in, &r);
  gst_harness_set (h, "mgpuinpaint", "mask-hold", 0, NULL);
  push_and_compare (h, &info, FRAME (6), &nothing);

  /* Checks that regions are not held over a flush, nor over frames that pass unchanged. */
  gst_harness_set (h, "mgpuinpaint", "mask-hold", 2, NULL);
  for (guint i = 0; i < 2; i++) {
    in = FRAME (7);
    gst_buffer_add_video_region_of_interest_meta (in, "person", 20, 10, 8, 12);
    push_and_compare (h, &info, in, &r);
    if (i == 0) {
      flush (h);
    } else {
      gst_harness_set (h, "mgpuinpaint", "enabled", FALSE, NULL);
      gst_buffer_unref (harness_push_pull (h, FRAME (8)));
      gst_harness_set (h, "mgpuinpaint", "enabled", TRUE, NULL);
    }
    push_and_compare (h, &info, FRAME (9), &nothing);
  }
}

GST_END_TEST;

/* ---- Frames with a motion meta ------------------------------------------------------ */

/* Number of frames before the object is removed: an object that was visible in only a few frames
 * would not become background in any case. */
#define N_THING 40

/* Returns: (transfer full): a frame with a bright object. If @says is set, a meta reports the
 * object's motion. */
static GstBuffer *
thing_new (guint i, gboolean says)
{
  GstBuffer *frame = gst_buffer_new_allocate (NULL, 64 * 48, NULL);
  GstBuffer *mask = gst_buffer_new_allocate (NULL, 32 * 24, NULL);
  GstMgpuMovingMeta *meta;
  GstMapInfo map;

  GST_BUFFER_PTS (frame) = i * GST_SECOND;
  fail_unless (gst_buffer_map (frame, &map, GST_MAP_WRITE));
  for (guint p = 0; p < 64 * 48; p++)
    map.data[p] = p % 64 >= 20 && p % 64 < 32 && p / 64 >= 16 && p / 64 < 28
        ? 250 : 80 + p % 64 % 7;
  gst_buffer_unmap (frame, &map);
  fail_unless (gst_buffer_map (mask, &map, GST_MAP_WRITE));
  for (guint p = 0; p < 32 * 24; p++)
    map.data[p] = p % 32 >= 9 && p % 32 < 17 && p / 32 >= 7 && p / 32 < 15
        ? 255 : 0;
  gst_buffer_unmap (mask, &map);
  if (!says) {
    gst_buffer_unref (mask);
    return frame;
  }
  meta = gst_buffer_add_mgpu_moving_meta (frame, NULL, 0, TRUE, 0);
  gst_mgpu_moving_meta_set_mask (meta, mask, 32, 24, 2);
  return frame;
}

/* Tests that moving objects are not stored as background: a removed object is replaced by patches
 * of the background, not by the object as it was visible there before. */
GST_START_TEST (test_moving)
{
  static const gchar *const launches[] = {
    "mgpuinpaint background=true roi-type=person",
    "mgpuinpaint background=true roi-type=person look-ahead=2"
  };

  for (guint k = 0; k < 4; k++) {
    g_autoptr (GstHarness) h = harness_new (launches[k / 2],
        HOST_CAPS ("GRAY8", 64, 48), "video/x-raw");
    guint8 grey;

    for (guint i = 0; i < N_THING + 3; i++) {
      GstBuffer *in = thing_new (i, k % 2);

      if (i == N_THING)
        gst_buffer_add_video_region_of_interest_meta (in, "person", 18, 14, 16,
            16);
      fail_unless_equals_int (gst_harness_push (h, in), GST_FLOW_OK);
    }
    gst_harness_push_event (h, gst_event_new_eos ());
    for (guint i = 0; i < N_THING + 3; i++) {
      g_autoptr (GstBuffer) out = harness_pull (h);

      gst_buffer_extract (out, 22 * 64 + 26, &grey, 1);
      GST_INFO ("%u, frame %u: %u", k, i, grey);
      fail_unless (i == N_THING && k % 2 ? grey < 100 : grey > 200, "%u, frame "
          "%u: %u", k, i, grey);
    }
  }
}

GST_END_TEST;

/* Returns: the luma of a pixel of a textured wall, by day if @is_day is set, otherwise at night */
static guint8
get_wall (guint x, guint y, gboolean is_day)
{
  guint luma = 40 + (x / 4 * 37 + y / 4 * 59) % 160;

  return is_day ? luma : (luma + 24) * 6 / 10 - 24;
}

/* Tests that when a lamp is switched off, the filled part of the wall becomes as dark as the wall
 * around it. */
GST_START_TEST (test_light)
{
  g_autoptr (GstHarness) h = harness_new ("mgpumotion ! mgpuinpaint "
      "background=true roi-type=person", HOST_CAPS ("GRAY8", 128, 96),
      "video/x-raw");

  for (guint i = 0; i < 70; i++) {
    GstBuffer *frame = gst_buffer_new_allocate (NULL, 128 * 96, NULL);
    g_autoptr (GstBuffer) out = NULL;
    guint worst = 0;
    GstMapInfo map;

    GST_BUFFER_PTS (frame) = i * GST_SECOND / 25;
    fail_unless (gst_buffer_map (frame, &map, GST_MAP_WRITE));
    for (guint p = 0; p < 128 * 96; p++)
      map.data[p] = get_wall (p % 128, p / 128, i < 62);
    gst_buffer_unmap (frame, &map);
    if (i >= 60)
      gst_buffer_add_video_region_of_interest_meta (frame, "person", 40, 30, 24,
          32);
    out = harness_push_pull (h, frame);
    fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
    for (guint y = 30; y < 62; y++)
      for (guint x = 40; x < 64; x++) {
        gint error = map.data[y * 128 + x] - get_wall (x, y, i < 62);

        worst = MAX (worst, (guint) ABS (error));
      }
    gst_buffer_unmap (out, &map);
    fail_unless (worst <= 3, "frame %u: %u", i, worst);
  }
}

GST_END_TEST;

/* Number of frames before a lamp is dimmed, and number of frames that the dimming takes */
#define N_BRIGHT 100
#define N_DIMMING 20

/* Tests that when a lamp is dimmed to a third, a filling from patches adapts within a few
 * frames. */
GST_START_TEST (test_light_of_patches)
{
  g_autoptr (GstHarness) h = harness_new ("mgpumotion ! mgpuinpaint "
      "background=true rectangle=40,30,24,32", HOST_CAPS ("GRAY8", 128, 96),
      "video/x-raw");

  for (guint i = 0; i < N_BRIGHT + N_DIMMING + 6; i++) {
    GstBuffer *frame = gst_buffer_new_allocate (NULL, 128 * 96, NULL);
    guint dimmed = CLAMP (i, N_BRIGHT, N_BRIGHT + N_DIMMING) - N_BRIGHT;
    guint luma = 180 - 120 * dimmed / N_DIMMING;
    g_autoptr (GstBuffer) out = NULL;
    GstMapInfo map;
    guint sum = 0;

    GST_BUFFER_PTS (frame) = i * GST_SECOND / 25;
    fail_unless (gst_buffer_map (frame, &map, GST_MAP_WRITE));
    for (guint p = 0; p < 128 * 96; p++)
      map.data[p] = luma + p % 128 % 7 + p / 128 % 5;
    gst_buffer_unmap (frame, &map);
    out = harness_push_pull (h, frame);
    fail_unless (gst_buffer_map (out, &map, GST_MAP_READ));
    for (guint y = 30; y < 62; y++)
      for (guint x = 40; x < 64; x++)
        sum += map.data[y * 128 + x];
    gst_buffer_unmap (out, &map);
    sum /= 24 * 32;
    /* The texture adds 5 levels on average. The filling follows changes of up to 16 levels; after
     * larger changes new patches are found within 5 frames. */
    fail_unless (sum <= luma + (i > N_BRIGHT + N_DIMMING + 4 ? 10 : 60),
        "frame %u: %u instead of %u", i, sum, luma + 5);
  }
}

GST_END_TEST;

CHECK_TESTS (mgpuinpaintbackground)
{
  tcase_add_loop_test (tc, test_background, 0, G_N_ELEMENTS (several_formats));
  tcase_add_loop_test (tc, test_passing, 0, 2);
  tcase_add_loop_test (tc, test_beside, 0, 2);
  tcase_add_test (tc, test_flicker);
  tcase_add_test (tc, test_pieces);
  tcase_add_loop_test (tc, test_growing, 0, 2);
  tcase_add_loop_test (tc, test_camera, 0, 2);
  tcase_add_test (tc, test_late);
  tcase_add_test (tc, test_behind_is_true);
  tcase_add_test (tc, test_budget);
  tcase_add_test (tc, test_hold);
  tcase_add_test (tc, test_moving);
  tcase_add_test (tc, test_light);
  tcase_add_test (tc, test_light_of_patches);
}
