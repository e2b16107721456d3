/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GstMgpuNumbersTables:
 *
 * The lists of a #GstMgpuNumbersMeta, which all copies of the meta share.
 *
 * Since: 1.1
 */
typedef struct _GstMgpuNumbersTables GstMgpuNumbersTables;
typedef struct _GstMgpuNumbersMeta GstMgpuNumbersMeta;

/**
 * GstMgpuNumbersType:
 * @GST_MGPU_NUMBERS_TYPE_INT: #gint32
 * @GST_MGPU_NUMBERS_TYPE_FLOAT: #gfloat
 *
 * Type of the numbers of a list.
 *
 * Since: 1.1
 */
typedef enum
{
  GST_MGPU_NUMBERS_TYPE_INT,
  GST_MGPU_NUMBERS_TYPE_FLOAT
} GstMgpuNumbersType;

#define GST_TYPE_MGPU_NUMBERS_TYPE (gst_mgpu_numbers_type_get_type ())

GST_MGPU_API
GType             gst_mgpu_numbers_type_get_type           (void);

/**
 * GstMgpuNumbersMeta:
 * @meta: the parent
 *
 * Lists of numbers that were computed from a frame, such as the results of a kernel of mgpukernel.
 * Each list has a name. The numbers stay on the device until somebody reads them.
 *
 * Elements that crop, rotate or scale the frame keep the meta, because the meaning of its numbers
 * is unknown to them, and the numbers still describe the frame from which they were computed.
 *
 * Since: 1.1
 */
struct _GstMgpuNumbersMeta
{
  GstMeta meta;

  /*< private >*/
  GstMgpuNumbersTables *tables;
  /* for a copy made by g_boxed_copy(): the buffer to which the copy is attached, and which keeps
   * it alive; NULL for the meta of a frame */
  GstBuffer *holder;
};

/**
 * GST_TYPE_MGPU_NUMBERS_META:
 *
 * The boxed type of #GstMgpuNumbersMeta. A copy made by g_boxed_copy() stays valid after the
 * buffer of the original is freed; g_boxed_free() frees the copy. Language bindings copy each meta
 * that they return to a script.
 *
 * Since: 1.1
 */
#define GST_TYPE_MGPU_NUMBERS_META (gst_mgpu_numbers_meta_get_type ())

GST_MGPU_API
GType             gst_mgpu_numbers_meta_get_type           (void);

GST_MGPU_API
GType             gst_mgpu_numbers_meta_api_get_type       (void);

/**
 * GST_MGPU_NUMBERS_META_API_TYPE:
 *
 * The API type of #GstMgpuNumbersMeta, for gst_buffer_get_meta().
 *
 * Since: 1.1
 */
#define GST_MGPU_NUMBERS_META_API_TYPE (gst_mgpu_numbers_meta_api_get_type ())

GST_MGPU_API
const GstMetaInfo * gst_mgpu_numbers_meta_get_info         (void);

GST_MGPU_API
GstMgpuNumbersMeta * gst_buffer_add_mgpu_numbers_meta      (GstBuffer          * buffer,
                                                            const gchar        * name,
                                                            GstMgpuNumbersType   type,
                                                            guint                n,
                                                            GstBuffer          * numbers,
                                                            gsize                offset);

GST_MGPU_API
GstMgpuNumbersMeta * gst_buffer_add_mgpu_numbers_meta_bytes(GstBuffer          * buffer,
                                                            const gchar        * name,
                                                            GstMgpuNumbersType   type,
                                                            GBytes             * numbers);

GST_MGPU_API
GstMgpuNumbersMeta * gst_buffer_get_mgpu_numbers_meta      (GstBuffer          * buffer);

GST_MGPU_API
guint             gst_mgpu_numbers_meta_get_n_lists        (GstMgpuNumbersMeta * meta);

GST_MGPU_API
gint              gst_mgpu_numbers_meta_find               (GstMgpuNumbersMeta * meta,
                                                            const gchar        * name);

GST_MGPU_API
gboolean          gst_mgpu_numbers_meta_get_list           (GstMgpuNumbersMeta * meta,
                                                            guint                i,
                                                            const gchar       ** name,
                                                            GstMgpuNumbersType * type,
                                                            guint              * n);

GST_MGPU_API
GBytes *          gst_mgpu_numbers_meta_get_bytes          (GstMgpuNumbersMeta * meta,
                                                            guint                i);

GST_MGPU_API
gdouble *         gst_mgpu_numbers_meta_get_values         (GstMgpuNumbersMeta * meta,
                                                            guint                i,
                                                            guint              * n);

GST_MGPU_API
GstMemory *       gst_mgpu_numbers_meta_get_memory         (GstMgpuNumbersMeta * meta,
                                                            guint                i,
                                                            gsize              * offset);

G_END_DECLS
