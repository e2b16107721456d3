/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Lists the pipelines that the program faults runs, with each element and each of its modes. */
#include "faults.h"

#include "../check/dpmmodel.h"

#include <glib/gstdio.h>

#define I420 "! video/x-raw,format=I420,width=40,height=30"
#define RGB "! video/x-raw,format=RGB,width=41,height=31"
#define PQ "! video/x-raw,format=P010_10LE,width=40,height=30,colorimetry=bt2100-pq"
/* A frame of which mgpuflow can process a part */
#define WIDE "pattern=snow ! video/x-raw,format=RGB,width=132,height=17"
/* A frame as large as a standing person */
#define PERSON "! video/x-raw,format=GRAY8,width=72,height=136"
/* A frame with some keypoints */
#define TEXTURE "pattern=snow ! video/x-raw,format=GRAY8,width=48,height=40"
/* A frame that is opaque except for a ball */
#define BALL "pattern=ball foreground-color=0x00ffffff ! " \
    "video/x-raw,format=BGRA,width=40,height=30"

/* Two frames with a ball that moves */
#define MOVES "pattern=ball ! video/x-raw,format=I420,width=80,height=56"

/* Begins a second stream for the pad @pad of the element f. */
#define BESIDE(pad) "f.sink videotestsrc num-buffers=2 pattern=ball ! " \
    "video/x-raw,format=GRAY8,width=40,height=30 ! f." pad " "

/* Removes a hole that is filled one patch after the other, because sources are too near for other
 * methods. */
#define REMOVED "rectangle=12,8,5,4 search-factor=0.5"

const FaultsPipeline faults_table[] = {
  {"base", RGB, "mgpuupload ! mgpuhisteq ! mgpudownload ! video/x-raw"},
  {"base", I420, "mgpubilateral profile=true ! mgpuhisteq profile=true"},
  {"base", I420, "mgpubilateral enabled=false"},
  {"base", I420, "mgpusharpen ! mgputrack anchor=middle"},
  {"base", I420, "mgpusharpen ! mgpumetajson add-empty=true post-messages=true"},

  {"bilateral", I420, "mgpubilateral"},
  {"bilateral", I420, "mgpubilateral planes=all ! video/x-raw"},
  {"bilateral", I420, "mgpubilateral method=grid"},
  {"bilateral", I420, "mgpubilateral method=constant-time levels=4"},
  {"bilateral", I420, BESIDE ("guide") "mgpubilateral name=f"},
  {"bilateral", I420, BESIDE ("guide") "mgpubilateral method=grid name=f"},
  {"bilateral", I420, BESIDE ("guide")
        "mgpubilateral method=constant-time levels=4 name=f"},

  {"blur", I420, "mgpublur sigma=4"},
  {"blur", I420, "mgpublur sigma=4 rectangle=3,4,9,8 mask-feather=2"},
  {"blur", I420, "mgpublur sigma=4 mask-source=property polygon=3,4,9,8,3,8"},
  {"blur", I420, "mgpublur sigma=4 mask-source=roi mask-hold=1 mask-invert=true"},
  {"blur", BALL, "mgpublur sigma=4 mask-source=alpha mask-dilate=2"},
  {"blur", I420, BESIDE ("mask_sink") "mgpublur mix=0.5 name=f"},
  {"blur", I420, BESIDE ("mask_sink") "mgpublur mask-source=pad name=f"},
  {"blur", RGB, "mgpublur method=pixelate ! video/x-raw"},
  {"blur", I420, "mgpublur method=fill color=0xff102030"},

  {"convert", I420, "mgpuconvert ! video/x-raw,format=RGB"},
  {"convert", I420, "mgpuconvert method=nearest ! video/x-raw,width=60"},
  {"convert", I420, "mgpuconvert method=bilinear ! "
        "video/x-raw,format=BGRx,width=20,height=20"},
  {"convert", I420, "mgpuconvert method=area ! video/x-raw,width=13,height=9"},
  {"convert", I420, "mgpuconvert method=bicubic ! video/x-raw,width=60"},
  {"convert", I420, "mgpuconvert method=lanczos ! video/x-raw,width=13,height=9"},
  {"convert", I420, "mgpuconvert video-direction=90r"},
  {"convert", PQ, "mgpuconvert tone-map=none ! video/x-raw,format=NV12,colorimetry=bt709"},
  {"convert", PQ, "mgpuconvert tone-map=bt2390 ! video/x-raw,format=NV12,colorimetry=bt709"},

  {"denoise", I420, "mgpudenoise"},
  {"denoise", RGB, "mgpudenoise planes=luma"},
  {"denoise", RGB, "mgpudenoise motion=flow"},
  {"denoise", I420, "mgpudenoise roi-type=a"},
  {"histeq", I420, "mgpuhisteq"},
  {"histeq", RGB, "mgpuhisteq channels=each temporal-smoothing=0.5"},
  {"histeq", I420, "mgpuhisteq method=clahe tiles-x=2 tiles-y=2"},
  {"histeq", I420, "mgpuhisteq method=levels strength=0.5 temporal-smoothing=0.5"},
  {"histeq", RGB, "mgpuhisteq method=clahe channels=each "
        "temporal-smoothing=0.5 ! video/x-raw"},

  {"hog", PERSON, "mgpuhog detector=people box=window threshold=-9 "
        "max-levels=2"},
  {"hog", PERSON, "mgpuhog detector=people box=object roi-type=thing "
        "max-levels=2"},
  {"hog", I420, "mgpuhog detector=none attach-features=true max-levels=2"},
  {"hog", I420, "mgpuhog detector=none attach-features=true max-levels=2 "
        "features=dalal-triggs resize=linear cell-size=4"},
  {"hog", PERSON, "mgpuhog detector=model model=FILES/model.xml max-levels=7 "
        "levels-per-octave=5"},
  {"hog", PERSON, "mgpuhog detector=model model=FILES/cascade.xml cascade=on "
        "max-levels=7 levels-per-octave=5 attach-features=true"},

  {"inpaint", I420, "mgpuinpaint " REMOVED},
  {"inpaint", I420, "mgpuinpaint mode=temporal " REMOVED},
  {"inpaint", I420, "mgpuinpaint mode=video " REMOVED},
  {"inpaint", MOVES, "mgpuinpaint mode=video look-ahead=2 rectangle=30,10,30,30"},
  {"inpaint", I420, "mgpuinpaint method=exemplar " REMOVED},
  {"inpaint", I420, "mgpuinpaint method=harmonic rectangle=10,6,16,16"},
  {"inpaint", I420, "mgpuinpaint method=directional rectangle=10,6,16,16"},
  {"inpaint", MOVES, "mgpuinpaint method=patchmatch rectangle=30,10,30,30"},
  {"inpaint", I420, "mgpuinpaint mode=temporal background=true look-ahead=1 "
        REMOVED},
  {"inpaint", MOVES, "mgpuinpaint mode=temporal background=true "
        "method=harmonic rectangle=76,50,4,6"},
  {"inpaint", MOVES, "mgpuinpaint background=true camera=moves "
        "method=harmonic rectangle=76,50,4,6"},
  {"inpaint", MOVES, "mgpumotion ! mgpuinpaint background=true "
        "method=harmonic rectangle=76,50,4,6"},
  {"inpaint", I420, "mgpuinpaint mode=temporal smooth-seams=true blend=true "
        REMOVED " ! video/x-raw"},
  {"inpaint", RGB, "mgpuinpaint mask-location=FILES/mask.pgm scale-mask=true "
        "mask-dilate=1 search-factor=0.5"},
  {"inpaint", I420, "mgpuinpaint method=harmonic mask-feather=2 " REMOVED},
  {"inpaint", I420, "mgpuinpaint mask-source=roi mask-hold=1 search-factor=0.5"},
  {"inpaint", BALL, "mgpuinpaint mask-source=alpha search-factor=0.5"},
  {"inpaint", I420, BESIDE ("mask_sink")
        "mgpuinpaint mask-source=pad mode=temporal name=f"},

  {"flow", I420, "mgpuflow"},
  {"flow", RGB, "mgpuflow preset=ultrafast lighting=steady direction=to-previous"},
  {"flow", I420, "mgpuflow preset=fast lighting=changes direction=from-previous"},
  {"flow", I420, "mgpuflow preset=medium"},
  {"flow", TEXTURE, "mgpuflow dense=false tracks=30 track-cell=8"},
  {"flow", I420, "mgpuflow preset=fine direction=both draw=none"},
  {"flow", WIDE, "mgpuflow draw=colors rectangle=8,8,8,8 tracks=9"},
  {"integral", I420, "mgpuintegral squared=true"},
  {"integral", RGB, "mgpuintegral box-radius=2 ! video/x-raw"},

  {"localcontrast", I420, "mgpulocalcontrast"},
  {"localcontrast", RGB, "mgpulocalcontrast shadows=0.5 rectangle=1,2,9,8"},

  {"kernel", I420, "mgpukernel location=FILES/kernel.cl"},
  {"kernel", RGB, "mgpukernel location=FILES/kernel.cl kernel=second"},
  {"kernel", I420, "mgpukernel location=FILES/kernel.cl rectangle=3,4,9,8 ! video/x-raw"},
  {"kernel", I420, BESIDE ("second") "mgpukernel location=FILES/kernel.cl "
        "kernel=second name=f"},
  {"kernel", I420, "mgpukernel location=FILES/boxes.cl post-messages=true"},

  {"match", TEXTURE, "mgpusift octaves=1 ! mgpumatch ratio=1 min-inliers=4 "
        "threshold=100 pictures=FILES/half.pgm:FILES/noise.pgm"},

  {"moving", I420, "mgpumotion min-frames=1 output=frame"},
  {"moving", RGB, "mgpumotion shadows=remove light=field gate=true"},
  {"moving", I420, "mgpumotion shadows=keep light=tone output=mask"},
  {"moving", BALL, "mgpumotion light=off output=alpha wait=false"},
  {"moving", I420, "mgpumotion rectangle=3,4,9,8 mask-source=property"},
  {"moving", I420, BESIDE ("mask_sink") "mgpumotion mask-source=pad name=f"},

  {"overlay", I420, "mgpuoverlay text=a"},
  {"overlay", I420, "mgpumotion ! mgpuoverlay draw=motion+heat"},
  {"overlay", I420, "mgpuflow preset=ultrafast ! mgpuoverlay draw=flow"},
  {"overlay", TEXTURE, "mgpusift octaves=1 ! mgpuoverlay text={keypoints} ! "
        "video/x-raw"},

  {"pyramid", I420, "mgpupyramid levels=3 name=p p.src_0 ! queue ! fakesink "
        "p.src_2 ! queue"},
  {"pyramid", I420, "mgpupyramid type=laplacian levels=2 name=p p.src_0 ! "
        "queue ! fakesink p.src_1 ! queue"},

  {"remap", I420, "mgpuremap input=fisheye fov=90 edges=repeat interpolation=cubic"},
  {"remap", RGB, "mgpuremap input=equirect projection=fisheye edges=mirror "
        "interpolation=lanczos samples=2 ! video/x-raw,width=30,height=30"},
  {"remap", I420, "mgpuremap input=perspective input-fov=90 projection=equirect "
        "edges=color samples=4"},
  {"remap", I420, "mgpuremap location=FILES/camera.yml fit=crop projection=cylinder"},
  {"remap", I420, "mgpuremap projection=same input=fisheye ! mgpuremap fov=90"},
  {"remap", I420, "mgpuremap location=FILES/camera.yml fit=refuse "
        "projection=stereographic"},

  {"sharpen", I420, "mgpusharpen"},
  {"sharpen", RGB, "mgpusharpen sigma=20 threshold=1 ! video/x-raw"},

  {"sift", TEXTURE, "mgpusift descriptor=none octaves=2"},
  {"sift", TEXTURE, "mgpusift descriptor=rootsift octaves=1 "
        "mask-location=FILES/half.pgm"},
  {"sift", TEXTURE, "mgpusift octaves=1 max-features=5"},
  {"sift", TEXTURE, "mgpusift octaves=1 max-features=5 points=detect ! "
        "mgpusift octaves=1 points=given"},

  {"stabilize", TEXTURE, "mgpustabilize points=sift look-ahead=1 smoothing=1"},
  {"stabilize", TEXTURE, "mgpustabilize points=tracks look-ahead=1 smoothing=1"},
  {"stabilize", TEXTURE, "mgpustabilize mode=tripod model=homography edges=mirror "
        "interpolation=cubic analysis-size=64"},
  {"stabilize", TEXTURE, "mgpustabilize mode=measure model=translation "
        "ignore-type=a"},
  {"stabilize", TEXTURE, "mgpustabilize model=rigid edges=cut "
        "interpolation=lanczos"},
  {"stabilize", TEXTURE, "mgpustabilize model=affine edges=black"},
  {"stabilize", TEXTURE, "mgpusift octaves=1 ! mgpustabilize edges=repeat"},

  {"tags", I420, "mgputags"},
  {"tags", RGB, "mgputags detail=half polarity=inverted refine=none"},
  {"tags", TEXTURE, "mgputags detail=quarter polarity=both refine=edges "
        "mask-location=FILES/half.pgm families=tagAruco4x4_50 ! video/x-raw"},
  {NULL}
};

static const gchar *const files[] = {
  "model.xml", "cascade.xml", "mask.pgm", "half.pgm", "camera.yml", "kernel.cl",
  "boxes.cl", "noise.pgm"
};

/* Returns: (transfer full): a picture with many keypoints */
static gchar *
make_noise (void)
{
  GString *text = g_string_new ("P2 64 48 255\n");
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 64 * 48; i++)
    g_string_append_printf (text, "%d\n", g_rand_int_range (random, 0, 256));
  return g_string_free (text, FALSE);
}

/* Writes the files that pipelines read. Returns: (transfer full): their folder */
gchar *
faults_make_files (void)
{
  gchar *folder = g_dir_make_tmp ("faults-XXXXXX", NULL);
  gchar *mask = g_strdup ("P2 8 6 255\n"
      "0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n0 0 255 255 0 0 0 0\n"
      "0 0 255 255 0 0 0 0\n0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 0\n");
  gchar *half = g_strdup ("P2 1 2 255\n0 255\n");
  gchar *camera = g_strdup ("%YAML:1.0\nimage_size: [40, 30]\n"
      "K: [40, 0, 19, 0, 40, 15, 0, 0, 1]\nD: [-0.3, 0.1, 0, 0]\n");
  gchar *kernel = g_strdup ("//! results int 1 n\n//! buffer b int 1 keep\n"
      "//! previous\n//! pass first last\n"
      "PIXEL (first) { atomic_inc (n); return LOAD (x, y) + PREVIOUS_LOAD (x, y); }\n"
      "PIXEL (second) { return (LOAD_RGB (x, y) + SECOND_LOAD_RGB (x, y)) / 2; }\n"
      "SAMPLE (last) { return LOAD (x, y) + 1; }\n");
  gchar *boxes = g_strdup ("//! boxes spot 9\n"
      "PIXEL (f) { if (x % 16 == 0 && y == 0) BOX (spot, x, y, 5, 5, 1);\n"
      "return LOAD (x, y); }\n");
  gchar *texts[] = { make_model (), make_cascade_model (), mask, half, camera,
    kernel, boxes, make_noise ()
  };

  g_assert (folder != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree gchar *path = g_build_filename (folder, files[i], NULL);

    if (!g_file_set_contents (path, texts[i], -1, NULL))
      g_error ("cannot write %s", path);
    g_free (texts[i]);
  }
  return folder;
}

/* Removes the folder @folder, and frees its name. */
void
faults_remove_files (gchar * folder)
{
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree gchar *path = g_build_filename (folder, files[i], NULL);

    g_remove (path);
  }
  g_rmdir (folder);
  g_free (folder);
}

gchar *
faults_get_launch (const FaultsPipeline * pipeline, const gchar * folder)
{
  GString *launch = g_string_new ("videotestsrc num-buffers=2 ");

  g_string_append_printf (launch, "%s ! %s ! fakesink", pipeline->source,
      pipeline->elements);
  g_string_replace (launch, "FILES", folder, 0);
  return g_string_free (launch, FALSE);
}

gchar *
faults_get_default_launch (const gchar * algorithm)
{
  return g_strdup_printf ("videotestsrc num-buffers=2 %s ! mgpu%s ! fakesink",
      I420, algorithm);
}

/* Returns whether a pipeline contains the element and, unless they are NULL, the words. */
static gboolean
table_has (const gchar * element, const gchar * words)
{
  for (const FaultsPipeline * p = faults_table; p->algorithm != NULL; p++) {
    const gchar *at = strstr (p->elements, element);

    if (at != NULL && strchr (" ", at[strlen (element)]) != NULL
        && (words == NULL || strstr (at, words) != NULL))
      return TRUE;
  }
  return FALSE;
}

/* Returns the number of values of a property that the table lacks; the default value may be
 * missing. */
static guint
check_modes (const gchar * element, GParamSpec * property)
{
  GEnumClass *klass = G_PARAM_SPEC_ENUM (property)->enum_class;
  guint n_missing = 0;

  for (guint i = 0; i < klass->n_values; i++) {
    g_autofree gchar *words = g_strdup_printf (" %s=%s", property->name,
        klass->values[i].value_nick);

    /* Leaves out segmentation masks, which GStreamer supports from 1.26 on, and which lead to the
     * same calls as regions. One piece of code makes the masks of all plain filters, so that those
     * of mgpublur are sufficient. */
    if (klass->values[i].value != G_PARAM_SPEC_ENUM (property)->default_value
        && strcmp (words, " mask-source=segmentation") != 0
        && !table_has (g_str_equal (G_ENUM_CLASS_TYPE_NAME (klass),
                "GstMgpuMaskSource") ? "mgpublur" : element, words)) {
      g_print ("no pipeline has %s%s\n", element, words);
      n_missing++;
    }
  }
  return n_missing;
}

static guint
check_element (GstElementFactory * factory)
{
  const gchar *name = GST_OBJECT_NAME (factory);
  GObjectClass *klass =
      g_type_class_ref (gst_element_factory_get_element_type (factory));
  guint n_missing = 0, n;
  GParamSpec **properties = g_object_class_list_properties (klass, &n);

  /* Leaves out other directions, because one kernel computes all directions. */
  for (guint i = 0; i < n; i++)
    if (G_IS_PARAM_SPEC_ENUM (properties[i])
        && !g_str_equal (properties[i]->name, "video-direction"))
      n_missing += check_modes (name, properties[i]);
  g_free (properties);
  g_type_class_unref (klass);
  return n_missing;
}

guint
faults_check_table (void)
{
  GList *list = gst_registry_get_feature_list (gst_registry_get (),
      GST_TYPE_ELEMENT_FACTORY);
  guint n_missing = 0, n_elements = 0;

  for (GList * l = list; l != NULL; l = l->next)
    if (g_str_has_prefix (GST_OBJECT_NAME (l->data), "mgpu")) {
      GstPluginFeature *loaded = gst_plugin_feature_load (l->data);

      n_missing += check_element (GST_ELEMENT_FACTORY (loaded));
      gst_object_unref (loaded);
      n_elements++;
    }
  gst_plugin_feature_list_free (list);
  g_print ("%u elements, %u modes without a pipeline\n",
      n_elements, n_missing);
  return n_missing + (n_elements == 0);
}
