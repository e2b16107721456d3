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
  gboolean is_pocl;
  gboolean pocl_miscounts;      /* needs gst_mgpu_pocl_launch() */
  gboolean shares_pointers;     /* with the host: fine-grained buffers of OpenCL 2 */
  GstMgpuTraits traits;
} GstMgpuDevice;

G_GNUC_INTERNAL
void            gst_mgpu_device_free    (GstMgpuDevice * device);

/* Reads what there is to know of an OpenCL device. */
G_GNUC_INTERNAL
GstMgpuDevice * gst_mgpu_device_read    (cl_device_id id, GError ** error);

/* All usable devices, best first: GPUs before accelerators before CPUs, each
 * by compute units times clock. Returns: (element-type GstMgpuDevice) */
G_GNUC_INTERNAL
GPtrArray *     gst_mgpu_device_list    (void);

/* The names of the drivers, as a text: "one", "two". NULL when there is none. */
G_GNUC_INTERNAL
gchar *         gst_mgpu_device_drivers (void);

/* The first of devices that the string describes, or NULL. */
G_GNUC_INTERNAL
GstMgpuDevice * gst_mgpu_device_find    (GPtrArray * devices, const gchar * string);

/* TRUE when string describes device; an index in it counts as in find(). */
G_GNUC_INTERNAL
gboolean        gst_mgpu_device_matches (GstMgpuDevice * device, const gchar * string);

/* "platform:type:name", as a device string that selects it */
G_GNUC_INTERNAL
gchar *         gst_mgpu_device_to_string (GstMgpuDevice * device);

G_END_DECLS
