/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

/* Tier 1: what an application needs to pick a device and share it. */
#include <gst/mgpu/gstmgpuerror.h>
#include <gst/mgpu/gstmgpudevice.h>
#include <gst/mgpu/gstmgpucontext.h>

/* Tier 2: what code needs that reads or writes frames on the device, and
 * what elements attach to them. */
#include <gst/mgpu/gstmgpumemory.h>
#include <gst/mgpu/gstmgpubufferpool.h>
#include <gst/mgpu/gstmgpuhogmeta.h>
#include <gst/mgpu/gstmgpuintegralmeta.h>
#include <gst/mgpu/gstmgpukeypointmeta.h>
#include <gst/mgpu/gstmgpupyramidmeta.h>
#include <gst/mgpu/gstmgpumetatransform.h>

/* Tier 3: what a new element or algorithm needs. */
#include <gst/mgpu/gstmgpustats.h>
#include <gst/mgpu/gstmgpuqueue.h>
#include <gst/mgpu/gstmgpujob.h>
#include <gst/mgpu/gstmgpuprogram.h>
