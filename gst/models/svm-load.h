/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/people/window.h>

G_BEGIN_DECLS

/* Holds a linear SVM on HOG features that tells detection windows with an object from
 * others. */
typedef struct
{
  gchar *name;                  /* name of the class of objects: the base name of the file */
  MgpuPeopleWindow window;
  gfloat *weights;              /* weights of the member window, owned */
} MgpuSvm;

/* Reads a linear SVM from a file that HOGDescriptor::save() of OpenCV wrote, XML or YAML.
 * Returns: (transfer full) (nullable): the SVM; NULL with an error that names the file
 * and the field that is wrong; NULL without an error when the file holds something else,
 * or cannot be read */
MgpuSvm * mgpu_svm_load (const gchar * path, GError ** error);

void mgpu_svm_free (MgpuSvm * svm);

G_END_DECLS
