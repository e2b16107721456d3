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
 * What a mask covers is filled with patches from around it, in an order that
 * continues edges: the exemplar-based inpainting of Criminisi, Perez and Toyama.
 * The mask comes from an image file, a rectangle, regions of interest that the
 * frames carry, their transparent parts, or a second stream at the request pad
 * mask_sink.
 *
 * While a frame takes longer than 200 ms, element messages
 * "mgpu-inpaint-progress" with the field percent (#gint) say how far it is, at
 * most ten a second.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 videotestsrc num-buffers=5 pattern=smpte ! video/x-raw,width=160,height=120 ! mgpuinpaint rectangle=60,40,20,20 ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 0.1
 */
#include <gst/frame/gstmgpuguided.h>
#include <gst/frame/gstmgpuimport.h>
#include "elements.h"
#include "gstmgpuinpaintmask.h"

#include <gst/vision/inpaint/background.h>
#include <kernels/inpaint/shared.h>

GST_DEBUG_CATEGORY_STATIC (gst_mgpu_inpaint_debug);
#define GST_CAT_DEFAULT gst_mgpu_inpaint_debug

#define DEFAULT_MODE GST_MGPU_INPAINT_MODE_EXACT
#define DEFAULT_PATCH_SIZE 9
#define DEFAULT_SEARCH_FACTOR 1.0
#define DEFAULT_BLEND FALSE
#define DEFAULT_SMOOTH_SEAMS FALSE
#define DEFAULT_BACKGROUND FALSE
#define DEFAULT_BUDGET 0

#define MAX_SEARCH_FACTOR 1000.0
#define MAX_BUDGET 60000

/* Frames that take longer tell how far they are, so often. */
#define PROGRESS_AFTER (200 * G_TIME_SPAN_MILLISECOND)
#define PROGRESS_EVERY (100 * G_TIME_SPAN_MILLISECOND)

enum
{
  PROP_MODE = N_MASK_PROPS,
  PROP_PATCH_SIZE,
  PROP_SEARCH_FACTOR,
  PROP_BUDGET_MS,
  PROP_BLEND,
  PROP_SMOOTH_SEAMS,
  PROP_BACKGROUND
};

/**
 * GstMgpuInpaintMode:
 * @GST_MGPU_INPAINT_MODE_EXACT: each frame by itself
 * @GST_MGPU_INPAINT_MODE_TEMPORAL: from where the frame before was filled, or
 *   nearby, as long as that fits
 *
 * How frames are filled.
 *
 * Since: 0.1
 */
typedef enum
{
  GST_MGPU_INPAINT_MODE_EXACT,
  GST_MGPU_INPAINT_MODE_TEMPORAL
} GstMgpuInpaintMode;

#define GST_TYPE_MGPU_INPAINT_MODE (gst_mgpu_inpaint_mode_get_type ())

static GType
gst_mgpu_inpaint_mode_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_MGPU_INPAINT_MODE_EXACT, "Each frame by itself", "exact"},
    {GST_MGPU_INPAINT_MODE_TEMPORAL, "From where the frame before was filled, "
          "or nearby, as long as that fits", "temporal"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstMgpuInpaintMode",
            values));
  return type;
}

#define GST_TYPE_MGPU_INPAINT (gst_mgpu_inpaint_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuInpaint, gst_mgpu_inpaint, GST, MGPU_INPAINT,
    GstMgpuGuided);

struct _GstMgpuInpaint
{
  GstMgpuGuided parent;

  GstMgpuInpaintMaskSettings settings;  /* these seven under the object lock */
  MgpuInpaintParams params;
  GstMgpuInpaintMode mode;
  guint budget_ms;
  gboolean blend, smooth_seams;
  gboolean background;
  gint cut;                     /* atomic: the next frame is of another place */
  gint flushing;                /* atomic: nobody waits for the frame */

  GstMgpuInpaintMask mask;
  MgpuInpaint *inpaint;
  MgpuInpaintBackground *behind;
  gboolean is_behind;           /* of the frame at hand: filled with what is behind */
  MgpuInpaintParams planned;    /* what it has its mask for */
  gboolean has_mask;
  MgpuInpaintResult result;     /* of the frame at hand */
  GError *error;                /* why there is none */
  GstFlowReturn flow;           /* of the wait for it */
  gint64 begun, told;           /* the hole's filling, the last progress message */
  gint percent;                 /* of it that is done */
};

G_DEFINE_TYPE_WITH_CODE (GstMgpuInpaint, gst_mgpu_inpaint, GST_TYPE_MGPU_GUIDED,
    GST_DEBUG_CATEGORY_INIT (gst_mgpu_inpaint_debug, "mgpuinpaint", 0,
        "Inpainting on OpenCL"));
#define parent_class gst_mgpu_inpaint_parent_class
static gboolean
gst_mgpu_inpaint_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (filter);

  self->inpaint = mgpu_object_new (&mgpu_inpaint, context, info, NULL, NULL,
      NULL, error);
  if (self->inpaint != NULL)
    self->behind = mgpu_object_new (&mgpu_inpaint_background, context, info,
        NULL, NULL, NULL, error);
  /* Frees it here: unprepare() follows only what succeeded. */
  if (self->behind == NULL)
    g_clear_pointer (&self->inpaint, mgpu_object_free);
  self->has_mask = FALSE;
  self->result = MGPU_INPAINT_NOTHING;
  return self->behind != NULL;
}

static void
gst_mgpu_inpaint_unprepare (GstMgpuFilter * filter)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (filter);

  g_clear_pointer (&self->inpaint, mgpu_object_free);
  g_clear_pointer (&self->behind, mgpu_object_free);
  gst_mgpu_inpaint_mask_clear (&self->mask);
  g_clear_error (&self->error);
}

/* --- The mask of a frame --- */

/* Said once for each mask. */
static void
say_result (GstMgpuInpaint * self)
{
  if (self->result == MGPU_INPAINT_EVERYTHING)
    GST_ELEMENT_WARNING (self, STREAM, FAILED, ("%s: the mask covers the whole "
            "frame, which passes as it is: leave something to fill it with",
            GST_OBJECT_NAME (self)), (NULL));
  else if (self->result == MGPU_INPAINT_DIFFUSES)
    GST_ELEMENT_WARNING (self, STREAM, FAILED, ("%s: there is no patch of "
            "%dx%d pixels outside of the mask to fill it with; it becomes a "
            "blur: make \"patch-size\" or the mask smaller",
            GST_OBJECT_NAME (self), self->planned.patch_size,
            self->planned.patch_size), (NULL));
}

/* Gets what the pad mask_sink has for buffer; FALSE when there is none. */
static gboolean
take_picture (GstMgpuInpaint * self, GstBuffer * buffer,
    const GstMgpuInpaintMaskSettings * settings, GstVideoFrame * picture)
{
  GstMgpuGuided *guided = GST_MGPU_GUIDED (self);
  GstBuffer *frame = NULL;
  GError *error = NULL;
  GstVideoInfo info;
  gboolean ok;

  self->flow = GST_FLOW_OK;
  if (settings->source == GST_MGPU_INPAINT_MASK_SOURCE_PAD)
    self->flow = gst_mgpu_guided_take (guided, buffer, &frame, &info);
  else
    gst_mgpu_guided_skip (guided, buffer);
  if (frame == NULL)
    return FALSE;
  ok = gst_mgpu_import_map (&info, picture, frame, &error);
  gst_buffer_unref (frame);
  if (!ok) {
    g_prefix_error (&error, "the pad \"mask_sink\": ");
    self->flow = gst_mgpu_device_user_fail (&GST_MGPU_FILTER (self)->user,
        error);
  }
  return ok;
}

static void
find_mask (GstMgpuInpaint * self, GstBuffer * buffer)
{
  GstMgpuInpaintMaskSettings settings;
  GstVideoFrame picture;
  gboolean has_picture;
  MgpuInpaintParams params;
  gboolean changed;

  GST_OBJECT_LOCK (self);
  gst_mgpu_inpaint_mask_settings_copy (&self->settings, &settings);
  params = self->params;
  self->is_behind = self->background;
  GST_OBJECT_UNLOCK (self);

  /* A patch has a middle. */
  params.patch_size |= 1;
  g_clear_error (&self->error);
  has_picture = take_picture (self, buffer, &settings, &picture);
  if (self->flow == GST_FLOW_OK
      && gst_mgpu_inpaint_mask_update (&self->mask, &settings,
          &GST_MGPU_FILTER (self)->user.info, buffer,
          has_picture ? &picture : NULL, &changed, &self->error)
      && (changed || !self->has_mask
          || params.patch_size != self->planned.patch_size
          || params.search_factor != self->planned.search_factor)) {
    self->planned = params;
    self->has_mask = TRUE;
    if (self->is_behind) {
      /* What is left to be filled comes out with the frame. */
      mgpu_inpaint_background_set_mask (self->behind, self->mask.unknown,
          self->mask.forbidden, &params);
    } else {
      self->result = mgpu_inpaint_set_mask (self->inpaint, self->mask.unknown,
          self->mask.forbidden, &params);
      say_result (self);
    }
  }
  if (has_picture)
    gst_video_frame_unmap (&picture);
  gst_mgpu_inpaint_mask_settings_clear (&settings);
}

/* After the values of controllers are set, and before a frame is made. */
static void
gst_mgpu_inpaint_before_transform (GstBaseTransform * trans, GstBuffer * buffer)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (trans);

  GST_BASE_TRANSFORM_CLASS (parent_class)->before_transform (trans, buffer);
  /* After a rest no frame is the one before. */
  if (gst_mgpu_filter_is_resting (GST_MGPU_FILTER (self)))
    g_atomic_int_set (&self->cut, TRUE);
  else if (self->inpaint != NULL)
    find_mask (self, buffer);
}

static gboolean
gst_mgpu_inpaint_passes (GstMgpuFilter * filter)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (filter);

  return self->error == NULL && self->flow == GST_FLOW_OK && !self->is_behind
      && self->result < MGPU_INPAINT_COPIES;
}

static GstFlowReturn
gst_mgpu_inpaint_begin (GstMgpuFilter * filter, GstBuffer * in)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (filter);

  if (self->error == NULL)
    return self->flow;
  return gst_mgpu_device_user_fail (&filter->user,
      g_steal_pointer (&self->error));
}

/* --- Frames --- */

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

  self->percent = (gint) (100 * done);
  if (now - self->begun >= PROGRESS_AFTER
      && (self->told == 0 || now - self->told >= PROGRESS_EVERY)) {
    self->told = now;
    post_progress (self, self->percent);
  }
  return !g_atomic_int_get (&self->flushing);
}

/* Returns: FALSE when it was stopped */
static gboolean
fill (GstMgpuInpaint * self, GstMgpuJob * job, const MgpuImage * in,
    const MgpuImage * out)
{
  MgpuInpaintResult result;
  gboolean goes_on, is_new;

  if (!self->is_behind)
    return mgpu_inpaint_enqueue (self->inpaint, job, in, out,
        gst_mgpu_inpaint_progress, self);
  goes_on = mgpu_inpaint_background_enqueue (self->behind, self->inpaint, job,
      in, out, gst_mgpu_inpaint_progress, self, &result, &is_new);
  /* Masks that change in each frame would say the same in each frame. */
  if (is_new && result != self->result) {
    self->result = result;
    say_result (self);
  }
  return goes_on;
}

static void
gst_mgpu_inpaint_enqueue (GstMgpuFilter * filter, GstMgpuJob * job,
    const MgpuImage * in, const MgpuImage * out)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (filter);

  GST_OBJECT_LOCK (self);
  mgpu_inpaint_set_temporal (self->inpaint,
      self->mode == GST_MGPU_INPAINT_MODE_TEMPORAL,
      self->budget_ms * G_TIME_SPAN_MILLISECOND);
  mgpu_inpaint_set_blend (self->inpaint, self->blend);
  mgpu_inpaint_set_seam (self->inpaint, self->smooth_seams);
  GST_OBJECT_UNLOCK (self);
  if (g_atomic_int_compare_and_exchange (&self->cut, TRUE, FALSE)) {
    mgpu_inpaint_forget (self->inpaint);
    mgpu_inpaint_background_forget (self->behind);
  }
  if (!self->is_behind)
    mgpu_inpaint_background_forget (self->behind);
  if (mgpu_inpaint_get_way (self->inpaint) != MGPU_INPAINT_UNFINISHED) {
    self->begun = g_get_monotonic_time ();
    self->told = 0;
  }
  /* What is not finished because of a flush goes nowhere. */
  if (!fill (self, job, in, out))
    return;
  if (mgpu_inpaint_get_way (self->inpaint) != MGPU_INPAINT_UNFINISHED) {
    if (self->told != 0)
      post_progress (self, 100);
    self->told = 0;
  } else if (g_get_monotonic_time () - self->told >= PROGRESS_EVERY) {
    /* Who sees the frame knows that it is not all. */
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

  if (type == GST_EVENT_FLUSH_STOP || type == GST_EVENT_SEGMENT)
    g_atomic_int_set (&self->cut, TRUE);
  if (type == GST_EVENT_FLUSH_STOP)
    g_atomic_int_set (&self->flushing, FALSE);
  ret = GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
  /* Not before downstream refuses what is not finished. */
  if (type == GST_EVENT_FLUSH_START)
    g_atomic_int_set (&self->flushing, TRUE);
  return ret;
}

static GstStateChangeReturn
gst_mgpu_inpaint_change_state (GstElement * element, GstStateChange transition)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (element);

  /* Before the pads wait for their threads. */
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    g_atomic_int_set (&self->flushing, TRUE);
  else if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    g_atomic_int_set (&self->flushing, FALSE);
  return GST_ELEMENT_CLASS (parent_class)->change_state (element, transition);
}

/* --- GObject --- */

static void
gst_mgpu_inpaint_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (object);

  GST_OBJECT_LOCK (self);
  /* These come and go without another mask. */
  if (id != PROP_BUDGET_MS && id != PROP_BLEND && id != PROP_SMOOTH_SEAMS)
    self->settings.serial++;
  switch (id) {
    case PROP_MODE:
      self->mode = g_value_get_enum (value);
      break;
    case PROP_PATCH_SIZE:
      self->params.patch_size = g_value_get_int (value);
      break;
    case PROP_SEARCH_FACTOR:
      self->params.search_factor = g_value_get_double (value);
      break;
    case PROP_BUDGET_MS:
      self->budget_ms = g_value_get_uint (value);
      break;
    case PROP_BLEND:
      self->blend = g_value_get_boolean (value);
      break;
    case PROP_SMOOTH_SEAMS:
      self->smooth_seams = g_value_get_boolean (value);
      break;
    case PROP_BACKGROUND:
      self->background = g_value_get_boolean (value);
      break;
    default:
      if (!gst_mgpu_inpaint_mask_settings_set (&self->settings, id, value))
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_mgpu_inpaint_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstMgpuInpaint *self = GST_MGPU_INPAINT (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_MODE:
      g_value_set_enum (value, self->mode);
      break;
    case PROP_PATCH_SIZE:
      g_value_set_int (value, self->params.patch_size);
      break;
    case PROP_SEARCH_FACTOR:
      g_value_set_double (value, self->params.search_factor);
      break;
    case PROP_BUDGET_MS:
      g_value_set_uint (value, self->budget_ms);
      break;
    case PROP_BLEND:
      g_value_set_boolean (value, self->blend);
      break;
    case PROP_SMOOTH_SEAMS:
      g_value_set_boolean (value, self->smooth_seams);
      break;
    case PROP_BACKGROUND:
      g_value_set_boolean (value, self->background);
      break;
    default:
      if (!gst_mgpu_inpaint_mask_settings_get (&self->settings, id, value))
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_mgpu_inpaint_finalize (GObject * object)
{
  gst_mgpu_inpaint_mask_settings_clear (&GST_MGPU_INPAINT (object)->settings);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_mgpu_inpaint_init (GstMgpuInpaint * self)
{
  self->mode = DEFAULT_MODE;
  self->budget_ms = DEFAULT_BUDGET;
  self->params.patch_size = DEFAULT_PATCH_SIZE;
  self->params.search_factor = DEFAULT_SEARCH_FACTOR;
  self->params.shortcuts = MGPU_INPAINT_ALL_SHORTCUTS;
  gst_mgpu_inpaint_mask_settings_init (&self->settings);
  self->blend = DEFAULT_BLEND;
  self->smooth_seams = DEFAULT_SMOOTH_SEAMS;
  self->background = DEFAULT_BACKGROUND;
}

static void
install_quality_properties (GObjectClass * object_class)
{
  /**
   * GstMgpuInpaint:blend:
   *
   * Whether patches that overlap are blended: a pixel becomes the mean of what all
   * patches over it have, those that it is in the middle of counting most. With
   * #GstMgpuInpaint:smooth-seams that comes first.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_BLEND,
      g_param_spec_boolean ("blend", "Blend",
          "Whether patches that overlap are blended", DEFAULT_BLEND,
          GST_MGPU_LIVE));

  /**
   * GstMgpuInpaint:smooth-seams:
   *
   * Whether seams between patches, and between what is filled and what is around
   * it, are spread so far that they are not seen (Poisson's equation).
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_SMOOTH_SEAMS,
      g_param_spec_boolean ("smooth-seams", "Smooth seams",
          "Whether seams of patches are taken out (Poisson)",
          DEFAULT_SMOOTH_SEAMS, GST_MGPU_LIVE));

  /**
   * GstMgpuInpaint:background:
   *
   * Whether the camera stands still, so that what an object hides is filled with
   * what was seen there before, and only what never was with patches.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_BACKGROUND,
      g_param_spec_boolean ("background", "Background",
          "The camera stands still: fill with what was seen there before",
          DEFAULT_BACKGROUND, GST_MGPU_LIVE));
}

static void
install_filling_properties (GObjectClass * object_class)
{
  /**
   * GstMgpuInpaint:mode:
   *
   * How frames are filled. temporal fills a frame from where the one before was
   * filled, or from places nearby, as long as that fits: it does not flicker, and
   * takes little time.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_MODE,
      g_param_spec_enum ("mode", "Mode", "How frames are filled",
          GST_TYPE_MGPU_INPAINT_MODE, DEFAULT_MODE, GST_MGPU_LIVE));

  /**
   * GstMgpuInpaint:patch-size:
   *
   * Width and height of the patches that are copied: a little more than what
   * repeats itself in the picture. Even numbers count as the next odd one.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_PATCH_SIZE,
      g_param_spec_int ("patch-size", "Patch size",
          "Width and height of the patches that are copied (odd)",
          3, MAX_PATCH, DEFAULT_PATCH_SIZE, GST_MGPU_LIVE));

  /**
   * GstMgpuInpaint:search-factor:
   *
   * How far around an object patches are looked for: by how many times its
   * width and height on each side. -1, or any negative number: in the whole
   * frame. Where there is no patch, further away.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_SEARCH_FACTOR,
      g_param_spec_double ("search-factor", "Search factor",
          "How far around an object patches are looked for, in parts of its "
          "size (-1 = whole frame)", -1, MAX_SEARCH_FACTOR,
          DEFAULT_SEARCH_FACTOR, GST_MGPU_LIVE));

  /**
   * GstMgpuInpaint:budget-ms:
   *
   * With #GstMgpuInpaint:mode temporal: how many milliseconds a frame may take.
   * What is not done in time is filled with means of what is around it, or stays
   * where it is from, and is done in the next frames. 0: as long as it needs.
   *
   * Since: 0.1
   */
  g_object_class_install_property (object_class, PROP_BUDGET_MS,
      g_param_spec_uint ("budget-ms", "Budget",
          "mode=temporal: milliseconds that a frame may take; what is left is "
          "done in the next frames (0 = no limit)", 0, MAX_BUDGET,
          DEFAULT_BUDGET, GST_MGPU_LIVE));
}

static void
gst_mgpu_inpaint_class_init (GstMgpuInpaintClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);

  object_class->set_property = gst_mgpu_inpaint_set_property;
  object_class->get_property = gst_mgpu_inpaint_get_property;
  object_class->finalize = gst_mgpu_inpaint_finalize;
  element_class->change_state = gst_mgpu_inpaint_change_state;
  filter_class->prepare = gst_mgpu_inpaint_prepare;
  filter_class->unprepare = gst_mgpu_inpaint_unprepare;
  filter_class->passes = gst_mgpu_inpaint_passes;
  filter_class->begin = gst_mgpu_inpaint_begin;
  filter_class->enqueue = gst_mgpu_inpaint_enqueue;
  trans_class->sink_event = gst_mgpu_inpaint_sink_event;
  trans_class->before_transform = gst_mgpu_inpaint_before_transform;

  install_filling_properties (object_class);
  gst_mgpu_inpaint_mask_settings_install (object_class);
  install_quality_properties (object_class);

  gst_mgpu_guided_class_add_pad (element_class, "mask_sink",
      GST_VIDEO_CAPS_MAKE_WITH_FEATURES (GST_CAPS_FEATURE_MEMORY_OPENCL,
          "GRAY8") "; " GST_VIDEO_CAPS_MAKE ("GRAY8"));
  gst_element_class_set_static_metadata (element_class,
      "OpenCL inpainting", "Filter/Effect/Video",
      "Removes what a mask covers and fills its place with patches from around",
      "The gst-mgpu authors");
  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_INPAINT_MASK_SOURCE, 0);
  gst_type_mark_as_plugin_api (GST_TYPE_MGPU_INPAINT_MODE, 0);
}
