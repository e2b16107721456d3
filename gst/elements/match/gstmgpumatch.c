/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * SECTION:element-mgpumatch
 * @title: mgpumatch
 * @short_description: finds known reference images in frames, on an OpenCL device
 *
 * Searches for known pictures (reference images) in frames, by the keypoints that mgpusift has
 * found. For each picture that is found, the frame gets a region of interest, and an entry in its
 * #GstMgpuPictureMeta with the homography that maps the picture to the frame. Messages report
 * when pictures appear and disappear.
 *
 * ## Example launch line
 * |[
 * gst-launch-1.0 filesrc location=/usr/share/doc/opencv-doc/examples/data/box_in_scene.png ! pngdec ! imagefreeze num-buffers=4 ! videoconvert ! mgpusift ! mgpumatch pictures=/usr/share/doc/opencv-doc/examples/data/box.png ! mgpuoverlay ! videoconvert ! autovideosink
 * ]|
 *
 * Since: 1.0
 */
#include <gst/frame/gstmgpufilterparams.h>
#include <gst/frame/gstmgpuparams.h>
#include <gst/frame/gstmgpupending.h>

#include <string.h>

#include <gst/methods/keypointmatch.h>
#include <gst/vision/base/array.h>

#include <gst/elements/elements.h>
#include "gstmgpumatchguide.h"
#include "gstmgpumatchmetas.h"
#include "gstmgpumatchpictures.h"
#include <gst/elements/gstmgpupoints.h>
#include <gst/elements/messages.h>
#include <gst/elements/region.h>

/* Values of the properties of the element */
typedef struct
{
  gchar *pictures;
  guint max_features;
  gdouble ratio, threshold;
  guint min_inliers, appear_frames, disappear_frames;
  gboolean post_messages;
} Params;

#define MEMBER(name) G_STRUCT_OFFSET (Params, name)

static const MgpuParam params[] = {
  {"pictures", MGPU_PARAM_STRING, MEMBER (pictures), 0, 0, 0, NULL,
      "Files with the reference images to find, separated by ':' (PNG, JPEG or "
        "PGM)", TRUE},
  {"max-features", MGPU_PARAM_UINT, MEMBER (max_features), 16, 100000, 500,
        NULL,
        "Maximum number of keypoints of each reference image; the strongest are kept",
      TRUE},
  {"ratio", MGPU_PARAM_DOUBLE, MEMBER (ratio), 0, 1, 0.75, NULL,
      "Limit of the ratio test: a descriptor of the frame matches its nearest "
        "descriptor of a reference image if the distance to it is less than "
        "this fraction of the distance to the second nearest"},
  {"threshold", MGPU_PARAM_DOUBLE, MEMBER (threshold), 0.1, 100, 3, NULL,
      "Maximum reprojection error of an inlier, in pixels: distance between a "
        "keypoint and its match in the reference image after the homography "
        "was applied"},
  {"min-inliers", MGPU_PARAM_UINT, MEMBER (min_inliers), 4, 10000, 12, NULL,
      "Minimum number of inliers for a reference image to count as found (up "
        "to 7 matches may agree by chance)"},
  {"appear-frames", MGPU_PARAM_UINT, MEMBER (appear_frames), 1, 1000, 2, NULL,
      "Number of successive frames in which a reference image must be found "
        "before it counts as appeared"},
  {"disappear-frames", MGPU_PARAM_UINT, MEMBER (disappear_frames), 1, 1000, 10,
        NULL,
      "Number of successive frames in which a reference image must be missing "
        "before it counts as disappeared"},
  {"post-messages", MGPU_PARAM_BOOLEAN, MEMBER (post_messages), 0, 1, TRUE,
        NULL,
      "Whether to post element messages when reference images appear and "
        "disappear"},
  {NULL}
};

#define GST_TYPE_MGPU_MATCH (gst_mgpu_match_get_type ())
G_DECLARE_FINAL_TYPE (GstMgpuMatch, gst_mgpu_match, GST, MGPU_MATCH,
    GstMgpuFilter);

enum
{
  SIGNAL_ADD_PICTURE,
  SIGNAL_REMOVE_PICTURE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

struct _GstMgpuMatch
{
  GstMgpuFilter parent;

  guint id;                     /* number of this element, from 1; identifies the pictures that
                                 * this element found */
  GstMgpuMatchPictures *pictures;       /* the known pictures */
  GstMgpuPointKernels kernels;
  GstClockTime time, duration;  /* timestamp and duration of the last frame, in ns; only the
                                 * streaming thread uses them */
  guint newest;                 /* number of the newest picture at the time when a frame was last
                                 * searched with the current kernels; only the streaming thread uses
                                 * this member */

  /* The members below, and the pictures, are used by the thread that completes frames, and, while
   * no frame is in flight, by the streaming thread. */
  MgpuMatchTable table;         /* table on the device with the descriptors of all known
                                 * pictures */
  GArray *in_table;             /* array of guint, the key of @table: the type of the
                                 * descriptors, then the number of each known
                                 * picture */
};

#define gst_mgpu_match_parent_class parent_class
G_DEFINE_TYPE (GstMgpuMatch, gst_mgpu_match, GST_TYPE_MGPU_FILTER);

/* Data with which a frame in flight is completed */
typedef struct
{
  GstMgpuFilter *filter;        /* reference to the element */
  Params *params;               /* the values of the properties for the frame */
  GPtrArray *pictures;          /* the known pictures at the time when the frame arrived */
  gint width, height;           /* format of the frame */
  GstClockTime time, duration;  /* timestamp of the frame, in ns */
} Pending;

static void
pending_free (gpointer data)
{
  Pending *self = data;

  gst_mgpu_filter_free_params (self->filter, self->params);
  g_ptr_array_unref (self->pictures);
  gst_object_unref (self->filter);
  g_free (self);
}

/* Returns: the values of the properties for the current frame */
static const Params *
get_params (GstMgpuMatch * self)
{
  return GST_MGPU_FILTER (self)->frame.params;
}

/* ---- Known pictures that the application adds and removes -------------------- */

static guint
gst_mgpu_match_add_picture (GstMgpuMatch * self, const gchar * name,
    GstSample * sample)
{
  GstMgpuMatchPicture *picture;
  GError *error = NULL;
  gchar *text;

  if (name == NULL || sample == NULL)
    return 0;
  picture = gst_mgpu_match_picture_new (name, sample, &error);
  if (picture != NULL)
    GST_MGPU_DEBUG_OBJECT (self,
        "adding the reference image %s of %dx%d pixels, as requested by the "
        "application", name, picture->width, picture->height);
  if (picture != NULL)
    return gst_mgpu_match_pictures_add (self->pictures, picture);
  text = g_utf8_make_valid (error->message, -1);
  GST_ELEMENT_WARNING (self, RESOURCE, SETTINGS, ("%s: %s",
          GST_OBJECT_NAME (self), text), (NULL));
  g_free (text);
  g_error_free (error);
  return 0;
}

static gboolean
gst_mgpu_match_remove_picture (GstMgpuMatch * self, const gchar * name)
{
  GST_MGPU_DEBUG_OBJECT (self, "removing the reference image %s, as requested "
      "by the application", name);
  return gst_mgpu_match_pictures_remove (self->pictures, name) > 0;
}

/* ---- Appearance and disappearance of known pictures ------------------------------------ */

static void
post (GstMgpuMatch * self, const GstMgpuMatchPicture * picture,
    const gchar * event, const Params * params, GstClockTime time,
    GstClockTime duration)
{
  GstStructure *s;

  GST_MGPU_DEBUG_OBJECT (self, "picture %s %s", picture->name, event);
  if (!params->post_messages)
    return;
  s = gst_mgpu_message_new_structure ("mgpu-picture",
      GST_BASE_TRANSFORM (self), time, duration);
  gst_mgpu_message_set_text (s, "name", picture->name);
  gst_structure_set (s, "event", G_TYPE_STRING, event,
      "number", G_TYPE_UINT, picture->number,
      "x", G_TYPE_INT, picture->box.x, "y", G_TYPE_INT, picture->box.y,
      "width", G_TYPE_INT, picture->box.w, "height", G_TYPE_INT, picture->box.h,
      "inliers", G_TYPE_UINT, picture->last.n_inliers, NULL);
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self), s));
}

/* Resets, for each known picture of an array, the counts of frames and the position where it was
 * found, after the last frame in flight was pushed. */
static void
forget (GstMgpuMatch * self, const GPtrArray * pictures)
{
  gst_mgpu_in_flight_drain (&GST_MGPU_FILTER (self)->output.in_flight);
  for (guint i = 0; i < pictures->len; i++) {
    GstMgpuMatchPicture *picture = pictures->pdata[i];
    const gchar *event = gst_mgpu_presence_forget (&picture->presence);

    if (event != NULL)
      post (self, picture, event, get_params (self), self->time,
          self->duration);
  }
}

static void
forget_all (GstMgpuMatch * self)
{
  g_autoptr (GPtrArray) pictures =
      gst_mgpu_match_pictures_list (self->pictures);

  forget (self, pictures);
}

/* Counts a frame in which a known picture was found or was missing. */
static void
note (GstMgpuMatch * self, GstMgpuMatchPicture * picture, gboolean is_found,
    const Pending * pending)
{
  const Params *params = pending->params;
  const gchar *event = gst_mgpu_presence_note (&picture->presence, is_found,
      params->appear_frames, params->disappear_frames);

  if (event != NULL)
    post (self, picture, event, params, pending->time, pending->duration);
}

/* Drops the known pictures that the application has removed since the last frame. */
static void
drop_removed (GstMgpuMatch * self)
{
  g_autoptr (GPtrArray) removed =
      gst_mgpu_match_pictures_take_removed (self->pictures);

  if (removed->len > 0)
    forget (self, removed);
}

/* ---- Work on frames ------------------------------------------------------------ */

/* Posts a warning, once, if a picture with @n keypoints is unlikely to be found, because it is
 * larger than the frames and has more keypoints than are kept. In a frame that contains the whole
 * picture, the picture is scaled down, and its small keypoints are lost; but most of the kept
 * keypoints, the strongest ones, are small. */
static void
warn_large (GstMgpuMatch * self, GstMgpuMatchPicture * picture, guint n,
    const Pending * info)
{
  guint most = info->params->max_features;
  gchar *name;

  if (picture->warned_large || n < most || (gint64) picture->width *
      picture->height <= (gint64) info->width * info->height)
    return;
  picture->warned_large = TRUE;
  /* Converts the file name for the message, because it may contain bytes that are not UTF-8. */
  name = g_utf8_make_valid (picture->name, -1);
  GST_ELEMENT_WARNING (self, STREAM, FAILED,
      ("%s: the reference image %s of %dx%d pixels is larger than the frames, and has "
          "more than the %u keypoints that are kept, so it may not be found "
          "where it is small: scale it down to its size in the frames, or raise "
          "\"max-features\"", GST_OBJECT_NAME (self), name, picture->width,
          picture->height, most), (NULL));
  g_free (name);
}

/* Finds the keypoints of a known picture, unless they were found before. Posts a warning, once, if
 * the picture has too few or too many keypoints. Returns: (transfer none): the keypoints; NULL with
 * the error set on failure */
static GstMgpuKeypointMeta *
describe (GstMgpuMatch * self, GstMgpuMatchPicture * picture,
    GstMgpuDescriptorType type, const Pending * pending, GError ** error)
{
  const Params *params = pending->params;
  GstMgpuKeypointMeta *meta = gst_mgpu_match_picture_describe (picture,
      GST_MGPU_FILTER (self)->base.queue, params->max_features, type, error);
  guint n;

  if (meta == NULL)
    return NULL;
  n = gst_mgpu_keypoint_meta_get_n_keypoints (meta);
  GST_MGPU_LOG_OBJECT (self,
      "reference image %s of %dx%d pixels: found %u keypoints (maximum: %u)",
      picture->name, picture->width, picture->height, n, params->max_features);
  warn_large (self, picture, n, pending);
  if (n < params->min_inliers && !picture->warned_few) {
    gchar *name = g_utf8_make_valid (picture->name, -1);

    picture->warned_few = TRUE;
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("%s: the reference image %s has %u keypoints, too few to be found: use one "
            "that shows more, or lower \"min-inliers\"", GST_OBJECT_NAME (self),
            name, n), (NULL));
    g_free (name);
  }
  return meta;
}

/* Fills the descriptor table with the descriptors of all known pictures, unless the table
 * contains them already. The array @metas has the keypoint meta of each picture. Returns: FALSE
 * with the error set on failure */
static gboolean
fill_table (GstMgpuMatch * self, GstMgpuDescriptorType type,
    const GPtrArray * pictures, const GPtrArray * metas, GError ** error)
{
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE, sizeof (guint));
  guint first = type;
  gboolean ok;

  g_array_append_val (wanted, first);
  for (guint i = 0; i < pictures->len; i++)
    g_array_append_val (wanted,
        ((GstMgpuMatchPicture *) pictures->pdata[i])->number);
  ok = mgpu_arrays_are_same (wanted, self->in_table);
  if (!ok) {
    GST_MGPU_DEBUG_OBJECT (self,
        "writing the descriptors of %u reference images to the device",
        pictures->len);
    g_array_set_size (self->in_table, 0);
    ok = mgpu_match_table_fill (&self->table,
        GST_MGPU_FILTER (self)->base.queue,
        (GstMgpuKeypointMeta * const *) metas->pdata, metas->len, error);
    if (ok)
      g_array_append_vals (self->in_table, wanted->data, wanted->len);
  }
  return ok;
}

/* Matches the descriptors of each known picture with those of a frame. Appends the keypoint meta
 * of each picture to the empty array @metas. Returns: (transfer full): an array of GBytes, the
 * matches of each picture; NULL with the error set on failure */
static GPtrArray *
match (GstMgpuMatch * self, const Pending * pending,
    GstMgpuKeypointMeta * frame, GPtrArray * metas, GError ** error)
{
  const Params *params = pending->params;
  const GPtrArray *pictures = pending->pictures;
  GstMgpuDescriptorType type =
      gst_mgpu_keypoint_meta_get_descriptor_type (frame);

  for (guint i = 0; i < pictures->len; i++) {
    GstMgpuKeypointMeta *meta =
        describe (self, pictures->pdata[i], type, pending, error);

    if (meta == NULL)
      return NULL;
    g_ptr_array_add (metas, meta);
  }
  return fill_table (self, type, pictures, metas, error)
      ? mgpu_match_table_match (&self->table,
      GST_MGPU_FILTER (self)->base.queue, frame, params->ratio,
      params->min_inliers, error) : NULL;
}

/* Returns: the name of a known picture in UTF-8, for its region of interest and its meta. The
 * name is interned, because types of regions are interned. Call this function only for a picture
 * that was found, so that other names are not interned */
static const gchar *
intern_name (const GstMgpuMatchPicture * picture)
{
  g_autofree gchar *valid = g_utf8_make_valid (picture->name, -1);

  return g_intern_string (valid);
}

/* Refines the homography @matrix of a picture that was found, and its *@corners (transfer full).
 * Leaves both unchanged if the refined corners are not plausible for a picture. */
static gboolean
refine (const Pending * pending, GstMgpuMatchPicture * picture,
    GstMgpuKeypointMeta * meta, GstMgpuKeypointMeta * frame, GstMgpuFit * fit,
    const GstMgpuFitOptions * options, gdouble * matrix, gdouble ** corners,
    GError ** error)
{
  GstMgpuFit *better = gst_mgpu_match_guide (meta, frame, fit, options, error);
  GstVideoRectangle box;
  gdouble *places;

  if (better == NULL)
    return FALSE;
  places = gst_mgpu_fit_project_corners (better, picture->width,
      picture->height);
  if (places != NULL
      && gst_mgpu_match_find_box (pending->width, pending->height, places,
          &box)) {
    memcpy (matrix, gst_mgpu_fit_get_matrix (better), 9 * sizeof (gdouble));
    g_free (*corners);
    *corners = g_steal_pointer (&places);
    picture->box = box;
  }
  g_free (places);
  gst_mgpu_fit_unref (better);
  return TRUE;
}

/* Searches for a known picture in a frame. @meta: keypoints of the picture; @frame: keypoints of
 * the frame; @matches: matches between both. Sets *@is_found to whether the picture was found.
 * Returns: FALSE with the error set on failure */
static gboolean
find (GstMgpuMatch * self, GstMgpuMatchPicture * picture,
    GstMgpuKeypointMeta * meta, GstMgpuKeypointMeta * frame, GBytes * matches,
    const Pending * pending, gboolean * is_found, GError ** error)
{
  const Params *params = pending->params;
  GstMgpuFitOptions options = { params->threshold, 2048, 0 };
  GstMgpuPicture found = { NULL, picture->number, 0, picture->width,
    picture->height
  };
  GstMgpuFit *fit = NULL;
  gdouble *corners = NULL;
  gboolean ok = TRUE;

  matches = gst_mgpu_drop_unplaced (meta, frame, g_bytes_ref (matches));
  found.n_matches = g_bytes_get_size (matches) / sizeof (GstMgpuKeypointMatch);
  if (found.n_matches >= params->min_inliers) {
    fit = gst_mgpu_keypoint_meta_fit (meta, frame, matches,
        GST_MGPU_FIT_MODEL_HOMOGRAPHY, &options, error);
    if (fit == NULL) {
      g_bytes_unref (matches);
      return FALSE;
    }
    found.n_inliers = gst_mgpu_fit_get_n_inliers (fit);
    if (found.n_inliers >= params->min_inliers)
      corners = gst_mgpu_fit_project_corners (fit, picture->width,
          picture->height);
  }
  GST_MGPU_LOG_OBJECT (self, "reference image %s: %u matches, of which %u are "
      "inliers of the homography; the minimum is %u inliers", picture->name,
      found.n_matches, found.n_inliers, params->min_inliers);
  g_bytes_unref (matches);
  *is_found = corners != NULL
      && gst_mgpu_match_find_box (pending->width, pending->height, corners,
      &picture->box);
  if (*is_found) {
    found.name = intern_name (picture);
    found.finder = self->id;
    memcpy (found.matrix, gst_mgpu_fit_get_matrix (fit), sizeof (found.matrix));
    ok = refine (pending, picture, meta, frame, fit, &options, found.matrix,
        &corners, error);
    memcpy (found.corners, corners, sizeof (found.corners));
    picture->last = found;
  }
  g_free (corners);
  g_clear_pointer (&fit, gst_mgpu_fit_unref);
  return ok;
}

/* Searches the writable frame @buffer, which has descriptors, for all known pictures, waiting for the
 * device. Attaches regions of interest and a meta for the pictures that are found. */
static gboolean
search (GstMgpuMatch * self, const Pending * pending, GstBuffer * buffer,
    GError ** error)
{
  const GPtrArray *pictures = pending->pictures;
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (buffer);
  GPtrArray *metas = g_ptr_array_new (), *matches;
  g_autoptr (GArray) found = NULL;
  guint n_others;
  gboolean ok;

  found = g_array_new (FALSE, FALSE, sizeof (GstMgpuPicture));
  matches = match (self, pending, meta, metas, error);
  ok = matches != NULL;
  if (ok)
    gst_mgpu_match_take_others (GST_ELEMENT (self), self->id, buffer, found);
  n_others = found->len;
  for (guint i = 0; i < pictures->len && ok; i++) {
    GstMgpuMatchPicture *picture = pictures->pdata[i];
    gboolean is_found = FALSE;

    ok = find (self, picture, metas->pdata[i], meta, matches->pdata[i],
        pending, &is_found, error);
    if (!ok)
      break;
    if (is_found) {
      gst_mgpu_match_attach_region (picture, buffer);
      g_array_append_val (found, picture->last);
    }
    note (self, picture, is_found, pending);
  }
  GST_MGPU_LOG_OBJECT (self, "found %u of %u reference images",
      found->len - n_others, pictures->len);
  if (ok && found->len > n_others)
    gst_buffer_add_mgpu_picture_meta (buffer, (GstMgpuPicture *) found->data,
        found->len);
  g_clear_pointer (&matches, g_ptr_array_unref);
  g_ptr_array_unref (metas);
  return ok;
}

/* Searches a frame immediately if the kernels or a known picture are new, so that PROGRESS messages
 * report what is being built. For other frames, attaches the data that gst_mgpu_match_finish()
 * needs to search them. */
static gboolean
gst_mgpu_match_attach (GstMgpuFilter * filter, GstBuffer * buffer,
    GError ** error)
{
  GstMgpuMatch *self = GST_MGPU_MATCH (filter);
  Pending *pending = g_new0 (Pending, 1);
  guint newest = 0;
  gboolean ok = TRUE;

  pending->filter = gst_object_ref (filter);
  pending->params = gst_mgpu_filter_copy_frame_params (filter);
  pending->pictures = gst_mgpu_match_pictures_list (self->pictures);
  pending->width = filter->input.info.width;
  pending->height = filter->input.info.height;
  pending->time = self->time;
  pending->duration = self->duration;
  for (guint i = 0; i < pending->pictures->len; i++)
    newest = MAX (newest,
        ((GstMgpuMatchPicture *) pending->pictures->pdata[i])->number);
  if (newest <= self->newest) {
    gst_mgpu_pending_set (buffer, pending, pending_free);
  } else {
    gst_mgpu_in_flight_drain (&filter->output.in_flight);
    ok = search (self, pending, buffer, error);
    pending_free (pending);
    self->newest = newest;
  }
  return ok;
}

/* Searches the frame *@buffer in the thread that pushes it. */
static GstFlowReturn
gst_mgpu_match_finish (GstMgpuFilter * filter, gpointer pending,
    GstBuffer ** buffer, GError ** error)
{
  return search (GST_MGPU_MATCH (filter), pending, *buffer, error)
      ? GST_FLOW_OK : GST_FLOW_ERROR;
}

/* Counts a frame, and warns if nothing can be found, because there is no known picture or because
 * frames have no keypoints with descriptors. */
static void
watch (GstMgpuMatch * self, GstBuffer * buffer, gboolean has_points,
    gboolean has_descriptors)
{
  static const gchar *const makers[] = { "mgpusift", NULL };
  GPtrArray *pictures = gst_mgpu_match_pictures_list (self->pictures);
  gboolean has_pictures = pictures->len > 0;
  const gchar *cause;

  g_ptr_array_unref (pictures);
  if (!has_pictures)
    cause = "the element has no reference image: set \"pictures\", or add one "
        "with the signal add-picture";
  else if (!has_points)
    cause = "the frames have no keypoints: put mgpusift before this element";
  else
    cause =
        "the keypoints of the frames have no descriptors: put mgpusift with "
        "descriptor=sift or rootsift before this element";
  if (gst_mgpu_watch_is_idle (&GST_MGPU_FILTER (self)->watch, buffer,
          !has_pictures || !has_descriptors, has_pictures
          && !has_points ? makers : NULL))
    GST_ELEMENT_WARNING (self, STREAM, FAILED,
        ("%s: no frame was searched for reference images in the last second, "
            "because %s", GST_OBJECT_NAME (self), cause), (NULL));
}

static void
gst_mgpu_match_before_transform (GstBaseTransform * trans, GstBuffer * in)
{
  GstMgpuMatch *self = GST_MGPU_MATCH (trans);

  GST_BASE_TRANSFORM_CLASS (parent_class)->before_transform (trans, in);
  self->time = GST_BUFFER_PTS (in);
  self->duration = GST_BUFFER_DURATION (in);
  drop_removed (self);
  if (GST_MGPU_FILTER (self)->frame.is_resting)
    forget_all (self);
}

/* Returns: whether the frame @in has keypoints with descriptors, so that it can be searched */
static gboolean
gst_mgpu_match_looks (GstMgpuFilter * filter, GstBuffer * in, GError ** error)
{
  GstMgpuKeypointMeta *meta = gst_buffer_get_mgpu_keypoint_meta (in);
  gboolean has_descriptors = meta != NULL
      && gst_mgpu_keypoint_meta_get_descriptor_type (meta)
      != GST_MGPU_DESCRIPTOR_TYPE_NONE;

  watch (GST_MGPU_MATCH (filter), in, meta != NULL, has_descriptors);
  if (!has_descriptors)
    GST_MGPU_LOG_OBJECT (filter, "%" GST_PTR_FORMAT " passes unchanged, "
        "because it has no keypoints with descriptors", in);
  return has_descriptors;
}

/* ---- Handling of states and events --------------------------------------------- */

static gboolean
gst_mgpu_match_start (GstBaseTransform * trans)
{
  GstMgpuMatch *self = GST_MGPU_MATCH (trans);
  GstMgpuFilter *filter = GST_MGPU_FILTER (trans);
  Params *now;
  GError *error = NULL;
  gboolean ok;

  if (!GST_BASE_TRANSFORM_CLASS (parent_class)->start (trans))
    return FALSE;
  self->time = self->duration = GST_CLOCK_TIME_NONE;
  now = gst_mgpu_filter_copy_params (filter);
  ok = now->pictures == NULL || gst_mgpu_match_pictures_load (self->pictures,
      now->pictures, GST_ELEMENT (self), &error);
  gst_mgpu_filter_free_params (filter, now);
  if (!ok) {
    gst_mgpu_device_base_fail (&filter->base, error);
    GST_BASE_TRANSFORM_CLASS (parent_class)->stop (trans);
    gst_mgpu_match_pictures_reset (self->pictures);
  }
  return ok;
}

static gboolean
gst_mgpu_match_stop (GstBaseTransform * trans)
{
  gboolean ok = GST_BASE_TRANSFORM_CLASS (parent_class)->stop (trans);

  gst_mgpu_match_pictures_reset (GST_MGPU_MATCH (trans)->pictures);
  return ok;
}

static gboolean
gst_mgpu_match_set_caps (GstBaseTransform * trans, GstCaps * in, GstCaps * out)
{
  const GstVideoInfo *info = &GST_MGPU_FILTER (trans)->input.info;
  GstVideoInfo next;

  /* If the frame size changes, forgets where known pictures were found, because positions in frames
   * of different sizes cannot be compared. */
  if (gst_video_info_from_caps (&next, in) && (next.width != info->width
          || next.height != info->height))
    forget_all (GST_MGPU_MATCH (trans));
  return GST_BASE_TRANSFORM_CLASS (parent_class)->set_caps (trans, in, out);
}

static gboolean
gst_mgpu_match_sink_event (GstBaseTransform * trans, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    forget_all (GST_MGPU_MATCH (trans));
  return GST_BASE_TRANSFORM_CLASS (parent_class)->sink_event (trans, event);
}

/* Makes all programs that the search for the known pictures needs. The programs for a picture that
 * is added later are built with the next frame. */
static gboolean
gst_mgpu_match_prepare (GstMgpuFilter * filter, GstMgpuContext * context,
    const GstVideoInfo * info, GError ** error)
{
  GstMgpuMatch *self = GST_MGPU_MATCH (filter);
  g_autoptr (GPtrArray) pictures =
      gst_mgpu_match_pictures_list (self->pictures);
  gboolean ok = pictures->len == 0
      || gst_mgpu_point_kernels_prepare (&self->kernels, context, error);

  for (guint i = 0; i < pictures->len && ok; i++)
    ok = gst_mgpu_match_picture_prepare (pictures->pdata[i], context,
        get_params (self)->max_features, error);
  return ok;
}

static void
gst_mgpu_match_unprepare (GstMgpuFilter * filter)
{
  GstMgpuMatch *self = GST_MGPU_MATCH (filter);
  g_autoptr (GPtrArray) pictures =
      gst_mgpu_match_pictures_list (self->pictures);

  self->newest = 0;
  gst_mgpu_point_kernels_clear (&self->kernels);
  mgpu_match_table_clear (&self->table);
  g_array_set_size (self->in_table, 0);
  for (guint i = 0; i < pictures->len; i++)
    gst_mgpu_match_picture_unprepare (pictures->pdata[i]);
}

static void
gst_mgpu_match_finalize (GObject * object)
{
  GstMgpuMatch *self = GST_MGPU_MATCH (object);

  mgpu_match_table_clear (&self->table);
  g_array_unref (self->in_table);
  gst_mgpu_match_pictures_free (self->pictures);
  G_OBJECT_CLASS (parent_class)->finalize (object);
}

static void
gst_mgpu_match_init (GstMgpuMatch * self)
{
  self->id = gst_mgpu_new_finder ();
  self->pictures = gst_mgpu_match_pictures_new ();
  self->in_table = g_array_new (FALSE, FALSE, sizeof (guint));
}

static void
install_signals (GstMgpuMatchClass * klass)
{
  /**
   * GstMgpuMatch::add-picture:
   * @element: the element
   * @name: name of the picture
   * @sample: a video frame with the picture, of any format
   *
   * Adds a picture. The search for it starts with the next frame. It replaces an earlier picture
   * of the same name.
   *
   * Returns: the number of the picture; 0 after a warning, when @sample cannot be read
   *
   * Since: 1.0
   */
  signals[SIGNAL_ADD_PICTURE] = g_signal_new_class_handler ("add-picture",
      G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
      G_CALLBACK (gst_mgpu_match_add_picture), NULL, NULL, NULL, G_TYPE_UINT, 2,
      G_TYPE_STRING, GST_TYPE_SAMPLE);

  /**
   * GstMgpuMatch::remove-picture:
   * @element: the element
   * @name: name of a picture
   *
   * Removes a picture before the next frame. If it was visible in the last frame, a message
   * reports that it has disappeared.
   *
   * Returns: whether there was a picture of that name
   *
   * Since: 1.0
   */
  signals[SIGNAL_REMOVE_PICTURE] = g_signal_new_class_handler ("remove-picture",
      G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION,
      G_CALLBACK (gst_mgpu_match_remove_picture), NULL, NULL, NULL,
      G_TYPE_BOOLEAN, 1, G_TYPE_STRING);
}

static void
gst_mgpu_match_class_init (GstMgpuMatchClass * klass)
{
  GstBaseTransformClass *trans_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstMgpuFilterClass *filter_class = GST_MGPU_FILTER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_mgpu_match_finalize;
  trans_class->start = gst_mgpu_match_start;
  trans_class->stop = gst_mgpu_match_stop;
  trans_class->set_caps = gst_mgpu_match_set_caps;
  trans_class->sink_event = gst_mgpu_match_sink_event;
  trans_class->before_transform = gst_mgpu_match_before_transform;
  filter_class->prepare = gst_mgpu_match_prepare;
  filter_class->unprepare = gst_mgpu_match_unprepare;
  filter_class->passes = gst_mgpu_filter_passes_all;
  filter_class->looks = gst_mgpu_match_looks;
  filter_class->attach = gst_mgpu_match_attach;
  filter_class->finish = gst_mgpu_match_finish;
  install_signals (klass);
  gst_mgpu_filter_class_set_params (filter_class, params, sizeof (Params));
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass),
      "OpenCL picture recognition", "Filter/Analyzer/Video",
      "Finds reference images in frames by matching keypoints, on an OpenCL "
      "device", "The gst-mgpu authors");
}
