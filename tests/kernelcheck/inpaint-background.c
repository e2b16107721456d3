/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Checks inpainting with a camera that stands still: objects that move, an object that stays,
 * noise, a scene cut; and objects that pass behind a mask. */
#include "inpaint-video.h"

#include <gst/vision/background/background.h>
#include <gst/vision/inpaint/inpaint-plan.h>

#include "../reference/inpaint-background.h"
#include "../reference/inpaint-passing.h"
#include "../reference/inpaint.h"
#include "../reference/samples.h"

/* Height of frames with a large person, of whose template only every second column and row is
 * compared. The person flickers instead of having a texture, so that the edges decide where it is
 * found, and leaves the frame behind a pole near the left edge. */
#define LARGE 160

static const struct
{
  GstVideoFormat format;
  gint width, height;
  MgpuInpaintMethod method;
  gboolean is_smooth;
  gboolean has_budget;          /* whether there is a time budget of a minute, with which patches
                                 * are followed from frame to frame */
  gboolean has_passing;         /* whether a fixed mask is used, behind which objects pass */
  guint ahead;                  /* number of later frames whose background is stored before a frame
                                 * is filled */
  gboolean moves;               /* whether the camera moves */
  gboolean has_light;           /* whether the light of the frames is given */
  gboolean is_long;             /* whether patches are checked as late in a scene: there is no scene
                                 * cut, and the light changes before such a check */
} cases[] = {
  {GST_VIDEO_FORMAT_GRAY8, 90, 40, MGPU_INPAINT_HARMONIC, FALSE, FALSE, TRUE},
  {GST_VIDEO_FORMAT_I420, 51, 37, MGPU_INPAINT_EXEMPLAR, TRUE, FALSE, FALSE},
  {GST_VIDEO_FORMAT_P010_10LE, 36, 28, MGPU_INPAINT_HARMONIC, FALSE, FALSE,
      FALSE, 3},
  {GST_VIDEO_FORMAT_RGB, 40, 33, MGPU_INPAINT_EXEMPLAR, FALSE, FALSE, FALSE},
  {GST_VIDEO_FORMAT_I420, 52, 41, MGPU_INPAINT_EXEMPLAR, TRUE, TRUE, FALSE},
  {GST_VIDEO_FORMAT_NV12, 62, 40, MGPU_INPAINT_PATCHMATCH, TRUE, FALSE, FALSE},
  {GST_VIDEO_FORMAT_P010_10LE, 36, 28, MGPU_INPAINT_HARMONIC, FALSE, FALSE,
      FALSE},
  {GST_VIDEO_FORMAT_YUY2, 33, 20, MGPU_INPAINT_AUTO, TRUE, FALSE, FALSE},
  {GST_VIDEO_FORMAT_RGBA, 1, 1, MGPU_INPAINT_EXEMPLAR, FALSE, FALSE, FALSE},
  {GST_VIDEO_FORMAT_RGBA, 97, 51, MGPU_INPAINT_HARMONIC, FALSE, FALSE, TRUE},
  {GST_VIDEO_FORMAT_P010_10LE, 140, 73, MGPU_INPAINT_HARMONIC, FALSE, FALSE,
      TRUE},
  {GST_VIDEO_FORMAT_YUY2, 121, 57, MGPU_INPAINT_HARMONIC, FALSE, FALSE, TRUE},
  {GST_VIDEO_FORMAT_Y41B, 118, 55, MGPU_INPAINT_HARMONIC, FALSE, FALSE, TRUE},
  {GST_VIDEO_FORMAT_I420, 110, 60, MGPU_INPAINT_HARMONIC, FALSE, FALSE, TRUE},
  {GST_VIDEO_FORMAT_NV12, 3, 2, MGPU_INPAINT_HARMONIC, FALSE, FALSE, TRUE},
  {GST_VIDEO_FORMAT_I420, 51, 37, MGPU_INPAINT_EXEMPLAR, TRUE, FALSE, FALSE, 3},
  {GST_VIDEO_FORMAT_RGBA, 70, 40, MGPU_INPAINT_HARMONIC, FALSE, FALSE, TRUE, 2},
  {GST_VIDEO_FORMAT_P010_10LE, 36, 28, MGPU_INPAINT_HARMONIC, FALSE, FALSE,
      FALSE, 30},
  {GST_VIDEO_FORMAT_I420, 67, 53, MGPU_INPAINT_EXEMPLAR, TRUE, FALSE, FALSE, 0,
      TRUE},
  {GST_VIDEO_FORMAT_RGB, 201, 99, MGPU_INPAINT_HARMONIC, FALSE, FALSE, FALSE, 0,
      TRUE},
  {GST_VIDEO_FORMAT_P010_10LE, 50, 22, MGPU_INPAINT_PATCHMATCH, TRUE, FALSE,
      FALSE, 0, TRUE},
  {GST_VIDEO_FORMAT_Y41B, 60, 50, MGPU_INPAINT_EXEMPLAR, FALSE, TRUE, FALSE, 0,
      TRUE},
  {GST_VIDEO_FORMAT_GRAY8, 120, 60, MGPU_INPAINT_HARMONIC, FALSE, FALSE, TRUE,
      0, TRUE},
  {GST_VIDEO_FORMAT_I420, 51, 37, MGPU_INPAINT_HARMONIC, FALSE, FALSE, FALSE, 0,
      FALSE, TRUE},
  {GST_VIDEO_FORMAT_BGRA, 47, 30, MGPU_INPAINT_HARMONIC, FALSE, FALSE, FALSE, 0,
      FALSE, TRUE},
  {GST_VIDEO_FORMAT_P010_10LE, 36, 28, MGPU_INPAINT_HARMONIC, FALSE, FALSE,
      FALSE, 0, FALSE, TRUE},
  {GST_VIDEO_FORMAT_GRAY16_LE, 64, 33, MGPU_INPAINT_HARMONIC, FALSE, FALSE,
      TRUE, 0, FALSE, TRUE},
  {GST_VIDEO_FORMAT_YUY2, 1, 1, MGPU_INPAINT_HARMONIC, FALSE, FALSE, FALSE, 0,
      FALSE, TRUE},
  {GST_VIDEO_FORMAT_I420, 25, 18, MGPU_INPAINT_EXEMPLAR, FALSE, FALSE, FALSE, 0,
      FALSE, TRUE, TRUE},
  {GST_VIDEO_FORMAT_GRAY8, 200, LARGE, MGPU_INPAINT_HARMONIC, FALSE, FALSE,
      TRUE}
};

/* Frames of a case; the frame after which there is another scene; the first frame whose mask
 * contains the object that appears; the frame of a long case in which its light changes */
#define N_FRAMES 18
#define N_PASSING_FRAMES 44
#define N_LONG_FRAMES 42
#define LIT_FRAME 34
#define CUT_FRAME 13
#define LATE_FRAME 2

/* Size of the light array: one number stands for 3x3 pixels, and the last pixels have none. Also
 * the frame from which on light has another number, and a frame without light */
#define LIGHT_STEP 3
#define LIGHT_STRIDE 50
#define OTHER_LIGHT 9
#define NO_LIGHT 11

/* Returns: the darkness of the scene in frame @frame, in 1/26 */
static gint
get_darkness (gint frame, gboolean is_long)
{
  if (is_long)
    return frame < LIT_FRAME ? CLAMP (frame - 4, 0, 8) : 2;
  return MAX (frame - 4, 0);
}

/* Draws objects: one that is never masked stands in the middle, and leaves; another one, which is
 * masked late, leaves through a corner. */
static void
paint (KcPicture * picture, gint frame, guint number, KcRandom * random)
{
  gboolean moves = cases[number].moves, is_long = cases[number].is_long;
  const GstVideoFormatInfo *format = picture->info.finfo;
  gint left = moves ? 3 * frame - frame % 4 : 0, top = moves ? -frame / 2 : 0;

  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&picture->info); c++) {
    RefPlane plane = kc_picture_plane (picture, c);

    for (gint y = 0; y < plane.height; y++) {
      for (gint x = 0; x < plane.width; x++) {
        gint u = x + (left >> format->w_sub[c]) + 200;
        gint v = y + (top >> format->h_sub[c]) + 200;
        gint value = 60 + (moves ? u * u / 7 + v * v / 5 : x * 5 + y * y) % 90;

        if (frame < 4 && !is_long && ABS (x - plane.width / 2) < 3)
          value = 220;
        if (y < 7 && x > plane.width - 11 + 2 * frame
            && x < plane.width - 6 + 2 * frame)
          value = 250;
        if (frame >= CUT_FRAME && !is_long)
          value = 255 - value;
        if (cases[number].has_light)
          value = value * (26 - get_darkness (frame, is_long)) / 26;
        value += (gint) kc_random_below (random, 5);
        ref_set (&plane, x, y, value * plane.max / 300);
      }
    }
  }
}

/* Draws three people: two walk to the right, first side by side, and one walks to the left. Their
 * bodies are textured, and their legs swing. Near the end there is another scene. In a frame of the
 * height LARGE draws only the first person, four times as large, who walks to the left. */
void
kc_inpaint_paint_passing (KcPicture * picture, gint frame, KcRandom * random)
{
  static const struct
  {
    gint x, y, width, height, speed, level;
  } people[] = { {-24, 8, 12, 34, 12, 200}, {-9, 12, 11, 30, 10, 20},
  {150, 4, 12, 30, -13, 140}
  };
  gint width = GST_VIDEO_INFO_WIDTH (&picture->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&picture->info);
  gboolean is_large = height == LARGE;
  gint scale = is_large ? 4 : 1, pace = is_large ? 2 : 1;

  for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&picture->info); c++) {
    RefPlane plane = kc_picture_plane (picture, c);

    for (gint y = 0; y < plane.height; y++) {
      for (gint x = 0; x < plane.width; x++) {
        gint u = x * width / plane.width, v = y * height / plane.height;
        gint value = 90 + (u * 3 + v * 5) % 40;
        /* The large person starts near the right edge, and does not move evenly. */
        gint along = is_large ? width - 49 - u - frame % 3 : u;

        for (guint i = 0; i < (is_large ? 1 : G_N_ELEMENTS (people)); i++) {
          gint in_x = (along - scale * people[i].x
              - frame * pace * people[i].speed / 4) / scale;
          gint in_y = v / scale - people[i].y - frame / 8;

          if (in_x >= 0 && in_x < people[i].width && in_y >= 0
              && in_y < people[i].height && (in_y < people[i].height * 2 / 3
                  || (in_x + frame + in_y / 4) % 8 < 4))
            value = people[i].level
                + (is_large ? frame % 2 * 20 : (in_x * in_x * 7 +
                    in_y * 11) % 40);
        }
        if (frame >= N_PASSING_FRAMES - 3)
          value = 255 - value;
        value += (gint) kc_random_below (random, 5);
        ref_set (&plane, x, y, value * plane.max / 300);
      }
    }
  }
}

/* Masks two poles, which are moved once. In gray frames the poles appear after the background
 * behind them was visible, so that an emulator has little to fill. */
static void
set_poles (gint width, gint height, gint frame, gboolean is_late,
    guint8 * unknown, guint8 * mask)
{
  gint at = (height == LARGE ? 8 : width / 2) + (frame >= 2 ? 3 : 0);

  for (gint i = 0; i < width * height; i++) {
    gint x = i % width, y = i / width;

    unknown[i] = (frame >= 9 || !is_late)
        && ((x >= at && x < at + 13 && y >= height / 10)
        || (x >= at + 22 && x < at + 27 && y < height / 2));
    mask[i] = unknown[i] * 255;
  }
}

/* Masks a box that moves through the frame, another one at its side, and one that appears where
 * almost no background has been visible yet. */
static void
set_mask (gint width, gint height, gint frame, guint8 * unknown, guint8 * mask)
{
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      unknown[y * width + x] = (ABS (x - 3 * frame - 2) < 5
          && ABS (y - height / 2) < 6) || (x < 3 && y > 4 && y < 9)
          || (frame >= LATE_FRAME && frame < LATE_FRAME + 6
          && x > width - 12 + frame && y < 5);
  for (gint i = 0; i < width * height; i++)
    mask[i] = unknown[i] * 255;
}

/* State of a video, in this project's code and in the reference */
typedef struct
{
  KcRun *run;
  guint number;                 /* index in cases */
  GstVideoInfo info;
  MgpuInpaint *inpaint;
  MgpuInpaintBackground *background;
  RefInpaintBackground *reference;
  RefInpaintPassing *passing;
  RefInpaintMemory memory;
  KcPicture *plate;             /* the reference's plate (background), after the last frame that was
                                 * stored */
  GQueue shots;                 /* queue of Shot: frames that are not filled yet */
} Film;

/* Returns: the change of light at column @x and row @y of the light array of frame @frame */
static gint
get_light (gint x, gint y, gint frame, gboolean is_long)
{
  if (frame < 4 && !is_long)
    return 0;
  if (frame == 7 && !is_long)
    return 20000;
  return -90 * get_darkness (frame, is_long) + 5 * x - 7 * y;
}

/* A frame and its mask */
typedef struct
{
  gint frame;                   /* its number */
  KcPicture *in, *want;         /* @want: the expected frame without gaps, until it is filled */
  guint8 *unknown, *mask;
} Shot;

static Shot *
shot_new (const Film * film, gint frame, KcRandom * random)
{
  gint width = GST_VIDEO_INFO_WIDTH (&film->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&film->info);
  Shot *shot = g_new0 (Shot, 1);

  shot->frame = frame;
  shot->in = kc_picture_new (&film->info, frame % KC_N_LAYOUTS, random);
  shot->want = kc_picture_new (&film->info, KC_LAYOUT_DEFAULT, random);
  shot->unknown = g_malloc ((gsize) width * height);
  shot->mask = g_malloc ((gsize) width * height);
  if (cases[film->number].has_passing) {
    kc_inpaint_paint_passing (shot->in, frame, random);
    set_poles (width, height, frame, GST_VIDEO_INFO_IS_GRAY (&film->info),
        shot->unknown, shot->mask);
  } else {
    paint (shot->in, frame, film->number, random);
    set_mask (width, height, frame, shot->unknown, shot->mask);
  }
  kc_picture_copy_planes (shot->in, shot->want, ~0u);
  return shot;
}

static void
shot_free (Shot * shot)
{
  kc_picture_free (shot->in);
  kc_picture_free (shot->want);
  g_free (shot->unknown);
  g_free (shot->mask);
  g_free (shot);
}

/* Fills the picture @want of a shot with the reference. */
static void
fill_reference (Film * film, Shot * shot)
{
  gboolean is_smooth = cases[film->number].is_smooth, is_new_hole;
  guint n_components = GST_VIDEO_INFO_N_COMPONENTS (&film->info);
  gsize n = (gsize) GST_VIDEO_INFO_WIDTH (&film->info)
      * GST_VIDEO_INFO_HEIGHT (&film->info);
  guint8 *left = g_malloc (n), *planned = g_malloc (n);
  RefInpaint ref = { 5, 1, 0, planned,
    ref_inpaint_background_unsettled (film->reference), is_smooth, is_smooth,
    (RefInpaintMethod) cases[film->number].method, left,
    !cases[film->number].has_budget
  };
  KcPicture *filled = kc_picture_copy (film->plate), *plate;
  RefPlane from[GST_VIDEO_MAX_COMPONENTS], to[GST_VIDEO_MAX_COMPONENTS];
  RefPlane middle[GST_VIDEO_MAX_COMPONENTS], full[GST_VIDEO_MAX_COMPONENTS];
  RefPlane behind[GST_VIDEO_MAX_COMPONENTS];
  const guint8 *hidden;
  RefInpaintWay way;
  gint is_first;

  plate = kc_picture_copy (film->plate);
  kc_picture_planes (shot->in, from);
  kc_picture_planes (shot->want, to);
  kc_picture_planes (film->plate, middle);
  kc_picture_planes (filled, full);
  kc_picture_planes (plate, behind);
  is_new_hole = ref_inpaint_background_plan (film->reference, from, shot->mask,
      ref.patch_size, planned, left);
  film->memory.is_valid = film->memory.is_valid && !is_new_hole;
  if (!ref_inpaint_temporal (middle, full, n_components,
          GST_VIDEO_INFO_IS_RGB (&film->info), &ref, &film->memory, &way))
    g_error ("out of memory");
  if (cases[film->number].moves)
    ref_inpaint_background_adopt (film->reference, full);
  else
    ref_inpaint_background_check (film->reference, full, is_new_hole);
  ref_inpaint_background_show (film->reference, full, to);
  ref_inpaint_background_plate (film->reference, from, behind);
  hidden = ref_inpaint_background_hidden (film->reference, &is_first);
  if (is_first)
    ref_inpaint_passing_forget (film->passing);
  if (cases[film->number].has_passing && ref_inpaint_passing (film->passing,
          from, behind, hidden, to) < 0)
    g_error ("out of memory");
  kc_picture_free (filled);
  kc_picture_free (plate);
  g_free (left);
  g_free (planned);
}

/* Fills the oldest frame, and compares it with the reference. */
static void
check_shot (Film * film)
{
  KcRun *run = film->run;
  Shot *shot = g_queue_pop_head (&film->shots);
  gboolean has_budget = cases[film->number].has_budget;
  gboolean is_smooth = cases[film->number].is_smooth, is_new;
  MgpuInpaintParams params = { 5, 1, MGPU_INPAINT_ALL_SHORTCUTS,
    cases[film->number].method, FALSE
  };
  KcPicture *got = kc_picture_copy (shot->want);
  KcFrame *in_frame, *out_frame;
  MgpuInpaintResult result;
  GError *error = NULL;
  GstMgpuJob job;

  fill_reference (film, shot);
  mgpu_inpaint_background_set_mask (film->background, shot->unknown, NULL,
      &params);
  mgpu_inpaint_background_set_camera (film->background,
      cases[film->number].moves);
  mgpu_inpaint_background_set_passing (film->background,
      cases[film->number].has_passing);
  in_frame = kc_frame_new (run, shot->in);
  out_frame = kc_frame_new (run, got);
  if (in_frame != NULL && out_frame != NULL) {
    mgpu_inpaint_set_temporal (film->inpaint, has_budget,
        has_budget ? G_TIME_SPAN_MINUTE : 0);
    mgpu_inpaint_set_blend (film->inpaint, is_smooth);
    mgpu_inpaint_set_seam (film->inpaint, is_smooth);
    gst_mgpu_job_begin (&job, run->queue, run->stats);
    mgpu_inpaint_background_enqueue (film->background, film->inpaint, &job,
        &in_frame->image, &out_frame->image,
        cases[film->number].ahead > 0 || cases[film->number].has_light,
        NULL, NULL, &result, &is_new);
    if (!gst_mgpu_job_end (&job, &error))
      kc_case_fail_error (run, error);
    else if (kc_frame_read (run, out_frame, got))
      kc_compare_picture (run, shot->want, got);
  }
  kc_frame_free (in_frame);
  kc_frame_free (out_frame);
  kc_picture_free (got);
  shot_free (shot);
}

/* The light of a frame, in the forms of this project's code and of the reference */
typedef struct
{
  guint16 *values;
  gint *places;
  MgpuBackgroundLight ours;
  RefInpaintLight ref;
} Light;

static void
light_init (Light * light, Film * film, const Shot * shot)
{
  gint width = GST_VIDEO_INFO_WIDTH (&film->info);
  gint height = GST_VIDEO_INFO_HEIGHT (&film->info);
  guint16 *values = g_new (guint16, LIGHT_STRIDE * LIGHT_STRIDE);
  gint *places = g_new (gint, width + height), number =
      shot->frame >= OTHER_LIGHT;

  for (gint i = 0; i < LIGHT_STRIDE * LIGHT_STRIDE; i++)
    values[i] = get_light ((i - 7) % LIGHT_STRIDE, (i - 7) / LIGHT_STRIDE,
        shot->frame, cases[film->number].is_long);
  for (gint i = 0; i < width + height; i++)
    places[i] = i == width - 2 || i == width + height - 2 ? -1
        : (i < width ? i : i - width) / LIGHT_STEP;
  *light = (Light) {
    values, places, {
    NULL, 7, LIGHT_STRIDE, number, places, places + width}
    , {
    values + 7, LIGHT_STRIDE, number, places, places + width}
  };
  if (shot->frame != NO_LIGHT)
    light->ours.memory = kc_memory_new (film->run, (const guint8 *) values,
        LIGHT_STRIDE * LIGHT_STRIDE * sizeof (guint16));
}

static void
light_clear (Light * light)
{
  kc_memory_free (light->ours.memory);
  g_free (light->values);
  g_free (light->places);
}

/* Returns: whether the reference finds that a frame begins a scene. Also brings the reference's
 * background to the light @light (nullable) of the frame. */
static gboolean
find_cut (Film * film, const Shot * shot, const Light * light)
{
  RefInpaintBackground *reference = film->reference;
  gboolean has_patches = ref_inpaint_background_has_patches (reference);
  const RefInpaintLight *ref = light != NULL && light->ours.memory != NULL
      ? &light->ref : NULL;
  RefPlane from[GST_VIDEO_MAX_COMPONENTS];
  gboolean is_cut;

  kc_picture_planes (shot->in, from);
  if (light != NULL && !has_patches)
    ref_inpaint_background_relight (reference, from, shot->mask, ref);
  is_cut = ref_inpaint_background_is_cut (reference, from, shot->mask);
  if (light != NULL && has_patches && !is_cut)
    ref_inpaint_background_relight (reference, from, shot->mask, ref);
  return is_cut;
}

/* Stores the background of a frame that is filled after the background of later frames was stored.
 * Before another scene begins, fills all frames of this scene. */
static void
look_ahead (Film * film, Shot * shot, const MgpuBackgroundLight * light,
    KcFrame * frame, gboolean is_cut)
{
  GError *error = NULL;
  gboolean is_cut_here;
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, film->run->queue, film->run->stats);
  is_cut_here = mgpu_inpaint_background_is_cut (film->background, &job,
      &frame->image, light, shot->unknown);
  if (!gst_mgpu_job_end (&job, &error))
    kc_case_fail_error (film->run, error);
  else if (is_cut != is_cut_here)
    kc_case_fail (film->run, "another scene: %d instead of %d", is_cut_here,
        is_cut);
  while (is_cut && !g_queue_is_empty (&film->shots))
    check_shot (film);
  if (is_cut)
    mgpu_inpaint_background_forget (film->background);
  gst_mgpu_job_begin (&job, film->run->queue, film->run->stats);
  mgpu_inpaint_background_look (film->background, &job, &frame->image,
      shot->unknown);
  if (!gst_mgpu_job_end (&job, &error))
    kc_case_fail_error (film->run, error);
}

static void
check_frame (Film * film, gint i, gboolean is_last, KcRandom * random)
{
  guint ahead = cases[film->number].ahead;
  gboolean has_light = cases[film->number].has_light;
  Shot *shot = shot_new (film, i, random);
  RefPlane from[GST_VIDEO_MAX_COMPONENTS], plate[GST_VIDEO_MAX_COMPONENTS];
  KcFrame *frame;
  gboolean is_cut;
  Light light;

  kc_picture_planes (shot->in, from);
  kc_picture_planes (film->plate, plate);
  if (cases[film->number].moves) {
    gint moved = ref_inpaint_background_move (film->reference, from,
        shot->mask);

    if (moved < 0)
      g_error ("out of memory");
    if (moved)
      ref_inpaint_passing_forget (film->passing);
  }
  frame = kc_frame_new (film->run, shot->in);
  if (has_light)
    light_init (&light, film, shot);
  is_cut = find_cut (film, shot, has_light ? &light : NULL);
  if ((has_light || ahead > 0) && frame != NULL)
    look_ahead (film, shot, has_light ? &light.ours : NULL, frame, is_cut);
  if (has_light)
    light_clear (&light);
  kc_frame_free (frame);
  if (is_cut)
    ref_inpaint_background_forget (film->reference);
  ref_inpaint_background_look (film->reference, from, plate, shot->mask);
  g_queue_push_tail (&film->shots, shot);
  while (g_queue_get_length (&film->shots) > (is_last ? 0 : ahead))
    check_shot (film);
}

static void
check_case (KcRun * run, guint number)
{
  gint n_frames = cases[number].has_passing ? N_PASSING_FRAMES
      : cases[number].is_long ? N_LONG_FRAMES : N_FRAMES;
  gsize n = (gsize) cases[number].width * cases[number].height;
  Film film = {.run = run,.number = number,.memory = {
          g_new (gint32, n), g_new (gint32, n), g_new (gint32, n),
      g_new (guint32, n), 0, FALSE, 0}
  };
  GError *error = NULL;
  KcRandom random;

  kc_random_init (&random, 5);
  gst_video_info_set_format (&film.info, cases[number].format,
      cases[number].width, cases[number].height);
  film.reference =
      ref_inpaint_background_new (GST_VIDEO_INFO_N_COMPONENTS (&film.info),
      GST_VIDEO_INFO_IS_RGB (&film.info), cases[number].width,
      cases[number].height);
  film.passing =
      ref_inpaint_passing_new (GST_VIDEO_INFO_N_COMPONENTS (&film.info),
      GST_VIDEO_INFO_IS_RGB (&film.info), cases[number].width,
      cases[number].height);
  film.plate = kc_picture_new (&film.info, KC_LAYOUT_DEFAULT, &random);
  kc_random_init (&random, 5);
  film.inpaint = mgpu_object_new (&mgpu_inpaint, run->context, &film.info, NULL,
      NULL, NULL, &error);
  if (film.inpaint != NULL)
    film.background = mgpu_object_new (&mgpu_inpaint_background, run->context,
        &film.info, NULL, NULL, NULL, &error);
  for (gint i = 0; i < n_frames && kc_goes_on (run); i++) {
    kc_case_begin (run, KC_FIXED,
        "background: %s, size=%dx%d ahead=%u frame=%d",
        gst_video_format_to_string (cases[number].format), cases[number].width,
        cases[number].height, cases[number].ahead, i);
    if (film.background == NULL)
      kc_case_fail_error (run, error);
    else
      check_frame (&film, i, i == n_frames - 1, &random);
    kc_case_end (run);
    if (film.background == NULL)
      break;
  }
  g_queue_clear_full (&film.shots, (GDestroyNotify) shot_free);
  mgpu_object_free (film.background);
  mgpu_object_free (film.inpaint);
  ref_inpaint_background_free (film.reference);
  ref_inpaint_passing_free (film.passing);
  kc_picture_free (film.plate);
  g_free (film.memory.origin);
  g_free (film.memory.filler);
  g_free (film.memory.targets);
  g_free (film.memory.fits);
}

void
kc_inpaint_background_check (KcRun * run)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    if (!run->quick || i < 3 || (cases[i].has_light && i % 2 == 1)
        || ((cases[i].is_long || cases[i].height == LARGE)
            && !kc_is_oclgrind (run)))
      check_case (run, i);
}
