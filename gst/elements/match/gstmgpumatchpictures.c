/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* The list of known pictures (reference images) of mgpumatch. Applications add and
 * remove pictures. */
#include "gstmgpumatchpictures.h"

#include <gst/frame/gstmgpulog.h>

struct _GstMgpuMatchPictures
{
  GMutex lock;
  GPtrArray *list;              /* array of GstMgpuMatchPicture; guarded by the lock */
  guint last_number;            /* number of the picture that was added last; guarded by
                                 * the lock */
};

GstMgpuMatchPictures *
gst_mgpu_match_pictures_new (void)
{
  GstMgpuMatchPictures *self = g_new0 (GstMgpuMatchPictures, 1);

  g_mutex_init (&self->lock);
  self->list = g_ptr_array_new_with_free_func (gst_mgpu_match_picture_unref);
  return self;
}

void
gst_mgpu_match_pictures_free (GstMgpuMatchPictures * self)
{
  g_ptr_array_unref (self->list);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static guint
remove_locked (GstMgpuMatchPictures * self, const gchar * name)
{
  guint n = 0;

  for (guint i = 0; i < self->list->len; i++) {
    GstMgpuMatchPicture *picture = self->list->pdata[i];

    if (!picture->is_removed && g_strcmp0 (picture->name, name) == 0) {
      picture->is_removed = TRUE;
      n++;
    }
  }
  return n;
}

guint
gst_mgpu_match_pictures_add (GstMgpuMatchPictures * self,
    GstMgpuMatchPicture * picture)
{
  guint number;

  g_mutex_lock (&self->lock);
  remove_locked (self, picture->name);
  picture->number = number = ++self->last_number;
  g_ptr_array_add (self->list, picture);
  g_mutex_unlock (&self->lock);
  return number;
}

gboolean
gst_mgpu_match_pictures_load (GstMgpuMatchPictures * self, const gchar * list,
    GstElement * element, GError ** error)
{
  gchar **files = g_strsplit (list, ":", -1);
  gboolean ok = TRUE;

  for (guint i = 0; files[i] != NULL && ok; i++) {
    GstMgpuMatchPicture *picture;

    if (*files[i] == '\0')
      continue;
    picture = gst_mgpu_match_picture_load (files[i], error);
    ok = picture != NULL;
    if (ok) {
      picture->is_file = TRUE;
      GST_MGPU_INFO_OBJECT (element, "%s: %dx%d pixels, after rotation "
          "according to EXIF", files[i], picture->width, picture->height);
      gst_mgpu_match_pictures_add (self, picture);
    }
  }
  g_strfreev (files);
  return ok;
}

guint
gst_mgpu_match_pictures_remove (GstMgpuMatchPictures * self, const gchar * name)
{
  guint n;

  g_mutex_lock (&self->lock);
  n = remove_locked (self, name);
  g_mutex_unlock (&self->lock);
  return n;
}

GPtrArray *
gst_mgpu_match_pictures_list (GstMgpuMatchPictures * self)
{
  GPtrArray *all =
      g_ptr_array_new_with_free_func (gst_mgpu_match_picture_unref);

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->list->len; i++)
    g_ptr_array_add (all, gst_mgpu_match_picture_ref (self->list->pdata[i]));
  g_mutex_unlock (&self->lock);
  return all;
}

GPtrArray *
gst_mgpu_match_pictures_take_removed (GstMgpuMatchPictures * self)
{
  GPtrArray *removed =
      g_ptr_array_new_with_free_func (gst_mgpu_match_picture_unref);

  g_mutex_lock (&self->lock);
  for (guint i = self->list->len; i-- > 0;) {
    GstMgpuMatchPicture *picture = self->list->pdata[i];

    if (picture->is_removed)
      g_ptr_array_add (removed, g_ptr_array_steal_index (self->list, i));
  }
  g_mutex_unlock (&self->lock);
  return removed;
}

void
gst_mgpu_match_pictures_reset (GstMgpuMatchPictures * self)
{
  g_mutex_lock (&self->lock);
  for (guint i = self->list->len; i-- > 0;) {
    GstMgpuMatchPicture *picture = self->list->pdata[i];

    gst_mgpu_match_picture_unprepare (picture);
    picture->warned_few = FALSE;
    picture->warned_large = FALSE;
    picture->presence = (GstMgpuPresence) {
    0, 0, FALSE};
    if (picture->is_file || picture->is_removed)
      g_ptr_array_remove_index (self->list, i);
  }
  g_mutex_unlock (&self->lock);
}
