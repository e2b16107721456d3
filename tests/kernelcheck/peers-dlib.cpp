/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Calls dlib's HOG features, a peer of the function fhog. */
#include "peers.h"

#include <string.h>

#include <dlib/array2d.h>
#include <dlib/image_transforms/fhog.h>

/* Copies pixels to memory that is kept between calls, so that only the time of the features is
 * measured. */
template <typename T> static gfloat *
extract (const KcPicture * in, gint * columns, gint * rows)
{
  static dlib::array2d<T> pixels;
  static dlib::array2d<dlib::matrix<float, 31, 1> > features;
  const GstVideoInfo *info = &in->info;
  gfloat *copy;

  pixels.set_size (info->height, info->width);
  for (gint y = 0; y < info->height; y++)
    memcpy (&pixels[y][0], in->data + info->offset[0]
        + (gsize) y * info->stride[0], info->width * sizeof (T));
  dlib::extract_fhog_features (pixels, features, 8);
  *columns = features.nc ();
  *rows = features.nr ();
  copy = g_new (gfloat, features.size () * 31 + 1);
  for (gint y = 0; y < *rows; y++)
    for (gint x = 0; x < *columns; x++)
      memcpy (copy + ((gsize) y * *columns + x) * 31, &features[y][x] (0),
          31 * sizeof (gfloat));
  return copy;
}

gfloat *
kc_dlib_fhog (const KcPicture * in, gint * columns, gint * rows)
{
  if (GST_VIDEO_INFO_N_COMPONENTS (&in->info) == 1)
    return extract<unsigned char> (in, columns, rows);
  return extract<dlib::rgb_pixel> (in, columns, rows);
}
