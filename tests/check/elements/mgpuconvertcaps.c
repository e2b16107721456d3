/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests which caps mgpuconvert negotiates with its neighbors. */
#include "common.h"

#include <gst/base/gstbasetransform.h>

typedef struct
{
  const gchar *in, *accepted, *out;
} Case;

/* Returns the output caps that the element chooses for the input caps @in if downstream accepts
 * @accepted. Calls the element's functions as GstBaseTransform does, so no kernel is built. */
static void
check_case (const gchar * direction, const Case * c)
{
  g_autoptr (GstElement) element =
      gst_element_factory_make ("mgpuconvert", NULL);
  GstBaseTransform *trans = GST_BASE_TRANSFORM (element);
  GstBaseTransformClass *klass = GST_BASE_TRANSFORM_GET_CLASS (trans);
  g_autofree gchar *in_text = g_strdup_printf ("video/x-raw,framerate=25/1,%s",
      c->in);
  g_autofree gchar *accepted_text = g_strdup_printf ("video/x-raw%s%s",
      c->accepted[0] != '\0' ? "," : "", c->accepted);
  g_autofree gchar *out_text = g_strdup_printf ("video/x-raw,framerate=25/1,%s",
      c->out), *got_text = NULL;
  g_autoptr (GstCaps) in = gst_caps_from_string (in_text);
  g_autoptr (GstCaps) accepted = gst_caps_from_string (accepted_text);
  g_autoptr (GstCaps) expected = gst_caps_from_string (out_text);
  g_autoptr (GstCaps) possible = NULL, templ = NULL, got = NULL;

  gst_util_set_object_arg (G_OBJECT (element), "video-direction", direction);
  possible = klass->transform_caps (trans, GST_PAD_SINK, in, accepted);
  templ = gst_pad_get_pad_template_caps (trans->srcpad);
  got = gst_caps_intersect_full (possible, templ, GST_CAPS_INTERSECT_FIRST);
  got = klass->fixate_caps (trans, GST_PAD_SINK, in, got);
  got_text = gst_caps_to_string (got);
  fail_unless (gst_caps_is_equal (got, expected), "%s to %s: got %s, not %s",
      in_text, accepted_text, got_text, out_text);
}

/* Tests that the chosen size and pixel aspect ratio keep the display aspect ratio. */
GST_START_TEST (test_sizes)
{
  static const Case cases[] = {
    {"format=I420,width=320,height=240", "",
        "format=I420,width=320,height=240"},
    {"format=I420,width=320,height=240", "width=160",
        "format=I420,width=160,height=120"},
    {"format=I420,width=320,height=240", "height=[1,60]",
        "format=I420,width=80,height=60"},
    {"format=I420,width=320,height=240", "width={100,200,640}",
        "format=I420,width=200,height=150"},
    {"format=I420,width=320,height=240", "width=320,height=320",
        "format=I420,width=320,height=320,pixel-aspect-ratio=4/3"},
    {"format=I420,width=320,height=240",
          "width=320,height=320,pixel-aspect-ratio=1/1",
        "format=I420,width=320,height=320,pixel-aspect-ratio=1/1"},
    {"format=I420,width=320,height=240", "width=160,pixel-aspect-ratio=1/1",
        "format=I420,width=160,height=120,pixel-aspect-ratio=1/1"},
    {"format=I420,width=320,height=240", "height=120,pixel-aspect-ratio=4/3",
        "format=I420,width=120,height=120,pixel-aspect-ratio=4/3"},
    {"format=I420,width=320,height=240,pixel-aspect-ratio=1/1",
          "width=320,height=320",
        "format=I420,width=320,height=320,pixel-aspect-ratio=4/3"},
    {"format=I420,width=720,height=576,pixel-aspect-ratio=16/15",
          "pixel-aspect-ratio=1/1",
        "format=I420,width=768,height=576,pixel-aspect-ratio=1/1"},
    {"format=I420,width=720,height=576,pixel-aspect-ratio=16/15", "width=360",
          "format=I420,width=360,height=288,pixel-aspect-ratio=16/15"},
    {"format=I420,width=1280,height=720", "width=1,height=1",
        "format=I420,width=1,height=1,colorimetry=bt709"},
    {"format=I420,width=1,height=1", "width=1000",
        "format=I420,width=1000,height=1000,colorimetry=bt601"},
    {"format=I420,width=1001,height=3", "width=[1,100],pixel-aspect-ratio=1/1",
        "format=I420,width=100,height=1,pixel-aspect-ratio=1/1"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_case ("identity", &cases[i]);
}

GST_END_TEST;

GST_START_TEST (test_turned_sizes)
{
  static const Case cases[] = {
    {"format=I420,width=320,height=240", "",
        "format=I420,width=240,height=320"},
    {"format=I420,width=320,height=240", "width=120",
        "format=I420,width=120,height=160"},
    {"format=I420,width=720,height=576,pixel-aspect-ratio=16/15", "",
          "format=I420,width=576,height=720,pixel-aspect-ratio=15/16,"
          "colorimetry=bt601"},
    {"format=I420,width=720,height=576,pixel-aspect-ratio=16/15",
          "pixel-aspect-ratio=1/1",
        "format=I420,width=576,height=768,pixel-aspect-ratio=1/1,"
          "colorimetry=bt601"},
    {"format=I420,width=768,height=576", "width=300,height=400",
          "format=I420,width=300,height=400"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    check_case ("90l", &cases[i]);
    check_case ("ur-ll", &cases[i]);
  }
}

GST_END_TEST;

#define SIZE ",width=64,height=48"

/* Tests that the element chooses the accepted format that loses least; among equal formats, the
 * first. */
GST_START_TEST (test_formats)
{
  static const struct
  {
    const gchar *in, *accepted, *out;
  } formats[] = {
    {"I420", "{RGB,NV12,I420}", "I420"},
    {"I420", "{GRAY8,RGB,YV12,NV12}", "YV12"},
    {"I420", "{GRAY8,RGB}", "RGB"},
    {"I420", "GRAY8", "GRAY8,colorimetry=bt601"},
    {"Y444", "{I420,Y42B,NV12}", "Y42B"},
    {"Y444", "{I420,RGB}", "RGB"},
    {"Y42B", "{NV12,YUY2,RGB}", "YUY2"},
    {"RGBA", "{RGB,I420,BGRA}", "BGRA"},
    {"RGBA", "{GRAY8,BGR,NV12}", "BGR"},
    {"RGB", "{RGBA,RGBx,I420}", "RGBx"},
    {"RGB", "{RGBA,BGR}", "BGR"},
    {"GRAY16_LE", "{RGB,I420_10LE,GRAY8}", "I420_10LE"},
    {"GRAY8", "{RGB,GRAY16_LE,I420}", "I420"},
    {"P010_10LE", "{NV12,I420_10LE}", "I420_10LE"},
    {"P010_10LE", "{GRAY16_LE,NV12}", "NV12"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree gchar *in = g_strdup_printf ("format=%s" SIZE, formats[i].in);
    g_autofree gchar *accepted =
        g_strdup_printf ("format=%s", formats[i].accepted);
    g_autofree gchar *out = g_strdup_printf ("format=%s" SIZE, formats[i].out);
    Case c = { in, accepted, out };

    check_case ("identity", &c);
  }
}

GST_END_TEST;

/* Tests that colorimetry and chroma site of the caps are kept. If the input caps have none, the
 * output caps have none either, unless the output size would imply another default. */
GST_START_TEST (test_colours)
{
  static const Case cases[] = {
    {"format=I420,colorimetry=bt709,chroma-site=mpeg2" SIZE, "format=NV12",
        "format=NV12,colorimetry=bt709,chroma-site=mpeg2" SIZE},
    {"format=I420,colorimetry=bt709,chroma-site=mpeg2" SIZE, "format=Y444",
        "format=Y444,colorimetry=bt709" SIZE},
    {"format=I420,colorimetry=bt709,chroma-site=mpeg2" SIZE, "format=GRAY8",
        "format=GRAY8,colorimetry=bt709" SIZE},
    {"format=GRAY8,colorimetry=bt709" SIZE, "format=I420",
        "format=I420,colorimetry=bt709" SIZE},
    {"format=GRAY8,colorimetry=1:3:5:1" SIZE, "format=I420",
        "format=I420,colorimetry=2:4:5:1" SIZE},
    {"format=GRAY8" SIZE, "format=I420", "format=I420" SIZE},
    {"format=I420" SIZE, "format=GRAY8", "format=GRAY8,colorimetry=bt601" SIZE},
    {"format=NV12,width=1280,height=720", "format=GRAY16_LE,height=360",
        "format=GRAY16_LE,width=640,height=360,colorimetry=bt709"},
    {"format=I420,colorimetry=bt709" SIZE, "format=RGB",
        "format=RGB,colorimetry=1:1:5:1" SIZE},
    {"format=RGB,colorimetry=sRGB" SIZE, "format=I420",
        "format=I420,colorimetry=2:4:7:1" SIZE},
    {"format=I420,colorimetry=bt709" SIZE,
          "format=I420,colorimetry={bt601,bt709}",
        "format=I420,colorimetry=bt709" SIZE},
    {"format=I420" SIZE, "format=I420,colorimetry={bt709,bt601}",
        "format=I420,colorimetry=bt601" SIZE},
    {"format=I420,colorimetry=bt709" SIZE, "format=I420,colorimetry=bt601",
        "format=I420,colorimetry=bt601" SIZE},
    {"format=I420" SIZE, "format=NV12", "format=NV12" SIZE},
    {"format=I420" SIZE, "width=1280",
        "format=I420,width=1280,height=960,colorimetry=bt601"},
    {"format=I420,width=1280,height=720", "width=320",
        "format=I420,width=320,height=180,colorimetry=bt709"},
    {"format=I420" SIZE, "format=RGB,width=1280",
        "format=RGB,width=1280,height=960"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_case ("identity", &cases[i]);
}

GST_END_TEST;

/* Tests that the element offers frames in device memory first; neighbors that accept only system
 * memory get frames in system memory. */
GST_START_TEST (test_memory)
{
  static const struct
  {
    const gchar *accepted;
    gboolean device;
  } cases[] = {
    {"ANY", TRUE}, {"video/x-raw", FALSE},
    {"video/x-raw;video/x-raw(memory:OpenCLMemory)", TRUE},
    {"video/x-raw(memory:OpenCLMemory)", TRUE},
    {"video/x-raw,format=I420", FALSE}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    for (guint device = 0; device < 2; device++) {
      g_autoptr (GstHarness) h = gst_harness_new_parse ("mgpuconvert");
      g_autoptr (GstCaps) got = NULL;

      gst_harness_set_sink_caps_str (h, cases[i].accepted);
      gst_harness_set_src_caps (h, caps_new (GST_VIDEO_FORMAT_I420, 32, 24,
              device));
      got = gst_pad_get_current_caps (h->sinkpad);
      fail_unless (got != NULL);
      fail_unless_equals_int (gst_caps_features_contains
          (gst_caps_get_features (got, 0), GST_CAPS_FEATURE_MEMORY_OPENCL),
          cases[i].device);
    }
  }
}

GST_END_TEST;

/* Tests that formats that the kernels do not support are refused on both pads. */
GST_START_TEST (test_refused)
{
  g_autoptr (GstHarness) h = gst_harness_new_parse ("mgpuconvert");
  g_autoptr (GstCaps) in =
      gst_caps_from_string ("video/x-raw,format=UYVP" SIZE);

  fail_if (gst_pad_peer_query_accept_caps (h->srcpad, in));
  gst_caps_unref (in);
  gst_harness_set_sink_caps_str (h, "video/x-raw,format=UYVP");
  in = gst_pad_peer_query_caps (h->srcpad, NULL);
  fail_unless (gst_caps_is_empty (in));
}

GST_END_TEST;

/* Tests that a source that accepts all caps gets the caps of downstream, including the size. */
GST_START_TEST (test_upstream)
{
  g_autoptr (GstHarness) h = gst_harness_new_parse ("mgpuconvert");
  g_autoptr (GstCaps) got = NULL, any = NULL;

  gst_harness_set_sink_caps_str (h, "video/x-raw,format=GRAY8,width=10,"
      "height=10,framerate=30/1,pixel-aspect-ratio=4/3");
  got = gst_pad_peer_query_caps (h->srcpad, NULL);
  any = gst_caps_from_string ("video/x-raw(memory:OpenCLMemory),format=NV12,"
      "width=1234,height=777,framerate=30/1;video/x-raw,format=xBGR,width=1,"
      "height=1,framerate=30/1,pixel-aspect-ratio=3/2");
  fail_unless (gst_caps_is_subset (any, got));
  gst_caps_unref (any);
  any = gst_caps_from_string ("video/x-raw,format=GRAY8,width=10,height=10,"
      "framerate=25/1");
  fail_if (gst_caps_can_intersect (any, got));
}

GST_END_TEST;

CHECK_TESTS (mgpuconvertcaps)
{
  tcase_add_test (tc, test_sizes);
  tcase_add_test (tc, test_turned_sizes);
  tcase_add_test (tc, test_formats);
  tcase_add_test (tc, test_colours);
  tcase_add_test (tc, test_memory);
  tcase_add_test (tc, test_refused);
  tcase_add_test (tc, test_upstream);
}
