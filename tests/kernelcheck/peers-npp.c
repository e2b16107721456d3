/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Calls NPP, NVIDIA's image library, on the first CUDA device. Frames are copied to the device
 * once; the device's time between two events is measured. */
#include "peers.h"
#include <gst/vision/bilateral/bilateral.h>
#include <math.h>
#include <string.h>

#include <cuda_runtime_api.h>
#include <nppi.h>

typedef struct
{
  const guint8 *source;         /* address and size of the data that was copied last */
  size_t row;
  gint height;
  guint8 *in, *out;
  size_t in_pitch, out_pitch;
  void *scratch;
  Npp32s *bins;
  cudaEvent_t begin, end;
  NppStreamContext stream;
} Device;

static void
check (int status, const gchar * call)
{
  if (status != 0)
    g_error ("%s failed with %d", call, status);
}

#define CHECK(call) check ((int) (call), #call)

/* Limits of the histogram bins, each of which holds one value */
#define N_LEVELS 257

static void
open_device (Device * device)
{
  struct cudaDeviceProp properties;
  NppStreamContext *stream = &device->stream;

  CHECK (cudaSetDevice (0));
  CHECK (cudaGetDeviceProperties (&properties, 0));
  stream->hStream = 0;
  stream->nMultiProcessorCount = properties.multiProcessorCount;
  stream->nMaxThreadsPerMultiProcessor = properties.maxThreadsPerMultiProcessor;
  stream->nMaxThreadsPerBlock = properties.maxThreadsPerBlock;
  stream->nSharedMemPerBlock = properties.sharedMemPerBlock;
  stream->nCudaDevAttrComputeCapabilityMajor = properties.major;
  stream->nCudaDevAttrComputeCapabilityMinor = properties.minor;
  CHECK (cudaStreamGetFlags (stream->hStream, &stream->nStreamFlags));
  CHECK (cudaEventCreate (&device->begin));
  CHECK (cudaEventCreate (&device->end));

  CHECK (cudaMalloc ((void **) &device->bins, N_LEVELS * sizeof (Npp32s)));
}

/* Copies the frame to the device unless it is already there. */
static Device *
prepare (const KcPicture * in)
{
  static Device device;
  const GstVideoInfo *info = &in->info;
  size_t row = kc_picture_row_bytes (in, 0);
  gint height = GST_VIDEO_INFO_HEIGHT (info);
  size_t scratch_size = 0;

  if (device.begin == NULL)
    open_device (&device);
  if (device.source == in->data && device.row == row && device.height == height)
    return &device;

  cudaFree (device.in);
  cudaFree (device.out);
  cudaFree (device.scratch);
  CHECK (cudaMallocPitch ((void **) &device.in, &device.in_pitch, row, height));
  CHECK (cudaMallocPitch ((void **) &device.out, &device.out_pitch, row,
          height));
  CHECK (cudaMemcpy2D (device.in, device.in_pitch,
          in->data + info->offset[0], info->stride[0], row, height,
          cudaMemcpyHostToDevice));
  /* The type is int in older versions of CUDA, and size_t in newer ones. */
  CHECK (nppiHistogramEvenGetBufferSize_8u_C1R_Ctx ((NppiSize) {
          GST_VIDEO_INFO_WIDTH (info), height}, N_LEVELS,
          (void *) &scratch_size, device.stream));
  CHECK (cudaMalloc (&device.scratch, scratch_size));
  device.source = in->data;
  device.row = row;
  device.height = height;
  return &device;
}

static gdouble
elapsed (Device * device)
{
  float ms;

  CHECK (cudaEventRecord (device->end, device->stream.hStream));
  CHECK (cudaEventSynchronize (device->end));
  CHECK (cudaEventElapsedTime (&ms, device->begin, device->end));
  return ms;
}

gdouble
kc_npp_bilateral (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  const MgpuBilateralParams *p = params;
  Device *device = prepare (in);
  NppiSize size = {
    GST_VIDEO_INFO_WIDTH (&in->info), GST_VIDEO_INFO_HEIGHT (&in->info)
  };
  NppiPoint origin = { 0, 0 };
  gint radius = p->radius > 0 ? p->radius : (gint) rint (1.5 * p->sigma_space);
  /* Passes squares, because NPP expects the squares of the sigmas. */
  Npp32f value = (Npp32f) (p->sigma_color * p->sigma_color);
  Npp32f space = (Npp32f) (p->sigma_space * p->sigma_space);

  CHECK (cudaEventRecord (device->begin, device->stream.hStream));
  if (GST_VIDEO_INFO_N_COMPONENTS (&in->info) == 1)
    CHECK (nppiFilterBilateralGaussBorder_8u_C1R_Ctx (device->in,
            (int) device->in_pitch, size, origin, device->out,
            (int) device->out_pitch, size, radius, 1, value, space,
            NPP_BORDER_REPLICATE, device->stream));
  else
    CHECK (nppiFilterBilateralGaussBorder_8u_C3R_Ctx (device->in,
            (int) device->in_pitch, size, origin, device->out,
            (int) device->out_pitch, size, radius, 1, value, space,
            NPP_BORDER_REPLICATE, device->stream));
  return elapsed (device);
}

gdouble
kc_npp_histogram (gconstpointer params, const KcPicture * in, KcPicture * out)
{
  Device *device = prepare (in);
  NppiSize size = {
    GST_VIDEO_INFO_WIDTH (&in->info), GST_VIDEO_INFO_HEIGHT (&in->info)
  };

  CHECK (cudaEventRecord (device->begin, device->stream.hStream));
  CHECK (nppiHistogramEven_8u_C1R_Ctx (device->in, (int) device->in_pitch,
          size, device->bins, N_LEVELS, 0, 256, device->scratch,
          device->stream));
  return elapsed (device);
}

/* Returns device memory for results that do not fit into a frame. The memory only grows. */
static void *
get_results (size_t size)
{
  static void *results;
  static size_t allocated;

  if (allocated < size) {
    cudaFree (results);
    CHECK (cudaMalloc (&results, size));
    allocated = size;
  }
  return results;
}

gdouble
kc_npp_pyramid (const KcPicture * in, guint n)
{
  static Npp32f *taps;
  Device *device = prepare (in);
  NppiSize size = {
    GST_VIDEO_INFO_WIDTH (&in->info), GST_VIDEO_INFO_HEIGHT (&in->info)
  };
  NppiPoint origin = { 0, 0 };
  /* Allocates as many bytes as a frame has, which is more than all levels together. */
  guint8 *to = get_results (device->in_pitch * size.height);
  const guint8 *from = device->in;

  if (taps == NULL) {
    static const Npp32f binomial[5] = {
      1 / 16.0f, 4 / 16.0f, 6 / 16.0f, 4 / 16.0f, 1 / 16.0f
    };

    /* Uses managed memory for the taps, which NPP can read from the host and from the device. */
    CHECK (cudaMallocManaged ((void **) &taps, sizeof (binomial),
            cudaMemAttachGlobal));
    memcpy (taps, binomial, sizeof (binomial));
  }

  CHECK (cudaEventRecord (device->begin, device->stream.hStream));
  for (guint i = 0; i < n; i++) {
    NppiSize half = { (size.width + 1) / 2, (size.height + 1) / 2 };

    CHECK (nppiFilterGaussPyramidLayerDownBorder_8u_C1R_Ctx (from,
            (int) device->in_pitch, size, origin, to, (int) device->in_pitch,
            half, 2.0f, 5, taps, NPP_BORDER_REPLICATE, device->stream));
    from = to;
    to += device->in_pitch * half.height;
    size = half;
  }
  return elapsed (device);
}

gdouble
kc_npp_integral (const KcPicture * in)
{
  Device *device = prepare (in);
  NppiSize size = {
    GST_VIDEO_INFO_WIDTH (&in->info), GST_VIDEO_INFO_HEIGHT (&in->info)
  };
  size_t pitch = ((size_t) size.width + 1 + 127) / 128 * 128 * sizeof (Npp32s);
  Npp32s *to = get_results (pitch * (size.height + 1));

  CHECK (cudaEventRecord (device->begin, device->stream.hStream));
  CHECK (nppiIntegral_8u32s_C1R_Ctx (device->in, (int) device->in_pitch, to,
          (int) pitch, size, 0, device->stream));
  return elapsed (device);
}

gdouble
kc_npp_remap (const gfloat * x, const gfloat * y, const KcPicture * in,
    const KcPicture * out)
{
  static const gfloat *last;
  static NppiSize last_size;
  static Npp32f *maps[2];
  static size_t pitch;
  Device *device = prepare (in);
  NppiSize from = {
    GST_VIDEO_INFO_WIDTH (&in->info), GST_VIDEO_INFO_HEIGHT (&in->info)
  };
  NppiSize to = {
    GST_VIDEO_INFO_WIDTH (&out->info), GST_VIDEO_INFO_HEIGHT (&out->info)
  };
  NppiRect whole = { 0, 0, from.width, from.height };
  size_t row = to.width * sizeof (Npp32f);
  guint8 *result = get_results ((size_t) to.width * to.height);
  gboolean is_new = last != x || last_size.width != to.width
      || last_size.height != to.height;

  for (guint i = 0; is_new && i < 2; i++) {
    cudaFree (maps[i]);
    CHECK (cudaMallocPitch ((void **) &maps[i], &pitch, row, to.height));
    CHECK (cudaMemcpy2D (maps[i], pitch, i == 0 ? x : y, row, row, to.height,
            cudaMemcpyHostToDevice));
  }
  last = x;
  last_size = to;
  CHECK (cudaEventRecord (device->begin, device->stream.hStream));
  CHECK (nppiRemap_8u_C1R_Ctx (device->in, from, (int) device->in_pitch, whole,
          maps[0], (int) pitch, maps[1], (int) pitch, result, to.width, to,
          NPPI_INTER_LINEAR, device->stream));
  return elapsed (device);
}
