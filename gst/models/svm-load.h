/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/people/window.h>

G_BEGIN_DECLS

/* Holds a linear SVM on HOG features that tells detection windows with an object from
 * windows without one. */
typedef struct
{
  gchar *name;                  /* name of the class of objects: the base name of the file */
  MgpuPeopleWindow window;
  gfloat *weights;              /* weights of the detection window @window; this struct owns
                                 * them */
} MgpuSvm;

/* Reads a linear SVM from a file that HOGDescriptor::save() of OpenCV wrote, XML or YAML.
 * Returns: (transfer full) (nullable): the SVM; NULL with an error that names the file
 * and the field when a field is wrong or missing; NULL without an error when the file
 * does not hold a HOGDescriptor, or cannot be read */
MgpuSvm * mgpu_svm_load (const gchar * path, GError ** error);

void mgpu_svm_free (MgpuSvm * svm);

G_END_DECLS
