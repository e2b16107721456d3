/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/vision/people/window.h>

G_BEGIN_DECLS

/* A linear SVM on HOG features that distinguishes detection windows with an object from
 * windows without one. */
typedef struct
{
  gchar *name;                  /* name of the class of objects: the base name of the file */
  MgpuPeopleWindow window;
  gfloat *weights;              /* weights of the detection window @window; owned by this
                                 * struct */
} MgpuSvm;

/* Reads a linear SVM from an XML or YAML file that HOGDescriptor::save() of OpenCV wrote.
 * Returns: (transfer full) (nullable): the SVM. NULL without an error means that the file is
 * not a HOGDescriptor, or cannot be read. NULL with an error means that a field is wrong or
 * missing; the error names the file and the field */
MgpuSvm * mgpu_svm_load (const gchar * path, GError ** error);

void mgpu_svm_free (MgpuSvm * svm);

G_END_DECLS
