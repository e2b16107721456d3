/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpudevice.h"

G_BEGIN_DECLS

/* The PCI address of a GPU. CUDA and OpenCL both report it. The library uses it to find the CUDA
 * device that is the same GPU as an OpenCL device. */
typedef struct
{
  gint domain, bus, device;
} GstMgpuPciAddress;

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
  guint64 score;                /* rank of the device among all devices: the best device
                                 * has the highest score */
  gboolean is_pocl;
  gboolean pocl_miscounts;      /* whether the driver is a version of PoCL that miscounts kernel
                                 * launches; if so, kernels must be launched with
                                 * gst_mgpu_pocl_launch() */
  /* whether the device has fine-grained shared virtual memory (OpenCL 2): host and device use a
   * buffer at the same address */
  gboolean shares_pointers;
  /* whether the device is a CPU on which PoCL uses any memory of the process in place. For such a
   * device the library allocates heap memory instead of shared virtual memory. The reason is a
   * bug of PoCL 6.0: each launch walks the list of all shared virtual memory without a lock, and
   * crashes if another thread frees some of this memory meanwhile. */
  gboolean shares_heap;
  GstMgpuPciAddress address;    /* set only if the device may import CUDA memory */
  GstMgpuTraits traits;
} GstMgpuDevice;

G_GNUC_INTERNAL
void            gst_mgpu_device_free    (GstMgpuDevice * device);

/* Reads the names, the versions and the traits of an OpenCL device. Fails if the driver cannot
 * report all of them. Returns: (transfer full) (nullable): the device; NULL on failure */
G_GNUC_INTERNAL
GstMgpuDevice * gst_mgpu_device_read    (cl_device_id id, GError ** error);

/* Finds the best of the devices that match a device string. Returns: (transfer full) (nullable):
 * the device; NULL on failure */
G_GNUC_INTERNAL
GstMgpuDevice * gst_mgpu_device_choose  (const gchar * string, GError ** error);

/* Returns: (transfer full): the device strings "platform:type:name" of all usable devices,
 * best first */
G_GNUC_INTERNAL
gchar **        gst_mgpu_device_list_strings (void);

/* Returns: whether the device string @string matches @device. An index in @string is a position
 * (from 0, best first) among the usable devices that match the other parts of @string */
G_GNUC_INTERNAL
gboolean        gst_mgpu_device_matches (GstMgpuDevice * device, const gchar * string);

G_END_DECLS
