/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/mgpu/gstmgpu_fwd.h>

G_BEGIN_DECLS

#define GST_TYPE_MGPU_PROGRAM (gst_mgpu_program_get_type ())
#define GST_MGPU_PROGRAM(obj) (G_TYPE_CHECK_INSTANCE_CAST ((obj), GST_TYPE_MGPU_PROGRAM, GstMgpuProgram))
#define GST_IS_MGPU_PROGRAM(obj) (G_TYPE_CHECK_INSTANCE_TYPE ((obj), GST_TYPE_MGPU_PROGRAM))

/**
 * GstMgpuProgram:
 *
 * A built OpenCL program. A context owns the 64 programs that were requested last. Elements that
 * share a context therefore build each program only once.
 *
 * Binaries are kept as files in a cache directory. This is the directory in the environment
 * variable GST_MGPU_CACHE_DIR if that is set, otherwise gst-mgpu/ in the user's cache directory.
 * The name of a file is the SHA-256 of everything that the binary depends on. A program whose
 * file is damaged is rebuilt. If the directory cannot be written, programs are built each time.
 *
 * With PoCL the files hold no binary, because PoCL has its own cache, and takes as long to return
 * a binary as to compile all kernels. With PoCL a file has a binary only if PoCL's cache is
 * disabled or GST_MGPU_BINARIES is "1".
 *
 * Since: 1.0
 */
struct _GstMgpuProgram
{
  GstObject parent;

  /*< private >*/
  struct _GstMgpuProgramPrivate *priv;
};

struct _GstMgpuProgramClass
{
  GstObjectClass parent_class;
};

GST_MGPU_API
GType            gst_mgpu_program_get_type      (void);

GST_MGPU_API
GstMgpuProgram * gst_mgpu_program_new           (GstMgpuContext  * context,
                                                 const gchar     * name,
                                                 const gchar     * source,
                                                 const gchar     * options,
                                                 GError         ** error);

GST_MGPU_API
cl_kernel        gst_mgpu_program_create_kernel (GstMgpuProgram  * program,
                                                 const gchar     * name,
                                                 GError         ** error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstMgpuProgram, gst_object_unref)

G_END_DECLS
