/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

/* Headers for applications that choose a device and share it between pipelines (tier 1 of 3) */
#include <gst/mgpu/gstmgpuerror.h>
#include <gst/mgpu/gstmgpudevice.h>
#include <gst/mgpu/gstmgpucontext.h>

/* Headers for code that reads or writes frames on the device, or metas of frames (tier 2 of 3) */
#include <gst/mgpu/gstmgpumemory.h>
#include <gst/mgpu/gstmgpubufferpool.h>
#include <gst/mgpu/gstmgpucamerameta.h>
#include <gst/mgpu/gstmgpudetection.h>
#include <gst/mgpu/gstmgpufit.h>
#include <gst/mgpu/gstmgpuflowmeta.h>
#include <gst/mgpu/gstmgpuhogmeta.h>
#include <gst/mgpu/gstmgpuintegralmeta.h>
#include <gst/mgpu/gstmgpukeypointmeta.h>
#include <gst/mgpu/gstmgpumotionmeta.h>
#include <gst/mgpu/gstmgpumovingmeta.h>
#include <gst/mgpu/gstmgpunumbersmeta.h>
#include <gst/mgpu/gstmgpupicturemeta.h>
#include <gst/mgpu/gstmgpupyramidmeta.h>
#include <gst/mgpu/gstmgpumetatransform.h>

/* Headers for code of new elements and algorithms (tier 3 of 3) */
#include <gst/mgpu/gstmgpustats.h>
#include <gst/mgpu/gstmgputagmeta.h>
#include <gst/mgpu/gstmgpuqueue.h>
#include <gst/mgpu/gstmgpujob.h>
#include <gst/mgpu/gstmgpuprogram.h>
