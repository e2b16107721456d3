/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

/* Headers, tier 1 of 3: for applications that choose a device and share it between pipelines. */
#include <gst/mgpu/gstmgpuerror.h>
#include <gst/mgpu/gstmgpudevice.h>
#include <gst/mgpu/gstmgpucontext.h>

/* Headers, tier 2 of 3: for code that reads or writes frames on the device, and the metas that
 * elements attach to frames. */
#include <gst/mgpu/gstmgpumemory.h>
#include <gst/mgpu/gstmgpubufferpool.h>
#include <gst/mgpu/gstmgpudetection.h>
#include <gst/mgpu/gstmgpufit.h>
#include <gst/mgpu/gstmgpuhogmeta.h>
#include <gst/mgpu/gstmgpuintegralmeta.h>
#include <gst/mgpu/gstmgpukeypointmeta.h>
#include <gst/mgpu/gstmgpumotionmeta.h>
#include <gst/mgpu/gstmgpupicturemeta.h>
#include <gst/mgpu/gstmgpupyramidmeta.h>
#include <gst/mgpu/gstmgpumetatransform.h>

/* Headers, tier 3 of 3: for code of new elements and algorithms. */
#include <gst/mgpu/gstmgpustats.h>
#include <gst/mgpu/gstmgpuqueue.h>
#include <gst/mgpu/gstmgpujob.h>
#include <gst/mgpu/gstmgpuprogram.h>
