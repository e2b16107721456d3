/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpudevice.h"

G_BEGIN_DECLS

typedef struct
{
  cl_platform_id platform;
  cl_device_id id;
  cl_device_type type;
  gchar *platform_name;
  gchar *name;
  gchar *version;
  gchar *driver_version;
  gboolean is_usable;           /* whether the library's kernels run on the device */
  guint64 score;                /* the best device has the highest score */
  gboolean is_pocl;
  gboolean pocl_miscounts;      /* kernels must be launched by gst_mgpu_pocl_launch() */
  /* whether host and device can use a buffer at the same address (fine-grained shared
   * virtual memory of OpenCL 2) */
  gboolean shares_pointers;
  GstMgpuTraits traits;
} GstMgpuDevice;

G_GNUC_INTERNAL
void            gst_mgpu_device_free    (GstMgpuDevice * device);

/* Reads the names, the versions and the traits of an OpenCL device. Fails when the driver
 * does not tell one of them.
 * Returns: (transfer full) (nullable): the device; NULL on failure */
G_GNUC_INTERNAL
GstMgpuDevice * gst_mgpu_device_read    (cl_device_id id, GError ** error);

/* Lists all usable devices, best first: GPUs before accelerators before CPUs, and among
 * devices of one type by compute units times clock frequency. Leaves out devices that
 * cannot be read, and sets failure to the error of the last of them, if any.
 * Returns: (transfer full) (element-type GstMgpuDevice) */
G_GNUC_INTERNAL
GPtrArray *     gst_mgpu_device_list    (GError ** failure);

/* Returns the names of the installed OpenCL platforms, quoted and separated by commas;
 * NULL when there is none. */
G_GNUC_INTERNAL
gchar *         gst_mgpu_device_drivers (void);

/* Returns the first of devices that the device string matches, or NULL. */
G_GNUC_INTERNAL
GstMgpuDevice * gst_mgpu_device_find    (GPtrArray * devices, const gchar * string);

/* Returns TRUE when the device string matches device. An index in the string counts
 * devices as in gst_mgpu_device_find(). */
G_GNUC_INTERNAL
gboolean        gst_mgpu_device_matches (GstMgpuDevice * device, const gchar * string);

/* Returns the device string "platform:type:name" of device. */
G_GNUC_INTERNAL
gchar *         gst_mgpu_device_to_string (GstMgpuDevice * device);

G_END_DECLS
