/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

/**
 * GstMgpuHogTables:
 *
 * The levels and features of a #GstMgpuHogMeta. All copies of the meta share them.
 *
 * Since: 1.0
 */
typedef struct _GstMgpuHogTables GstMgpuHogTables;
typedef struct _GstMgpuHogMeta GstMgpuHogMeta;
typedef struct _GstMgpuHogLevel GstMgpuHogLevel;

/**
 * GST_MGPU_HOG_FEATURES:
 *
 * Number of features of a cell: the features that deformable part models use.
 *
 * Since: 1.0
 */
#define GST_MGPU_HOG_FEATURES 32

/**
 * GstMgpuHogLevel:
 * @columns: number of cells in a row
 * @rows: number of rows of cells
 * @offset: index in memory of the level's first cell: the number of cells of all earlier levels
 * @scale: scale of this level: the width of the scaled frame divided by the width of the frame
 * @cell_size: width and height of a cell, in pixels of the scaled frame
 *
 * One scale of a feature pyramid.
 *
 * Since: 1.0
 */
struct _GstMgpuHogLevel
{
  guint columns, rows;
  guint offset;
  gdouble scale;
  guint cell_size;

  /*< private >*/
  gpointer reserved[2];
};

/**
 * GstMgpuHogMeta:
 * @meta: the parent
 *
 * The feature pyramid of a frame: histograms of oriented gradients at many scales, made by
 * mgpuhog. Each cell has #GST_MGPU_HOG_FEATURES #gfloat: a histogram of gradients with 18 signed
 * directions, a histogram with 9 unsigned directions, 4 features for the strength of the
 * gradients around the cell, and 1 feature that is always 0. (In a model, the element at the last
 * position is the weight of cells outside the frame.)
 *
 * A cell of a level is cell_size / scale pixels of the frame wide and high. Cell (column, row)
 * begins at pixel ((column + 1) cell_size / scale, (row + 1) cell_size / scale), because cells at
 * the edges of the frame have no features.
 *
 * Features stay on the device until they are read. They describe the frame that mgpuhog received.
 * Elements that change only the values of pixels keep the meta. Elements that crop, rotate or
 * scale the frame drop the meta, because the features of the new frame differ.
 *
 * Since: 1.0
 */
struct _GstMgpuHogMeta
{
  GstMeta meta;

  /*< private >*/
  GstMgpuHogTables *tables;
  /* for a copy made by g_boxed_copy(): the buffer to which the copy is attached, and which keeps
   * it alive; NULL for the meta of a frame */
  GstBuffer *holder;
};

/**
 * GST_TYPE_MGPU_HOG_META:
 *
 * The boxed type of #GstMgpuHogMeta. A copy made by g_boxed_copy() shares the features with the
 * original and stays valid after the buffer of the original is freed; g_boxed_free() frees the
 * copy. Language bindings copy each meta that they return to a script.
 *
 * Since: 1.0
 */
#define GST_TYPE_MGPU_HOG_META (gst_mgpu_hog_meta_get_type ())

GST_MGPU_API
GType                     gst_mgpu_hog_meta_get_type              (void);

GST_MGPU_API
GType                     gst_mgpu_hog_meta_api_get_type          (void);

/**
 * GST_MGPU_HOG_META_API_TYPE:
 *
 * The API type of #GstMgpuHogMeta, for gst_buffer_get_meta().
 *
 * Since: 1.0
 */
#define GST_MGPU_HOG_META_API_TYPE (gst_mgpu_hog_meta_api_get_type ())

GST_MGPU_API
const GstMetaInfo *       gst_mgpu_hog_meta_get_info              (void);

GST_MGPU_API
GstMgpuHogMeta *          gst_buffer_add_mgpu_hog_meta            (GstBuffer             * buffer,
                                                                   GstBuffer             * features,
                                                                   const GstMgpuHogLevel * levels,
                                                                   guint                   n_levels,
                                                                   guint                   n_features);

GST_MGPU_API
GstMgpuHogMeta *          gst_buffer_get_mgpu_hog_meta            (GstBuffer             * buffer);

GST_MGPU_API
guint                     gst_mgpu_hog_meta_get_n_levels          (GstMgpuHogMeta        * meta);

GST_MGPU_API
guint                     gst_mgpu_hog_meta_get_n_features        (GstMgpuHogMeta        * meta);

GST_MGPU_API
gboolean                  gst_mgpu_hog_meta_get_level             (GstMgpuHogMeta        * meta,
                                                                   guint                   level,
                                                                   guint                 * columns,
                                                                   guint                 * rows,
                                                                   gdouble               * scale,
                                                                   guint                 * cell_size);

GST_MGPU_API
GBytes *                  gst_mgpu_hog_meta_get_features          (GstMgpuHogMeta        * meta,
                                                                   guint                   level);

GST_MGPU_API
const GstMgpuHogLevel *   gst_mgpu_hog_meta_get_levels            (GstMgpuHogMeta        * meta);

GST_MGPU_API
GstMemory *               gst_mgpu_hog_meta_get_memory            (GstMgpuHogMeta        * meta);

G_END_DECLS
