/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpuinpaint
 * @title: mgpuinpaint
 * @short_description: removes objects and fills their place, on an OpenCL
 *   device
 *
 * Fills the pixels that a mask covers with patches from around it. With method=exemplar this is
 * the exemplar-based inpainting of Criminisi, Perez and Toyama. By default, all patches are found
 * at once, from coarse to fine. The mask is made from an image file, rectangles, polygons,
 * regions of interest or transparent parts of the frames, or a second stream at the request pad
 * mask_sink.
 *
 * While a frame takes longer than 200 ms, the element posts element messages
 * "mgpu-inpaint-progress", at most ten a second. Their field percent (#gint) is the percentage of
 * the mask that is filled.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=5 pattern=smpte ! video/x-raw,width=160,height=120 ! mgpuinpaint rectangle=60,40,20,20 ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 1.0
 */
#include <gst/frame/gstmgpucaps.h>
#include <gst/frame/gstmgpufilterinputs.h>
#include <gst/frame/gstmgpufilterparams.h>
#include <gst/frame/gstmgpulookahead.h>

#include <string.h>

#include <gst/elements/elements.h>
#include "gstmgpuinpaintmask.h"
#include "gstmgpuinpaintvideo.h"

#include <gst/vision/background/background.h>

/* Times of progress messages, in microseconds. Messages are posted only for frames that take
 * longer than PROGRESS_AFTER; the minimum time between two messages is PROGRESS_EVERY. */
#define PROGRESS_AFTER (200 * G_TIME_SPAN_MILLISECOND)
#define PROGRESS_EVERY (100 * G_TIME_SPAN_MILLISECOND)

/* The methods of filling a pixel. The property "stats" has the number of pixels filled by each
 * method. */
enum
{
  PASSING,
  SEEN,
  PATCHES,
  SURFACE,
  N_FILLINGS
};

static const gchar *const fillings[] = {
  [PASSING] = "passing-pixels",
  [SEEN] = "background-pixels",
  [PATCHES] = "patch-pixels",
  [SURFACE] = "surface-pixels"
};

/* Texts for the log: what fills a hole, for each value of MgpuInpaintResult */
static const gchar *const result_texts[] = { "nothing, because the mask has no "
      "pixels to fill",
  "nothing, because no pixel outside the mask is known", "patches",
  "means of neighboring pixels",
  "a smooth surface, or straight lines"
};

#define GST_TYPE_MGPU_INPAINT (gst_mgpu_inpaint_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuInpaint, gst_mgpu_inpaint, GST, MGPU_INPAINT,
    GstMgpuLookAhead);

struct _GstMgpuInpaint
{
  GstMgpuLookAhead parent;

  gint cut;                     /* atomic flag: whether earlier frames have to be
                                 * forgotten before the next frame */
  gint flushing;                /* atomic flag: whether the work has to stop, because the
                                 * frame is not needed any more */

  GstMgpuInpaintMask mask;      /* pixels to fill in the frame that is processed and then pushed */
  GstMgpuInpaintMask coming;    /* pixels to fill in the frame that has just arrived; used only if
                                 * frames are kept until later ones have arrived */
  GstMgpuRegions coming_regions;        /* mask of the frame that has just arrived; the mask of the
                                         * frame that is processed is a member of GstMgpuFilter */
  gboolean was_moved;           /* whether the camera was moved, according to the
                                 * GstMgpuMotionMeta of the last frame */
  MgpuInpaint *inpaint;
  MgpuInpaintBackground *behind;
  gboolean is_behind;           /* whether the mask was passed to the object @behind, which fills
                                 * with remembered background, and not to the object @inpaint */
  GstMgpuInpaintVideo video;
  gboolean is_video;            /* whether the mask is that of a frame with mode=video; @is_behind is
                                 * FALSE then */
  gboolean has_mask;
  gboolean has_hinted;          /* whether the message about mode=video was posted */
  MgpuInpaintResult result;     /* how the current frame is filled, or why it cannot be filled */
  gint64 begun, told;           /* monotonic times in us: the beginning of the filling of the
                                 * frame (@begun), and the last progress message (@told; 0: none
                                 * yet) */
  gint percent;                 /* percentage of the masked pixels that are filled */
  guint n_unknown;              /* number of masked pixels */
  guint64 n_filled[N_FILLINGS]; /* number of pixels filled by each method since the element started;
                                 * guarded by the object lock */
};

G_DEFINE_TYPE (GstMgpuInpaint, gst_mgpu_inpaint, GST_TYPE_MGPU_LOOK_AHEAD);
#define parent_class gst_mgpu_inpaint_parent_class

static gboolean
is_video (const GstMgpuInpaintParams * params)
{
  return params->mode == GST_MGPU_INPAINT_MODE_VIDEO;
}

static gboolean
gst_mgpu_inpaint_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (filter);
  const GstMgpuInpaintParams *params = filter->frame.params;

  self->inpaint = mgpu_object_new (&mgpu_inpaint, context, info, NULL, NULL,
      NULL, error);
  if (self->inpaint != NULL)
    self->behind = mgpu_object_new (&mgpu_inpaint_background, context, info,
        NULL, NULL, NULL, error);
  self->has_mask = FALSE;
  self->result = MGPU_INPAINT_NOTHING;
  if (self->behind == NULL || (params->background
          && params->mode == GST_MGPU_INPAINT_MODE_TEMPORAL
          && !mgpu_inpaint_background_build_passing (self->behind, error)))
    return FALSE;
  if (gst_mgpu_inpaint_params_restores (params)
      && !gst_mgpu_blend_prepare (&filter->mix, context, info, error))
    return FALSE;
  return !is_video (params)
      || gst_mgpu_inpaint_video_prepare (&self->video, context, info, error);
}

static void
gst_mgpu_inpaint_unprepare (GstMgpuFilter * filter)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (filter);

  g_clear_pointer (&self->inpaint, mgpu_object_free);
  g_clear_pointer (&self->behind, mgpu_object_free);
  gst_mgpu_inpaint_video_unprepare (&self->video, filter);
  gst_mgpu_inpaint_mask_clear (&self->mask);
  gst_mgpu_inpaint_mask_clear (&self->coming);
  gst_mgpu_regions_reset (&self->coming_regions);
}

/* --- The mask of a frame --- */

/* Posts a warning if the mask cannot be filled with patches. It is called once for each mask. */
static void
say_result (GstMgpuInpaint * self)
{
  if (self->result == MGPU_INPAINT_EVERYTHING)
    GST_ELEMENT_WARNING (self, STREAM, FAILED, ("%s: the mask covers the "
            "whole frame, so the frame passes unchanged: make the mask "
            "smaller, so that some pixels remain from which it can be filled",
            GST_OBJECT_NAME (self)), (NULL));
  else if (self->result == MGPU_INPAINT_DIFFUSES)
    GST_ELEMENT_WARNING (self, STREAM, FAILED, ("%s: there is no patch of "
            "%dx%d pixels outside the mask to fill it with, so the masked area "
            "is filled with a blur: make the mask smaller, or set "
            "method=exemplar and a smaller \"patch-size\"",
            GST_OBJECT_NAME (self), mgpu_inpaint_get_patch_size (self->inpaint),
            mgpu_inpaint_get_patch_size (self->inpaint)), (NULL));
}

static guint
count_unknown (GstMgpuInpaint * self)
{
  const GstMgpuRegions *regions = &GST_MGPU_FILTER (self)->mix.regions;
  gsize n = (gsize) regions->width * regions->height;
  guint n_unknown = 0;

  for (gsize i = 0; i < n; i++)
    n_unknown += self->mask.unknown[i];
  return n_unknown;
}

/* With a remembered background, results depend on earlier frames even in mode exact. The time
 * budget then also applies in that mode. */
static void
set_temporal (GstMgpuInpaint * self, const GstMgpuInpaintParams * params)
{
  mgpu_inpaint_set_temporal (self->inpaint,
      params->mode == GST_MGPU_INPAINT_MODE_TEMPORAL || (params->background
          && params->budget_ms > 0),
      params->budget_ms * G_TIME_SPAN_MILLISECOND);
}

/* Posts a message that names mode=video, once. */
static void
hint (GstMgpuInpaint * self, const GstMgpuInpaintParams * params)
{
  if (self->has_hinted || params->mode != GST_MGPU_INPAINT_MODE_TEMPORAL)
    return;
  self->has_hinted = TRUE;
  GST_ELEMENT_INFO (self, LIBRARY, SETTINGS, ("%s: mode=video restores objects "
          "that pass behind the mask even where they overlap or are never seen "
          "whole; background=true with mode=temporal does not",
          GST_OBJECT_NAME (self)), (NULL));
}

/* Stores the mask of a frame, and counts its pixels, with mode=video. */
static void
set_video_mask (GstMgpuInpaint * self)
{
  const GstMgpuRegions *regions = &GST_MGPU_FILTER (self)->mix.regions;

  self->n_unknown = count_unknown (self);
  self->result = self->n_unknown == 0 ? MGPU_INPAINT_NOTHING
      : self->n_unknown == (guint) regions->width * regions->height
      ? MGPU_INPAINT_EVERYTHING : MGPU_INPAINT_LAYS;
  GST_MGPU_DEBUG_OBJECT (self, "filling %u pixels with the content of other "
      "frames", self->n_unknown);
  say_result (self);
}

/* Passes the mask to the algorithm in use: the object self->behind, which remembers the
 * background, or the object self->inpaint. */
static void
set_mask (GstMgpuInpaint * self, const GstMgpuInpaintParams * params)
{
  /* The patch size is made odd, so that a patch has a center pixel. */
  const MgpuInpaintParams planned = {
    params->patch_size | 1, params->search_factor, MGPU_INPAINT_ALL_SHORTCUTS,
    params->method
  };

  self->has_mask = TRUE;
  self->is_video = is_video (params);
  self->is_behind = params->background && !self->is_video;
  if (self->is_video) {
    set_video_mask (self);
  } else if (self->is_behind) {
    /* Leaves self->result unknown: it depends on the number of masked pixels that the remembered
     * background fills. */
    mgpu_inpaint_background_set_mask (self->behind, self->mask.unknown,
        self->mask.forbidden, &planned);
    hint (self, params);
    GST_MGPU_DEBUG_OBJECT (self,
        "filling the mask with the background that other frames show; "
        "source-mask-location is %s", params->source_location);
  } else {
    set_temporal (self, params);
    self->result = mgpu_inpaint_set_mask (self->inpaint, self->mask.unknown,
        self->mask.forbidden, &planned);
    self->n_unknown = count_unknown (self);
    GST_MGPU_DEBUG_OBJECT (self, "filling %u pixels with %s; patches have "
        "%dx%d pixels", self->n_unknown, result_texts[self->result],
        mgpu_inpaint_get_patch_size (self->inpaint),
        mgpu_inpaint_get_patch_size (self->inpaint));
    say_result (self);
  }
}

/* Determines the mask of the frame in @buffer. @guide (nullable) is the buffer with its mask
 * image from the pad mask_sink. Sets *@changed to whether the pixels to fill differ from those of
 * the last frame. */
static gboolean
update_mask (GstMgpuInpaint * self, GstMgpuInpaintMask * mask,
    GstMgpuRegions * regions, const GstMgpuInpaintParams * params,
    GstBuffer * buffer, GstBuffer * guide, gboolean * changed, GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);

  regions->is_hard = !params->soft;
  return gst_mgpu_filter_update_regions (filter, regions, &params->mask, buffer,
      filter->guide, guide, error)
      && gst_mgpu_inpaint_mask_update (mask, regions, params, changed, error);
}

/* Determines the mask of the frame in @buffer, which is about to be processed. */
static gboolean
find_mask (GstMgpuInpaint * self, GstBuffer * buffer, GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);
  const GstMgpuInpaintParams *params = filter->frame.params;
  gboolean changed, ok;

  ok = update_mask (self, &self->mask, &filter->mix.regions, params, buffer,
      filter->frame.guide, &changed, error);
  gst_clear_buffer (&filter->frame.guide);
  if (ok)
    GST_MGPU_LOG_OBJECT (self, "frame %" GST_TIME_FORMAT " has %s",
        GST_TIME_ARGS (GST_BUFFER_PTS (buffer)),
        changed ? "a new mask or new filling parameters" :
        "the mask and filling parameters of the previous frame");
  if (ok && (changed || !self->has_mask))
    set_mask (self, params);
  if (ok && self->is_behind)
    gst_mgpu_inpaint_mask_find_moving (&self->mask, &filter->mix.regions,
        buffer, filter->base.context);
  if (ok && self->is_behind && self->mask.hidden != NULL)
    GST_MGPU_LOG_OBJECT (self, "updating the background without the moving "
        "pixels in the GstMgpuMovingMeta of the frame");
  return ok;
}

static gboolean
gst_mgpu_inpaint_needs_guide (GstMgpuFilter * filter)
{
  const GstMgpuInpaintParams *params = filter->frame.params;

  return params->mask.source == GST_MGPU_MASK_SOURCE_PAD;
}

/* --- Frames that are kept until later ones have arrived --- */

static guint
gst_mgpu_inpaint_count (gconstpointer values)
{
  const GstMgpuInpaintParams *params = values;

  return is_video (params) || (params->background
      && params->camera == GST_MGPU_INPAINT_CAMERA_STILL)
      ? params->look_ahead : 0;
}

/* Remembers the background that is visible in the frame @image, which has the mask self->coming.
 * If another scene begins with this frame, all kept frames are processed first, because they are
 * filled with the background of their own scene. */
static gboolean
look_at_image (GstMgpuInpaint * self, const MgpuImage * image, GError ** error)
{
  const guint8 *hidden = self->coming.hidden != NULL ? self->coming.hidden
      : self->coming.unknown;
  GstMgpuDeviceBase *base = &GST_MGPU_FILTER (self)->base;
  GstMgpuQueue *queue = gst_mgpu_device_base_begin_frame (base, image->memory,
      FALSE);
  gboolean is_cut, ok;
  GstMgpuJob job;

  gst_mgpu_job_begin (&job, queue, base->stats);
  is_cut = mgpu_inpaint_background_is_cut (self->behind, &job, image, NULL,
      hidden);
  ok = gst_mgpu_job_end (&job, error);
  if (ok && is_cut) {
    GST_MGPU_DEBUG_OBJECT (self,
        "pushing all kept frames and then forgetting the background, because a "
        "new scene begins");
    gst_mgpu_look_ahead_drain (GST_MGPU_LOOK_AHEAD (self));
    mgpu_inpaint_background_forget (self->behind);
  }
  if (ok) {
    gst_mgpu_job_begin (&job, queue, base->stats);
    mgpu_inpaint_background_look (self->behind, &job, image, hidden);
    ok = gst_mgpu_job_end (&job, error);
  }
  gst_mgpu_device_base_end_frame (base, queue, ok);
  return ok;
}

/* Makes sure that frames with the mask @unknown can be remembered for mode=video. If a different
 * part of the frames is remembered from now on, all kept frames are processed first. */
static gboolean
begin_video (GstMgpuInpaint * self, const GstMgpuInpaintParams * params,
    const guint8 * unknown, GError ** error)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (self);

  if (!gst_mgpu_inpaint_video_prepare (&self->video, filter->base.context,
          &filter->input.info, error))
    return FALSE;
  if (gst_mgpu_inpaint_video_fits (&self->video, &filter->input.info, params,
          unknown))
    return TRUE;
  if (params->look_ahead > 0)
    gst_mgpu_look_ahead_drain (GST_MGPU_LOOK_AHEAD (self));
  return gst_mgpu_inpaint_video_begin (&self->video, filter, params, unknown,
      error);
}

/* Remembers the frame @image, which has the mask self->coming, for mode=video. */
static gboolean
look_at_video (GstMgpuInpaint * self, const GstMgpuInpaintParams * params,
    const MgpuImage * image, GError ** error)
{
  GstMgpuDeviceBase *base = &GST_MGPU_FILTER (self)->base;
  GstMgpuQueue *queue;
  GstMgpuJob job;
  gboolean ok;

  if (!begin_video (self, params, self->coming.unknown, error))
    return FALSE;
  queue = gst_mgpu_device_base_begin_frame (base, image->memory, FALSE);
  gst_mgpu_job_begin (&job, queue, base->stats);
  gst_mgpu_inpaint_video_look (&self->video, &job, image, self->coming.unknown);
  ok = gst_mgpu_job_end (&job, error);
  gst_mgpu_device_base_end_frame (base, queue, ok);
  return ok;
}

/* Remembers the background of the frame @frame, which has just arrived, if frames are kept until
 * later ones have arrived. */
static gboolean
look_ahead (GstMgpuInpaint * self, const GstMgpuHeldFrame * frame,
    GError ** error)
{
  const GstMgpuInpaintParams *params = frame->params;
  GstMgpuInput *input = &GST_MGPU_FILTER (self)->input;
  GstBuffer *imported;
  gboolean changed, ok;
  MgpuImage image;

  /* Returns early for a moving camera: frames are kept only for a still camera. */
  mgpu_inpaint_background_set_camera (self->behind, FALSE);
  if (!update_mask (self, &self->coming, &self->coming_regions, frame->params,
          frame->buffer, frame->guide, &changed, error))
    return FALSE;
  if (!is_video (params))
    gst_mgpu_inpaint_mask_find_moving (&self->coming, &self->coming_regions,
        frame->buffer, GST_MGPU_FILTER (self)->base.context);
  imported = gst_mgpu_input_import (input, frame->buffer, &image, error);
  ok = imported != NULL && (is_video (params)
      ? look_at_video (self, params, &image, error)
      : look_at_image (self, &image, error));
  if (imported != NULL)
    gst_mgpu_input_done (input, imported);
  return ok;
}

/* Forgets earlier frames if the GstMgpuMotionMeta of @buffer tells that the camera was moved. */
static void
find_move (GstMgpuInpaint * self, GstBuffer * buffer)
{
  GstMgpuMovingMeta *meta = gst_buffer_get_mgpu_moving_meta (buffer);
  gboolean is_moved = meta != NULL
      && g_strcmp0 (gst_mgpu_moving_meta_get_tamper (meta), "moved") == 0;

  if (is_moved && !self->was_moved) {
    GST_MGPU_DEBUG_OBJECT (self, "the camera was moved");
    g_atomic_int_set (&self->cut, TRUE);
  }
  self->was_moved = is_moved;
}

static gboolean
gst_mgpu_inpaint_came (GstMgpuLookAhead * ahead,
    const GstMgpuHeldFrame * frame, GError ** error)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (ahead);
  const GstMgpuInpaintParams *params = frame->params;

  /* If this frame passes because "enabled" is FALSE, forgets earlier frames: later frames must
   * not be filled from frames before the pause. */
  if (frame->is_resting) {
    g_atomic_int_set (&self->cut, TRUE);
    return TRUE;
  }
  find_move (self, frame->buffer);
  if (is_video (params) && (frame->is_discont
          || GST_BUFFER_IS_DISCONT (frame->buffer)))
    g_atomic_int_set (&self->cut, TRUE);
  if (g_atomic_int_compare_and_exchange (&self->cut, TRUE, FALSE)) {
    GST_MGPU_DEBUG_OBJECT (self,
        "forgetting earlier frames, because of a flush, a new segment, or "
        "frames that passed while \"enabled\" was off");
    gst_mgpu_look_ahead_drain (ahead);
    gst_mgpu_regions_forget (&GST_MGPU_FILTER (self)->mix.regions);
    gst_mgpu_regions_forget (&self->coming_regions);
    mgpu_inpaint_forget (self->inpaint);
    mgpu_inpaint_background_forget (self->behind);
    gst_mgpu_inpaint_video_forget (&self->video);
  } else if (!is_video (params)
      && gst_mgpu_inpaint_video_has_frames (&self->video)) {
    gst_mgpu_look_ahead_drain (ahead);
    gst_mgpu_inpaint_video_forget (&self->video);
  }
  return gst_mgpu_inpaint_count (frame->params) == 0
      || look_ahead (self, frame, error);
}

/* Determines the mask of a kept frame that is about to be processed and pushed. */
static void
gst_mgpu_inpaint_leaves (GstMgpuLookAhead * ahead,
    const GstMgpuHeldFrame * frame)
{
  GstMgpuFilter *filter = GST_MGPU_FILTER (ahead);
  GError *error = NULL;

  if (!frame->is_resting
      && !find_mask (GST_MGPU_INPAINT (ahead), frame->buffer, &error))
    filter->frame.flow = gst_mgpu_device_base_fail (&filter->base, error);
}

static gboolean
gst_mgpu_inpaint_passes (GstMgpuFilter * filter, GstBuffer * in,
    GError ** error)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (filter);
  const GstMgpuInpaintParams *params = filter->frame.params;

  if (self->is_video)
    return self->n_unknown == 0
        && !gst_mgpu_inpaint_video_has_frames (&self->video)
        && params->mask.source == GST_MGPU_MASK_SOURCE_PROPERTY;
  return !self->is_behind && self->result < MGPU_INPAINT_COPIES;
}

/* --- Work on frames --- */

static void
post_progress (GstMgpuInpaint * self, gint percent)
{
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self),
          gst_structure_new ("mgpu-inpaint-progress", "percent", G_TYPE_INT,
              percent, NULL)));
}

static gboolean
gst_mgpu_inpaint_progress (gdouble done, gpointer data)
{
  GstMgpuInpaint *self = data;
  gint64 now = g_get_monotonic_time ();

  /* 100 is for the frame that is finished. */
  self->percent = MIN ((gint) (100 * done), 99);
  if (now - self->begun >= PROGRESS_AFTER
      && (self->told == 0 || now - self->told >= PROGRESS_EVERY)) {
    self->told = now;
    post_progress (self, self->percent);
  }
  return !g_atomic_int_get (&self->flushing);
}

/* Updates the remembered background with the frame @in, except where something moves. Does nothing
 * if the background was already updated when the frame arrived. Returns: whether the background
 * includes the frame */
static gboolean
look_past_moving (GstMgpuInpaint * self, GstMgpuJob * job,
    const MgpuWork * work)
{
  const GstMgpuInpaintParams *params = work->params;
  const guint8 *hidden = self->mask.hidden;

  if (gst_mgpu_inpaint_count (params) > 0)
    return TRUE;
  if (hidden == NULL || params->camera == GST_MGPU_INPAINT_CAMERA_MOVES)
    return FALSE;
  if (mgpu_inpaint_background_is_cut (self->behind, job, work->in,
          &self->mask.light, hidden)) {
    GST_MGPU_DEBUG_OBJECT (self, "a new scene begins");
    mgpu_inpaint_background_forget (self->behind);
  }
  mgpu_inpaint_background_look (self->behind, job, work->in, hidden);
  return TRUE;
}

/* Fills the masked pixels of a frame. Returns: FALSE when a flush stopped the work */
static gboolean
fill (GstMgpuInpaint * self, GstMgpuJob * job, const MgpuWork * work)
{
  MgpuInpaintResult result;
  gboolean goes_on, is_new;

  if (!self->is_behind)
    return mgpu_inpaint_enqueue (self->inpaint, job, work->in, work->out,
        gst_mgpu_inpaint_progress, self);
  goes_on = mgpu_inpaint_background_enqueue (self->behind, self->inpaint, job,
      work->in, work->out, look_past_moving (self, job, work),
      gst_mgpu_inpaint_progress, self, &result, &is_new);
  /* Warns only if the result differs from that of the last mask, because masks may change with
   * each frame. */
  if (is_new && result != self->result) {
    self->result = result;
    say_result (self);
  }
  return goes_on;
}

/* Fills the masked pixels of a frame with mode=video. Remembers the frame first, unless that was done
 * when it arrived. */
static void
fill_video (GstMgpuInpaint * self, GstMgpuJob * job, const MgpuWork * work)
{
  const GstMgpuInpaintParams *params = work->params;
  GError *error = NULL;

  if (params->look_ahead == 0) {
    if (!begin_video (self, params, self->mask.unknown, &error)) {
      gst_mgpu_job_fail (job, error);
      return;
    }
    gst_mgpu_inpaint_video_look (&self->video, job, work->in,
        self->mask.unknown);
  }
  gst_mgpu_inpaint_video_fill (&self->video, GST_MGPU_FILTER (self), job, work,
      self->result == MGPU_INPAINT_LAYS ? self->mask.unknown : NULL);
}

/* Adds the numbers of pixels that were filled in this frame to self->n_filled. */
static void
count_filled (GstMgpuInpaint * self)
{
  guint n_seen = 0, n_unseen = self->n_unknown, n_passing = 0;

  if (self->is_behind)
    mgpu_inpaint_background_count (self->behind, &n_seen, &n_unseen,
        &n_passing);
  GST_MGPU_LOG_OBJECT (self,
      "filled %u pixels with remembered background, %u with the background "
      "behind passing objects, and %u with %s", n_seen, n_passing, n_unseen,
      result_texts[self->result]);
  GST_OBJECT_LOCK (self);
  self->n_filled[PASSING] += n_passing;
  self->n_filled[SEEN] += n_seen;
  if (self->result >= MGPU_INPAINT_COPIES)
    self->n_filled[self->result == MGPU_INPAINT_COPIES ? PATCHES : SURFACE] +=
        n_unseen;
  GST_OBJECT_UNLOCK (self);
}

/* Adds the number of pixels filled by each method to the statistics. */
static void
gst_mgpu_inpaint_describe (GstMgpuFilter * filter, GstStructure * stats)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (filter);
  guint64 n_filled[N_FILLINGS], n_video[LAYERS_N_COUNTS];

  gst_mgpu_inpaint_video_count (&self->video, filter, n_video);
  GST_OBJECT_LOCK (self);
  memcpy (n_filled, self->n_filled, sizeof (n_filled));
  GST_OBJECT_UNLOCK (self);
  n_filled[SEEN] += n_video[LAYERS_PLATE_PIXELS];
  for (guint i = 0; i < N_FILLINGS; i++)
    gst_structure_set (stats, fillings[i], G_TYPE_UINT64, n_filled[i], NULL);
  gst_structure_set (stats, "video-pixels", G_TYPE_UINT64,
      n_video[LAYERS_VIDEO_PIXELS], "spatial-pixels", G_TYPE_UINT64,
      n_video[LAYERS_SPATIAL_PIXELS], "video-cost", G_TYPE_DOUBLE,
      n_video[LAYERS_COSTS] > 0
      ? n_video[LAYERS_COST] / 64.0 / n_video[LAYERS_COSTS] : 0.0, NULL);
}

static void
gst_mgpu_inpaint_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuWork * work)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (filter);
  const GstMgpuInpaintParams *params = work->params;

  if (self->is_video) {
    fill_video (self, job, work);
    if (gst_mgpu_inpaint_params_restores (params))
      gst_mgpu_blend_restore (&filter->mix, job, filter->base.context,
          work->in, work->out);
    return;
  }
  set_temporal (self, params);
  mgpu_inpaint_background_set_passing (self->behind,
      params->mode == GST_MGPU_INPAINT_MODE_TEMPORAL);
  mgpu_inpaint_background_set_camera (self->behind,
      params->camera == GST_MGPU_INPAINT_CAMERA_MOVES);
  mgpu_inpaint_set_blend (self->inpaint, params->blend);
  mgpu_inpaint_set_seam (self->inpaint, params->smooth_seams);
  if (!self->is_behind)
    mgpu_inpaint_background_forget (self->behind);
  if (mgpu_inpaint_get_way (self->inpaint) != MGPU_INPAINT_UNFINISHED) {
    self->begun = g_get_monotonic_time ();
    self->told = 0;
  }
  /* If a flush has stopped the work, this frame is not pushed. */
  if (!fill (self, job, work))
    return;
  if (gst_mgpu_inpaint_params_restores (params))
    gst_mgpu_blend_restore (&filter->mix, job, filter->base.context, work->in,
        work->out);
  if (job->error == NULL)
    count_filled (self);
  if (mgpu_inpaint_get_way (self->inpaint) != MGPU_INPAINT_UNFINISHED) {
    if (self->told != 0)
      post_progress (self, 100);
    self->told = 0;
  } else if (g_get_monotonic_time () - self->told >= PROGRESS_EVERY) {
    GST_MGPU_LOG_OBJECT (self,
        "pushing the frame with only %d %% of the mask filled, because the "
        "time \"budget-ms\" is used up", self->percent);
    /* The last progress message tells the application that the frame is unfinished. */
    self->told = g_get_monotonic_time ();
    post_progress (self, self->percent);
  }
}

static gboolean
gst_mgpu_inpaint_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (trans);
  GstEventType type = GST_EVENT_TYPE (event);
  gboolean ret;

  if (type == GST_EVENT_FLUSH_STOP)
    g_atomic_int_set (&self->flushing, FALSE);
  ret = GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
  /* Forgets earlier frames, after the kept frames have been processed. */
  if (type == GST_EVENT_FLUSH_STOP || type == GST_EVENT_SEGMENT)
    g_atomic_int_set (&self->cut, TRUE);
  /* Stops the filling of the current frame, because downstream now refuses frames. */
  if (type == GST_EVENT_FLUSH_START)
    g_atomic_int_set (&self->flushing, TRUE);
  return ret;
}

static GstStateChangeReturn
gst_mgpu_inpaint_change_state (GstElement * element, GstStateChange transition)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (element);

  /* Stops the filling of the current frame before the parent class deactivates the pads, because
   * this waits for their threads. */
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    g_atomic_int_set (&self->flushing, TRUE);
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED) {
    g_atomic_int_set (&self->flushing, FALSE);
    self->has_hinted = FALSE;
    GST_OBJECT_LOCK (self);
    memset (self->n_filled, 0, sizeof (self->n_filled));
    GST_OBJECT_UNLOCK (self);
    gst_mgpu_inpaint_video_reset (&self->video, GST_MGPU_FILTER (self));
  }
  return GST_ELEMENT_CLASS (parent_class)->change_state (element, transition);
}

/* --- Functions of the class GObject --- */

static void
gst_mgpu_inpaint_changed (GstMgpuFilter * filter, guint i)
{
  gsize member = GST_MGPU_FILTER_GET_CLASS (filter)->params[i].offset;
  gboolean has_chosen;

  GST_OBJECT_LOCK (filter);
  has_chosen = gst_mgpu_inpaint_params_choose_source (filter->params, member);
  gst_mgpu_inpaint_params_count_change (filter->params, member);
  GST_OBJECT_UNLOCK (filter);
  if (has_chosen) {
    GST_MGPU_INFO_OBJECT (filter, "changed \"mask-source\" according to "
        "\"roi-type\"");
    g_object_notify (G_OBJECT (filter), "mask-source");
  }
  if (gst_mgpu_inpaint_params_change_latency (member))
    gst_mgpu_look_ahead_update_latency (GST_MGPU_LOOK_AHEAD (filter));
}

static void
gst_mgpu_inpaint_finalize (GObject * object)
{
  gst_mgpu_regions_clear (&GST_MGPU_INPAINT (object)->coming_regions);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_mgpu_inpaint_init (GstMgpuInpaint * self)
{
  gst_mgpu_regions_init (&self->coming_regions);
  GST_MGPU_FILTER (self)->mix.regions.turns = TRUE;
  self->coming_regions.turns = TRUE;
}

static void
gst_mgpu_inpaint_class_init (GstMgpuInpaintClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstMgpuLookAheadClass *ahead_class = GST_MGPU_LOOK_AHEAD_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_inpaint_finalize;
  element_class->change_state = gst_mgpu_inpaint_change_state;
  filter_class->prepare = gst_mgpu_inpaint_prepare;
  filter_class->unprepare = gst_mgpu_inpaint_unprepare;
  filter_class->passes = gst_mgpu_inpaint_passes;
  filter_class->needs_guide = gst_mgpu_inpaint_needs_guide;
  filter_class->enqueue = gst_mgpu_inpaint_enqueue;
  filter_class->describe = gst_mgpu_inpaint_describe;
  filter_class->changed = gst_mgpu_inpaint_changed;
  trans_class->sink_event = gst_mgpu_inpaint_sink_event;
  ahead_class->count = gst_mgpu_inpaint_count;
  ahead_class->came = gst_mgpu_inpaint_came;
  ahead_class->leaves = gst_mgpu_inpaint_leaves;

  gst_mgpu_filter_class_set_params (filter_class,
      gst_mgpu_inpaint_params_list (), sizeof (GstMgpuInpaintParams));
  gst_mgpu_filter_class_set_guide (filter_class, "mask_sink",
      GST_MGPU_CAPS_MASK);
  gst_element_class_set_static_metadata (element_class,
      "OpenCL inpainting", "Filter/Effect/Video",
      "Removes the objects that a mask covers: fills the masked pixels with "
      "patches from the surroundings", "The gst-mgpu authors");
}
