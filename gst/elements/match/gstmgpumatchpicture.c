/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Loads a known picture (reference image) of mgpumatch, and computes its keypoints and
 * descriptors. */
#include "gstmgpumatchpicture.h"

#include <string.h>

#include <gst/vision/base/map.h>

#include <gst/frame/gstmgpumask.h>

/* Maximum number of pixels of a known picture. The limit is needed because the search for
 * its keypoints takes 150 bytes of device memory for each pixel. */
#define MAX_PIXELS (16 << 20)

static void
picture_clear (gpointer data)
{
  GstMgpuMatchPicture *self = data;

  g_free (self->name);
  g_free (self->grey);
  gst_mgpu_match_picture_unprepare (self);
}

GstMgpuMatchPicture *
gst_mgpu_match_picture_ref (GstMgpuMatchPicture * self)
{
  return g_atomic_rc_box_acquire (self);
}

void
gst_mgpu_match_picture_unref (gpointer self)
{
  g_atomic_rc_box_release_full (self, picture_clear);
}

/* Makes a known picture from the gray values @grey (transfer full). */
static GstMgpuMatchPicture *
picture_new (const gchar * name, guint8 * grey, gint width, gint height)
{
  GstMgpuMatchPicture *self = g_atomic_rc_box_new0 (GstMgpuMatchPicture);

  self->name = g_strdup (name);
  self->grey = grey;
  self->width = width;
  self->height = height;
  return self;
}

static gboolean
check_size (const gchar * name, gint width, gint height, GError ** error)
{
  if ((gint64) width * height <= MAX_PIXELS)
    return TRUE;
  g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
      "the reference image %s has %dx%d pixels, and the maximum is %d pixels: "
        "scale it down", name,
      width, height, MAX_PIXELS);
  return FALSE;
}

GstMgpuMatchPicture *
gst_mgpu_match_picture_load (const gchar * location, GError ** error)
{
  g_autofree gchar *base = g_path_get_basename (location);
  gchar *dot = strrchr (base, '.');
  GstMgpuMatchPicture *self = NULL;
  gint width, height;
  guint8 *grey;

  if (gst_mgpu_image_get_size (location, "pictures", &width, &height, error)
      && check_size (location, width, height, error)) {
    grey = gst_mgpu_image_load (location, "pictures", &width, &height, error);
    if (dot != NULL && dot > base)
      *dot = '\0';
    if (grey != NULL)
      self = picture_new (base, grey, width, height);
  }
  return self;
}

/* Copies the luma of the video frame @in to new memory without gaps between rows. @info
 * describes the colors of the frame. Returns: (transfer full): the gray values; NULL if
 * frames of this format cannot be converted */
static guint8 *
copy_gray (GstVideoFrame * in, const GstVideoInfo * info)
{
  GstVideoInfo in_info = *info, gray_info;
  GstVideoConverter *converter;
  guint8 *grey = NULL;
  GstVideoFrame out;
  GstBuffer *buffer;

  gst_video_info_set_format (&gray_info, GST_VIDEO_FORMAT_GRAY8, info->width,
      info->height);
  /* Copies the frame rate to the output format, because the converter refuses formats
   * with different frame rates. */
  gray_info.fps_n = info->fps_n;
  gray_info.fps_d = info->fps_d;
  /* Converts interlaced frames as if they were progressive, because GStreamer's converter
   * crashes on a field without rows. The result is the same, because only luma is used. */
  in_info.interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;
  converter = gst_video_converter_new (&in_info, &gray_info, NULL);
  if (converter == NULL)
    return NULL;
  buffer = gst_buffer_new_allocate (NULL, gray_info.size, NULL);
  if (gst_video_frame_map (&out, &gray_info, buffer, GST_MAP_WRITE)) {
    gst_video_converter_frame (converter, in, &out);
    grey = g_malloc ((gsize) info->width * info->height);
    for (gint y = 0; y < info->height; y++)
      memcpy (grey + (gsize) y * info->width,
          (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&out, 0)
          + (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&out, 0), info->width);
    gst_video_frame_unmap (&out);
  }
  gst_video_converter_free (converter);
  gst_buffer_unref (buffer);
  return grey;
}

/* Checks that @caps describe raw video with whole frames, and neither compressed frames nor single
 * fields. If so, sets @info to the video format. Returns: whether @caps describe such frames */
static gboolean
get_info (GstCaps * caps, GstVideoInfo * info)
{
  return caps != NULL && gst_caps_is_fixed (caps)
      && gst_video_info_from_caps (info, caps)
      && GST_VIDEO_INFO_FORMAT (info) != GST_VIDEO_FORMAT_ENCODED
      && info->interlace_mode != GST_VIDEO_INTERLACE_MODE_ALTERNATE;
}

GstMgpuMatchPicture *
gst_mgpu_match_picture_new (const gchar * name, GstSample * sample,
    GError ** error)
{
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  GstMgpuMatchPicture *self = NULL;
  GstVideoInfo info;
  GstVideoFrame in;
  guint8 *grey;

  if (buffer == NULL || !get_info (gst_sample_get_caps (sample), &info)
      || !gst_video_frame_map (&in, &info, buffer, GST_MAP_READ)) {
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
        "the reference image %s is not a video frame", name);
    return NULL;
  }
  if (check_size (name, info.width, info.height, error)) {
    grey = copy_gray (&in, &info);
    if (grey != NULL)
      self = picture_new (name, grey, info.width, info.height);
    else
      g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_READ,
          "the reference image %s has a format that cannot be converted: %s", name,
          GST_VIDEO_INFO_NAME (&info));
  }
  gst_video_frame_unmap (&in);
  return self;
}

/* Returns: the parameters of a search for up to @most keypoints with descriptors of a type */
static MgpuSiftParams
get_params (guint most, GstMgpuDescriptorType type)
{
  return (MgpuSiftParams) {
  TRUE, 0, 3, 1.6, most, 0.04, 10, 4, type};
}

gboolean
gst_mgpu_match_picture_prepare (GstMgpuMatchPicture * self,
    GstMgpuContext * context, guint most, GError ** error)
{
  MgpuSiftParams params = get_params (most, GST_MGPU_DESCRIPTOR_TYPE_SIFT);
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, self->width,
      self->height);
  if (self->sift == NULL)
    self->sift = mgpu_object_new (&mgpu_sift, context, &info, NULL, NULL,
        &params, error);
  return self->sift != NULL;
}

void
gst_mgpu_match_picture_unprepare (GstMgpuMatchPicture * self)
{
  g_clear_pointer (&self->sift, mgpu_object_free);
  gst_clear_buffer (&self->holder);
}

/* Copies the gray values of a known picture to new memory on the device of @queue, and
 * sets @image to this image. */
static gboolean
upload (const GstMgpuMatchPicture * self, GstMgpuQueue * queue,
    MgpuImage * image, GError ** error)
{
  GstMemory *memory;
  GstMapInfo map;

  gst_video_info_set_format (&image->info, GST_VIDEO_FORMAT_GRAY8, self->width,
      self->height);
  memory = gst_mgpu_memory_new (queue, image->info.size, NULL, error);
  image->memory = (GstMgpuMemory *) memory;
  if (memory == NULL || !mgpu_map (memory, &map, GST_MAP_WRITE, error))
    return FALSE;
  for (gint y = 0; y < self->height; y++)
    memcpy (map.data + (gsize) y * image->info.stride[0], self->grey
        + (gsize) y * self->width, self->width);
  gst_memory_unmap (memory, &map);
  return TRUE;
}

/* Returns: (transfer full): a buffer with @size bytes of device memory; NULL with the
 * error set on failure */
static GstBuffer *
table_new (GstMgpuQueue * queue, gsize size, GError ** error)
{
  GstMemory *memory = gst_mgpu_memory_new (queue, size, NULL, error);
  GstBuffer *buffer = memory != NULL ? gst_buffer_new () : NULL;

  if (buffer != NULL)
    gst_buffer_append_memory (buffer, memory);
  return buffer;
}

GstMgpuKeypointMeta *
gst_mgpu_match_picture_describe (GstMgpuMatchPicture * self,
    GstMgpuQueue * queue, guint most, GstMgpuDescriptorType type,
    GError ** error)
{
  const MgpuSiftParams params = get_params (most, type);
  GstMgpuKeypointMeta *meta = self->holder == NULL ? NULL
      : gst_buffer_get_mgpu_keypoint_meta (self->holder);
  GstBuffer *keypoints = NULL, *descriptors = NULL;
  MgpuSiftTables tables = { NULL, };
  MgpuImage image = { NULL, };
  gboolean ok;
  GstMgpuJob job;

  if (meta != NULL && gst_mgpu_keypoint_meta_get_descriptor_type (meta) == type)
    return meta;
  gst_clear_buffer (&self->holder);
  ok = upload (self, queue, &image, error)
      && gst_mgpu_match_picture_prepare (self,
      gst_mgpu_queue_get_context (queue), most, error)
      && (keypoints = table_new (queue, sizeof (GstMgpuKeypointHeader)
          + mgpu_sift_get_room (self->sift, &params) * sizeof (GstMgpuKeypoint),
          error)) != NULL
      && (descriptors = table_new (queue, (gsize) mgpu_sift_get_room (self->sift,
              &params) * GST_MGPU_DESCRIPTOR_SIZE, error)) != NULL;
  if (ok) {
    tables.keypoints = (GstMgpuMemory *) gst_buffer_peek_memory (keypoints, 0);
    tables.descriptors = (GstMgpuMemory *) gst_buffer_peek_memory (descriptors,
        0);
    gst_mgpu_job_begin (&job, queue, NULL);
    mgpu_sift_enqueue (self->sift, &job, &params, &image, NULL, &tables);
    ok = gst_mgpu_job_end (&job, error)
        && gst_mgpu_memory_wait (tables.descriptors, error);
  }
  if (ok) {
    self->holder = gst_buffer_new ();
    meta = gst_buffer_add_mgpu_keypoint_meta (self->holder,
        g_steal_pointer (&keypoints), type, g_steal_pointer (&descriptors));
  }
  gst_clear_buffer (&keypoints);
  gst_clear_buffer (&descriptors);
  g_clear_pointer (&self->sift, mgpu_object_free);
  if (image.memory != NULL)
    gst_memory_unref ((GstMemory *) image.memory);
  return ok ? meta : NULL;
}
