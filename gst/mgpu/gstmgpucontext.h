/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpudevice.h>

G_BEGIN_DECLS

/**
 * GST_MGPU_CONTEXT_TYPE:
 *
 * Type of the #GstContext that carries a #GstMgpuContext. Its structure has the field
 * "context" (#GstMgpuContext). The strings "platform", "device" and "version" are for
 * programs that do not link to this library.
 *
 * Since: 1.0
 */
#define GST_MGPU_CONTEXT_TYPE "gst.mgpu.context"

#define GST_TYPE_MGPU_CONTEXT (gst_mgpu_context_get_type ())
#define GST_MGPU_CONTEXT(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_MGPU_CONTEXT, GstMgpuContext))
#define GST_IS_MGPU_CONTEXT(obj) (G_TYPE_CHECK_INSTANCE_TYPE ((obj), GST_TYPE_MGPU_CONTEXT))

/**
 * GstMgpuContext:
 *
 * One OpenCL context on one device. All methods may be called from any thread.
 *
 * Elements of one pipeline share one context automatically. An application whose
 * pipelines are to share a device makes one context and sets it on each pipeline:
 *
 * |[<!-- language="C" -->
 * GstMgpuContext *context = gst_mgpu_context_new ("::", &error);
 * GstContext *share = gst_context_new_mgpu_context (context);
 *
 * gst_element_set_context (pipeline1, share);
 * gst_element_set_context (pipeline2, share);
 * ]|
 *
 * A device string is "platform:type:name-or-index"; every part may be empty. The part
 * platform matches devices whose platform name contains it, and the part name matches
 * devices whose device name contains it; both ignore case. The type is cpu, gpu or
 * accelerator. An index n means the device number n (from 0, best first) of those that
 * match the other parts. Examples of device strings are "NVIDIA", ":cpu:" and "::1".
 *
 * Since: 1.0
 */
struct _GstMgpuContext
{
  GstObject parent;

  /*< private >*/
  struct _GstMgpuContextPrivate *priv;
};

struct _GstMgpuContextClass
{
  GstObjectClass parent_class;
};

GST_MGPU_API
GType                  gst_mgpu_context_get_type          (void);

GST_MGPU_API
GstMgpuContext *       gst_mgpu_context_new               (const gchar    * device,
                                                           GError        ** error);

GST_MGPU_API
GstMgpuContext *       gst_mgpu_context_new_wrapped       (cl_context       context,
                                                           cl_device_id     device,
                                                           GError        ** error);

GST_MGPU_API
const gchar *          gst_mgpu_context_get_platform_name (GstMgpuContext * context);

GST_MGPU_API
const gchar *          gst_mgpu_context_get_device_name   (GstMgpuContext * context);

GST_MGPU_API
const gchar *          gst_mgpu_context_get_version       (GstMgpuContext * context);

GST_MGPU_API
const GstMgpuTraits *  gst_mgpu_context_get_traits        (GstMgpuContext * context);

GST_MGPU_API
void                   gst_mgpu_context_override_class    (GstMgpuContext * context,
                                                           GstMgpuDeviceClass device_class);

GST_MGPU_API
gboolean               gst_mgpu_context_matches           (GstMgpuContext * context,
                                                           const gchar    * device);

GST_MGPU_API
cl_context             gst_mgpu_context_get_cl_context    (GstMgpuContext * context);

GST_MGPU_API
cl_device_id           gst_mgpu_context_get_cl_device     (GstMgpuContext * context);

GST_MGPU_API
gchar **               gst_mgpu_list_devices              (void);

GST_MGPU_API
gboolean               gst_mgpu_cl_check                  (gint             code,
                                                           const gchar    * call,
                                                           GstMgpuContext * context,
                                                           GError        ** error);

/* Functions that share a GstMgpuContext between elements, through GstContext */

GST_MGPU_API
GstContext *           gst_context_new_mgpu_context       (GstMgpuContext * context);

GST_MGPU_API
GstMgpuContext *       gst_context_get_mgpu_context       (GstContext     * context);

GST_MGPU_API
gboolean               gst_mgpu_ensure_element_context    (GstElement     * element,
                                                           const gchar    * device,
                                                           GstMgpuContext ** context,
                                                           GError        ** error);

GST_MGPU_API
gint                   gst_mgpu_context_find_cuda_device  (GstMgpuContext * context);

GST_MGPU_API
gboolean               gst_mgpu_handle_set_context        (GstElement     * element,
                                                           GstContext     * context,
                                                           const gchar    * device,
                                                           GstMgpuContext ** mgpu_context);

GST_MGPU_API
gboolean               gst_mgpu_handle_context_query      (GstElement     * element,
                                                           GstQuery       * query,
                                                           GstMgpuContext * context);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuContext, gst_object_unref)

G_END_DECLS
