/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include "gstmgpudevice.h"

G_BEGIN_DECLS

/* Holds the PCI address of a GPU. CUDA and OpenCL both report it, so that the CUDA device of an
 * OpenCL device can be found. */
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
                                 * launches, so that kernels must be launched with
                                 * gst_mgpu_pocl_launch() */
  /* whether host and device can use a buffer at the same address (fine-grained shared
   * virtual memory, OpenCL 2) */
  gboolean shares_pointers;
  /* whether the device is a CPU on which PoCL uses any memory of the process in place. The library
   * then allocates from the heap instead of shared virtual memory: PoCL 6.0 walks the list of all
   * shared virtual memory at each launch without a lock, and crashes if another thread frees some
   * of it meanwhile. */
  gboolean shares_heap;
  GstMgpuPciAddress address;    /* only set if the device may import CUDA memory */
  GstMgpuTraits traits;
} GstMgpuDevice;

G_GNUC_INTERNAL
void            gst_mgpu_device_free    (GstMgpuDevice * device);

/* Reads the names, the versions and the traits of an OpenCL device. Fails if the driver cannot
 * report one of them. Returns: (transfer full) (nullable): the device; NULL on failure */
G_GNUC_INTERNAL
GstMgpuDevice * gst_mgpu_device_read    (cl_device_id id, GError ** error);

/* Finds the device that the device string matches; the best one if the string matches
 * several. Returns: (transfer full) (nullable): the device; NULL on failure */
G_GNUC_INTERNAL
GstMgpuDevice * gst_mgpu_device_choose  (const gchar * string, GError ** error);

/* Returns: (transfer full): the device strings "platform:type:name" of all usable devices,
 * best first */
G_GNUC_INTERNAL
gchar **        gst_mgpu_device_list_strings (void);

/* Returns: whether the device string @string matches @device. An index in @string counts,
 * best first, the usable devices that match the other parts of @string */
G_GNUC_INTERNAL
gboolean        gst_mgpu_device_matches (GstMgpuDevice * device, const gchar * string);

G_END_DECLS
