/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Measures the OpenCV and the pybgs of the Python interpreter MGPU_PEER_PYTHON: a child process,
 * peers-python.py, times the calls. */
#include "peers.h"
#include "private.h"
#include <gio/gio.h>
#include <gst/vision/bilateral/bilateral.h>
#include <gst/vision/convert/convert.h>
#include <gst/vision/histeq/histeq.h>
#include <gst/vision/sharpen/sharpen.h>
#include <signal.h>
#include <string.h>
#include <tests/kernelcheck/here.h>

static GSubprocess *child;
static GDataInputStream *answers;

/* Starts the child process. Returns FALSE if that fails, which is printed once. */
static gboolean
start (void)
{
  static gboolean was_tried;
  const gchar *python = g_getenv ("MGPU_PEER_PYTHON");
  GError *error = NULL;

  if (was_tried)
    return child != NULL;
  was_tried = TRUE;
  if (python == NULL || python[0] == '\0') {
    g_print ("  peer in Python: not measured, because MGPU_PEER_PYTHON names "
        "no python3\n");
    return FALSE;
  }
  /* A child process that has ended is detected because its response is missing. */
  signal (SIGPIPE, SIG_IGN);
  child = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE
      | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, python, KC_PEER_SCRIPT, NULL);
  if (child == NULL) {
    g_print ("  peer in Python: not measured: %s\n", error->message);
    g_clear_error (&error);
    return FALSE;
  }
  answers = g_data_input_stream_new (g_subprocess_get_stdout_pipe (child));
  return TRUE;
}

static gboolean
send (gconstpointer data, gsize size)
{
  return g_output_stream_write_all (g_subprocess_get_stdin_pipe (child), data,
      size, NULL, NULL, NULL);
}

/* Sends the samples without the padding between rows. */
static gboolean
send_array (const KcArray * array)
{
  gsize row = (gsize) array->width * array->pixel_stride;
  gboolean ok = TRUE;

  for (gint y = 0; y < array->height && ok; y++)
    ok = send ((const guint8 *) array->data + y * array->stride, row);
  return ok;
}

static void
add_array (JsonBuilder * builder, const KcArray * array)
{
  if (array->data == NULL)
    return;
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "type");
  json_builder_add_string_value (builder, array->type == KC_U8 ? "u1"
      : array->type == KC_U16 ? "u2" : "f4");
  json_builder_set_member_name (builder, "rows");
  json_builder_add_int_value (builder, array->height);
  json_builder_set_member_name (builder, "columns");
  json_builder_add_int_value (builder, array->width);
  json_builder_end_object (builder);
}

/* Returns: (transfer full): the request "prepare ..." */
static gchar *
get_request (const KcPython * python)
{
  JsonBuilder *builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  gchar *json, *line;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "prepare");
  json_builder_add_string_value (builder, python->prepare);
  json_builder_set_member_name (builder, "call");
  json_builder_add_string_value (builder, python->call);
  json_builder_set_member_name (builder, "arrays");
  json_builder_begin_array (builder);
  add_array (builder, &python->a);
  add_array (builder, &python->b);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  json = json_to_string (root, FALSE);
  line = g_strdup_printf ("prepare %s\n", json);
  g_free (json);
  g_object_unref (builder);
  return line;
}

/* Returns: (transfer full) (nullable): the next line of the child process */
static gchar *
get_answer (void)
{
  return g_data_input_stream_read_line (answers, NULL, NULL, NULL);
}

static void
stop (void)
{
  g_print ("  peer in Python: not measured: its process ended\n");
  g_clear_object (&answers);
  g_clear_object (&child);
}

gboolean
kc_python_prepare (KcPython * python)
{
  gchar *request, *answer = NULL;
  gboolean ok;

  if (python->call == NULL || !start ())
    return FALSE;
  request = get_request (python);
  if (send (request, strlen (request)) && send_array (&python->a)
      && (python->b.data == NULL || send_array (&python->b)))
    answer = get_answer ();
  g_free (request);
  ok = answer != NULL && g_str_has_prefix (answer, "ok ");
  if (ok)
    g_strlcpy (python->name, answer + strlen ("ok "), sizeof (python->name));
  else if (answer != NULL)
    g_print ("  peer in Python: not measured: %s\n", answer);
  else
    stop ();
  g_free (answer);
  return ok;
}

gdouble
kc_python_run (gpointer data)
{
  gdouble processor;

  return kc_python_time (&processor);
}

gdouble
kc_python_time (gdouble * processor)
{
  g_autofree gchar *answer = child != NULL
      && send ("run\n", 4) ? get_answer () : NULL;
  gchar *second = NULL;
  gdouble time = answer != NULL ? g_ascii_strtod (answer, &second) : -1;

  *processor = answer != NULL ? g_ascii_strtod (second, NULL) : -1;

  if (answer == NULL && child != NULL)
    stop ();
  return time;
}

gboolean
kc_python_get (gdouble * numbers, guint n)
{
  g_autofree gchar *answer = child != NULL
      && send ("get\n", 4) ? get_answer () : NULL;
  gchar *at = answer, *end = answer;

  for (guint i = 0; i < n && end != NULL; i++, at = end) {
    numbers[i] = g_ascii_strtod (at, &end);
    end = end == at ? NULL : end;
  }
  if (answer == NULL && child != NULL)
    stop ();
  return end != NULL;
}

void
kc_python_set (KcPython * python, const gchar * prepare, const gchar * call)
{
  kc_python_clear (python);
  python->prepare = g_strdup (prepare);
  python->call = g_strdup (call);
}

void
kc_python_clear (KcPython * python)
{
  g_clear_pointer (&python->prepare, g_free);
  g_clear_pointer (&python->call, g_free);
}

KcArray
kc_python_plane (const KcPicture * picture, guint plane)
{
  const GstVideoInfo *info = &picture->info;
  guint bytes = GST_VIDEO_INFO_COMP_DEPTH (info, 0) > 8 ? 2 : 1;
  KcArray array = {
    .type = bytes == 2 ? KC_U16 : KC_U8,
    .data = picture->data + info->offset[plane],
    .stride = info->stride[plane],
    .pixel_stride = bytes,
    .width = kc_picture_row_bytes (picture, plane) / bytes,
    .height = GST_VIDEO_SUB_SCALE (info->finfo->h_sub[plane == 0 ? 0 : 1],
        GST_VIDEO_INFO_HEIGHT (info))
  };

  return array;
}

/* ---- Python calls that do what the filters do ------------------------------- */

/* Begins with the frame as a, with three channels if the format has them. */
static void
set_frame (KcPython * python, const KcPicture * in, const gchar * prepare)
{
  python->a = kc_python_plane (in, 0);
  python->prepare = g_strconcat (GST_VIDEO_INFO_N_COMPONENTS (&in->info) == 3
      && GST_VIDEO_INFO_N_PLANES (&in->info) == 1 ? KC_PYTHON_BGR : "", prepare,
      NULL);
}

void
kc_python_bilateral (gconstpointer params, const KcPicture * in,
    const KcPicture * out, KcPython * python)
{
  const MgpuBilateralParams *p = params;

  set_frame (python, in, "");
  python->call = g_strdup_printf ("cv2.bilateralFilter(a, %d, %g, %g, o)",
      p->radius > 0 ? 2 * p->radius + 1 : 0, p->sigma_color, p->sigma_space);
}

void
kc_python_histeq (gconstpointer params, const KcPicture * in,
    const KcPicture * out, KcPython * python)
{
  const MgpuHisteqParams *p = params;
  gboolean is_clahe = p->method == MGPU_HISTEQ_CLAHE;
  g_autofree gchar *prepare =
      g_strdup_printf ("c = cv2.createCLAHE(%g, (%u, %u))",
      (gdouble) p->clahe.clip_limit, (guint) p->clahe.tiles_x,
      (guint) p->clahe.tiles_y);

  set_frame (python, in, is_clahe ? prepare : "");
  python->call =
      g_strdup (is_clahe ? "c.apply(a, o)" : "cv2.equalizeHist(a, o)");
}

void
kc_python_sharpen (gconstpointer params, const KcPicture * in,
    const KcPicture * out, KcPython * python)
{
  const MgpuSharpenParams *p = params;
  gdouble amount = p->amount, sigma = p->sigma;

  set_frame (python, in, "t = a.copy()");
  python->call = amount == -1
      ? g_strdup_printf ("cv2.GaussianBlur(a, None, %g, o)", sigma)
      : g_strdup_printf ("cv2.addWeighted(a, %g, "
      "cv2.GaussianBlur(a, None, %g, t), %g, 0, o)", 1 + amount, sigma,
      -amount);
}

void
kc_python_resize (gconstpointer params, const KcPicture * in,
    const KcPicture * out, KcPython * python)
{
  static const gchar *const names[] = {
    "NEAREST_EXACT", "LINEAR", "AREA", "CUBIC", "LANCZOS4"
  };
  const MgpuConvertParams *p = params;

  set_frame (python, in, "");
  python->call = g_strdup_printf ("cv2.resize(a, (%d, %d), o, interpolation="
      "cv2.INTER_%s)", GST_VIDEO_INFO_WIDTH (&out->info),
      GST_VIDEO_INFO_HEIGHT (&out->info), names[p->method]);
}

void
kc_python_turn (gconstpointer params, const KcPicture * in,
    const KcPicture * out, KcPython * python)
{
  const MgpuConvertParams *p = params;

  set_frame (python, in, "");
  python->call = g_strdup (p->orientation == GST_VIDEO_ORIENTATION_UL_LR
      ? "cv2.transpose(a, o)" : p->orientation == GST_VIDEO_ORIENTATION_HORIZ
      ? "cv2.flip(a, 1, o)" : p->orientation == GST_VIDEO_ORIENTATION_VERT
      ? "cv2.flip(a, 0, o)" : p->orientation == GST_VIDEO_ORIENTATION_180
      ? "cv2.rotate(a, cv2.ROTATE_180, o)"
      : p->orientation == GST_VIDEO_ORIENTATION_90L
      ? "cv2.rotate(a, cv2.ROTATE_90_COUNTERCLOCKWISE, o)"
      : "cv2.rotate(a, cv2.ROTATE_90_CLOCKWISE, o)");
}

void
kc_python_nv12_to_bgr (gconstpointer params, const KcPicture * in,
    const KcPicture * out, KcPython * python)
{
  set_frame (python, in, "b = b.reshape(len(b), -1, 2)");
  python->b = kc_python_plane (in, 1);
  python->call =
      g_strdup ("cv2.cvtColorTwoPlane(a, b, cv2.COLOR_YUV2BGR_NV12, o)");
}
