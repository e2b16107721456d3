/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Counts how often mgpuinpaint with background=true waits for results of the device. The OpenCL
 * functions below replace those that the plugin would call, and report a device with dedicated
 * memory, on which each read by the host is a download. */
#include "common.h"

#include "../launches.h"

#define WIDTH 96
#define HEIGHT 64
#define CAPS HOST_CAPS ("I420", 96, 64)
#define FRAME_SIZE (WIDTH * HEIGHT * 3 / 2)

/* Number of frames before the counted frames: up to frame 33, new patches may be searched because
 * the background is still young. */
#define N_BEFORE 36
#define N_COUNTED 12

#define MAX_READS 64

/* Exports a function, so that the plugin calls this program's function instead of OpenCL's. */
#define EXPORT __attribute__ ((visibility ("default")))

/* Counts events since the last frame was pushed. The thread of the source pad does nothing but push
 * frames, and downloads of frames have another size than downloads of results. */
static struct
{
  cl_event events[MAX_READS];   /* number of downloads, without downloads of frames */
  guint n;
  guint n_early;                /* number of downloads for which the host waited before the frame
                                 * was filled */
  gboolean is_shown;            /* whether the kernel that writes the frame was launched */
  guint n_planned;              /* number of times the host read which pixels need new patches */
} reads;

EXPORT cl_int CL_API_CALL
clGetDeviceInfo (cl_device_id device, cl_device_info what, size_t size,
    void *value, size_t *result_size)
{
  cl_int ret = REAL (clGetDeviceInfo) (device, what, size, value, result_size);

  if (ret != CL_SUCCESS || value == NULL)
    return ret;
  if (what == CL_DEVICE_TYPE)
    *(cl_device_type *) value = CL_DEVICE_TYPE_GPU;
  else if (what == CL_DEVICE_HOST_UNIFIED_MEMORY)
    *(cl_bool *) value = CL_FALSE;
  return ret;
}

EXPORT cl_int CL_API_CALL
clEnqueueReadBuffer (cl_command_queue queue, cl_mem buffer, cl_bool blocking,
    size_t offset, size_t size, void *data, cl_uint n_waits,
    const cl_event * waits, cl_event * event)
{
  cl_int ret = REAL (clEnqueueReadBuffer) (queue, buffer, blocking, offset,
      size, data, n_waits, waits, event);

  if (ret == CL_SUCCESS && size != FRAME_SIZE) {
    fail_unless (event != NULL && reads.n < MAX_READS);
    reads.events[reads.n++] = *event;
  }
  return ret;
}

EXPORT cl_int CL_API_CALL
clWaitForEvents (cl_uint n, const cl_event * events)
{
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < reads.n; k++)
      reads.n_early += events[i] == reads.events[k] && !reads.is_shown;
  return REAL (clWaitForEvents) (n, events);
}

static cl_int
on_launch (cl_kernel kernel, cl_uint n_dims, const size_t *global)
{
  gchar name[100];

  launch_get_name (kernel, name);
  reads.is_shown |= g_str_equal (name, "background_show")
      || g_str_equal (name, "layers_store");
  reads.n_planned += g_str_equal (name, "background_report");
  return CL_SUCCESS;
}

/* Returns: (transfer full): frame @i of a video in which a bright bar moves to the right. A region
 * of interest, which is the mask, moves by @speed pixels per frame. */
static GstBuffer *
paint (gint i, gint speed)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, FRAME_SIZE, NULL);
  gint left = 3 * i % (2 * WIDTH) - 20;
  GstMapInfo map;

  fail_unless (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  memset (map.data, 128, map.size);
  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++)
      map.data[y * WIDTH + x] = x >= left && x < left + 14 && y > 20 && y < 50
          ? 200 + (x - left) * 3 : 30 + (x * x / 5 + y * 7) % 90;
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) = i * 40 * GST_MSECOND;
  GST_BUFFER_DURATION (buffer) = 40 * GST_MSECOND;
  gst_buffer_add_video_region_of_interest_meta (buffer, "person",
      40 + (speed * i) % 24, 16, 12, 32);
  return buffer;
}

static const struct
{
  const gchar *properties;
  gint speed;                   /* horizontal speed of the mask, in columns per frame */
  guint n_reads;                /* maximum number of downloads for a frame; a frame for which new
                                 * patches are searched has one more */
  guint n_early;                /* number of these downloads for which the host waits before it
                                 * enqueues the frame's kernels */
} modes[] = {
  {"", 0, 1, 0},
  {"", 2, 1, 0},
  {"mode=temporal", 0, 1, 0},
  /* The host downloads whether the arriving frame begins a scene. */
  {"look-ahead=4", 0, 2, 1},
  {"mode=temporal look-ahead=4", 0, 2, 1},
  /* The host downloads, in addition, how far the camera has moved. */
  {"camera=moves", 2, 2, 1},
  /* In mode=video, all decisions are made on the device. */
  {"mode=video", 0, 0, 0},
  {"mode=video", 2, 0, 0},
  {"mode=video look-ahead=4", 2, 0, 0}
};

GST_START_TEST (test_reads)
{
  guint n_plain = 0;
  g_autofree gchar *line =
      g_strconcat ("mgpuinpaint background=true mask-source=roi "
      "max-in-flight=1 ", modes[__i__].properties, NULL);
  g_autoptr (GstHarness) h = harness_new (line, CAPS, CAPS);

  for (gint i = 0; i < N_BEFORE + N_COUNTED; i++) {
    GstBuffer *out;

    memset (&reads, 0, sizeof (reads));
    fail_unless_equals_int (gst_harness_push (h, paint (i, modes[__i__].speed)),
        GST_FLOW_OK);
    if (i >= N_BEFORE) {
      fail_unless (reads.is_shown);
      fail_unless (reads.n <= modes[__i__].n_reads + reads.n_planned
          && reads.n_planned <= 1, "%s: frame %d: %u downloads", line, i,
          reads.n);
      n_plain += reads.n_planned == 0;
      fail_unless (reads.n_early <= modes[__i__].n_early,
          "%s: frame %d: the host waited for %u downloads before the frame was "
          "enqueued", line, i, reads.n_early);
      fail_unless (reads.n > 0 || modes[__i__].n_reads == 0);
    }
    while ((out = gst_harness_try_pull (h)) != NULL)
      gst_buffer_unref (out);
  }
  fail_unless (n_plain > N_COUNTED / 2, "%s: %u frames without new patches",
      line, n_plain);
}

GST_END_TEST;

CHECK_TESTS (mgpuinpaintreads)
{
  tcase_add_loop_test (tc, test_reads, 0, G_N_ELEMENTS (modes));
}
