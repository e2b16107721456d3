/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Tests the lines that mgpumetajson posts in messages, and writes to files and FIFOs. */
#include "../folder.h"
#include "metajson.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_ANALYTICS
#include <gst/analytics/analytics.h>
#endif

#define SIZE "\"resolution\":{\"width\":200,\"height\":100},"

static gchar *
make_path (const gchar * name)
{
  return g_build_filename (folder, name, NULL);
}

static guint64
get_dropped (GstHarness * h)
{
  guint64 n;

  g_object_get (h->element, "dropped", &n, NULL);
  return n;
}

/* --- Lines --- */

/* Returns: (transfer full): the text of the next element message */
static gchar *
pop_line (GstBus * bus)
{
  g_autoptr (GstMessage) message =
      gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT);
  const GstStructure *s;
  GstClockTime time;
  gchar *line;

  if (message == NULL)
    return NULL;
  s = gst_message_get_structure (message);
  fail_unless (gst_structure_has_name (s, "mgpu-metadata"));
  fail_unless (gst_structure_get (s, "running-time", GST_TYPE_CLOCK_TIME, &time,
          "timestamp", GST_TYPE_CLOCK_TIME, &time, NULL));
  line = g_strdup (gst_structure_get_string (s, "json"));
  return line;
}

/* Pushes @buffer (transfer full) through an mgpumetajson with two further properties, and checks
 * the line of JSON. */
static void
check_line (GstBuffer * buffer, const gchar * source, const gchar * tags,
    const gchar * expected)
{
  GstElement *element = json_new ("post-messages", TRUE, "add-empty", TRUE,
      "source", source, "tags", tags, NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GstHarness) h = NULL;
  g_autofree gchar *line = NULL;

  gst_element_set_bus (element, bus);
  h = play (element);
  pass (h, buffer);
  line = pop_line (bus);
  fail_unless_equals_string (line, expected);
  fail_unless (pop_line (bus) == NULL);
  gst_element_set_bus (h->element, NULL);
}

GST_START_TEST (test_line)
{
  const GstMgpuCamera camera = { GST_MGPU_CAMERA_MODEL_FISHEYE, 4, 200, 100,
    60.5, 61, 99.5, 49.5, {0.5, NAN}, {0, -1, 0, 1, 0, 0, 0, 0, 1}
  };
  GstBuffer *buffer = frame_at (1);
  GstVideoRegionOfInterestMeta *roi = add_region (buffer, "person", 0.5);

  gst_structure_set (gst_video_region_of_interest_meta_get_param (roi,
          "detection"), "score", G_TYPE_DOUBLE, -2.25, "label-id", G_TYPE_INT,
      3, NULL);
  gst_video_region_of_interest_meta_add_param (roi,
      gst_structure_new ("tracking", "id", G_TYPE_UINT64,
          G_GUINT64_CONSTANT (5000000000), NULL));
  gst_video_region_of_interest_meta_add_param (roi,
      gst_structure_new ("classification", "label", G_TYPE_STRING, "child",
          "confidence", G_TYPE_DOUBLE, 0.75, NULL));
  gst_video_region_of_interest_meta_add_param (roi,
      gst_structure_new ("hat", "label", G_TYPE_STRING, "none", NULL));
  gst_buffer_add_video_region_of_interest_meta (buffer, NULL, -50, 90, 60, 20);
  gst_buffer_add_mgpu_camera_meta (buffer, &camera);
  check_line (buffer, "door", " { \"a\" : [1, null] } ",
      HEAD "\"source\":\"door\",\"tags\":{\"a\":[1,null]}," SIZE
      "\"camera\":{\"model\":\"fisheye\",\"focal_length\":[60.5,61.0],"
      "\"center\":[99.5,49.5],\"coefficients\":[0.5,null,0.0,0.0],"
      "\"rotation\":[0.0,-1.0,0.0,1.0,0.0,0.0,0.0,0.0,1.0]},"
      "\"objects\":[{\"x\":50,\"y\":25,\"w\":100,\"h\":50,"
      "\"roi_type\":\"person\",\"id\":5000000000,"
      "\"detection\":{\"bounding_box\":{\"x_min\":0.25,\"y_min\":0.25,"
      "\"x_max\":0.75,\"y_max\":0.75},\"confidence\":0.5,"
      "\"label\":\"person\",\"label_id\":3,\"score\":-2.25},"
      "\"classification\":[{\"label\":\"child\",\"confidence\":0.75},"
      "{\"label\":\"none\",\"confidence\":null}]},"
      "{\"x\":-50,\"y\":90,\"w\":60,\"h\":20,"
      "\"detection\":{\"bounding_box\":{\"x_min\":0.0,"
      "\"y_min\":0.9,\"x_max\":0.05,"
      "\"y_max\":1.0},\"confidence\":null,\"score\":null}}]}\n");
}

GST_END_TEST;

/* Tests that a tag is described in the object of its region, with a pose if it has one. */
GST_START_TEST (test_tag)
{
  GstBuffer *buffer = frame_at (1);
  GstMgpuTag tags[2] = {
    {.family = "tag16h5",.id = 3,.roi_id = -1},
    {.family = "tag36h11",.id = 17,.hamming = 1,.margin = 0.75,
          .corners = {50, 25, 150, 25.5, 150, 75, 50, 75},.n_poses = 2,
          .poses = {{{0, 0, 1, 1, 0, 0, 0, 1, 0}, {0.5, -0.25, 2}, 0.125},
            {{0}, {0}, 0.5}}}
  };
  const gchar *with_pose = ",\"pose\":{\"position\":[0.5,-0.25,2.0],"
      "\"quaternion\":[0.5,0.5,0.5,0.5],\"error\":0.125,\"ambiguity\":0.25}";
  g_autofree gchar *expected = NULL;

  if (__i__ > 0) {
    tags[1].n_poses = 0;
    with_pose = "";
  }
  tags[1].roi_id = add_region (buffer, "tag", 0.5)->id = 9;
  gst_buffer_add_mgpu_tag_meta (buffer, tags, 2, NULL);
  expected = g_strconcat (HEAD SIZE
      "\"objects\":[{\"x\":50,\"y\":25,\"w\":100,\"h\":50,"
      "\"roi_type\":\"tag\",\"detection\":{\"bounding_box\":{"
      "\"x_min\":0.25,\"y_min\":0.25,\"x_max\":0.75,\"y_max\":0.75},"
      "\"confidence\":0.5,\"label\":\"tag\",\"score\":0.5},"
      "\"tag\":{\"family\":\"tag36h11\",\"id\":17,\"hamming\":1,"
      "\"margin\":0.75,\"corners\":[[50.0,25.0],[150.0,25.5],[150.0,75.0],"
      "[50.0,75.0]]", with_pose, "}}]}\n", NULL);
  check_line (buffer, NULL, NULL, expected);
}

GST_END_TEST;

/* Tests that lists of numbers are written by name: integers as integers, and numbers that are not
 * finite as null. Frames without regions have such a line if it is requested. */
GST_START_TEST (test_numbers)
{
  static const gint32 edges[] = { 1234, -2147483647 - 1 };
  static const gfloat means[] = { 0.5f, NAN, 1e30f };
  g_autoptr (GBytes) integers = g_bytes_new (edges, sizeof (edges));
  g_autoptr (GBytes) floats = g_bytes_new (means, sizeof (means));
  GstBuffer *buffer = frame_at (1);

  gst_buffer_add_mgpu_numbers_meta_bytes (buffer, "edges",
      GST_MGPU_NUMBERS_TYPE_INT, integers);
  gst_buffer_add_mgpu_numbers_meta_bytes (buffer, "a\377",
      GST_MGPU_NUMBERS_TYPE_FLOAT, floats);
  gst_buffer_add_mgpu_numbers_meta (buffer, "short", GST_MGPU_NUMBERS_TYPE_INT,
      9, gst_buffer_new_allocate (NULL, 4, NULL), 0);
  check_line (buffer, NULL, NULL, HEAD SIZE
      "\"numbers\":{\"edges\":[1234,-2147483648],"
      "\"a\357\277\275\":[0.5,null,1e+30],"
      "\"short\":null},\"objects\":[]}\n");
}

GST_END_TEST;

/* Tests that invalid texts and numbers, and frames without timestamps, give valid lines of JSON. */
GST_START_TEST (test_bad_values)
{
  static const gchar *const labels[][2] = {
    {"a\377b\303", "a\357\277\275b\357\277\275"},
    {"a\n\"b\"\\\t\001", "a\\u000a\\\"b\\\"\\\\\\u0009\\u0001"},
    {"\303\244\342\202\254", "\303\244\342\202\254"}
  };
  static const struct
  {
    gdouble score;
    const gchar *text;
  } scores[] = { {NAN, "null"}, {INFINITY, "null"}, {-INFINITY, "null"} };

  for (guint i = 0; i < 3; i++) {
    GstBuffer *buffer = gst_buffer_new ();
    g_autofree gchar *expected =
        g_strdup_printf ("{\"version\":1,\"timestamp\":null,"
        "\"running_time\":null,\"source\":\"%s\"," SIZE "\"objects\":["
        "{\"x\":50,\"y\":25,\"w\":100,\"h\":50,\"roi_type\":\"%s\","
        "\"detection\":{\"bounding_box\":{\"x_min\":0.25,\"y_min\":0.25,"
        "\"x_max\":0.75,\"y_max\":0.75},\"confidence\":null,\"label\":\"%s\","
        "\"score\":%s}}]}\n", labels[i][1], labels[i][1], labels[i][1],
        scores[i].text);

    add_region (buffer, labels[i][0], scores[i].score);
    check_line (buffer, labels[i][0], NULL, expected);
  }
  check_line (frame_at (1), NULL, NULL, HEAD SIZE "\"objects\":[]}\n");
}

GST_END_TEST;

/* Tests that very large and very small numbers with one digit are also written as numbers. */
GST_START_TEST (test_exponents)
{
  static const struct
  {
    gdouble score;
    const gchar *text;
  } scores[] = {
    {1e308, "1e+308"}, {-4e30, "-4e+30"},
    {1e-300, "1e-300"}, {0x1p-20, "9.53674e-07"}
  };

  for (guint i = 0; i < G_N_ELEMENTS (scores); i++) {
    GstBuffer *buffer = frame_at (1);
    g_autofree gchar *expected = g_strdup_printf (HEAD SIZE "\"objects\":["
        "{\"x\":50,\"y\":25,\"w\":100,\"h\":50,\"roi_type\":\"a\","
        "\"detection\":{\"bounding_box\":{\"x_min\":0.25,\"y_min\":0.25,"
        "\"x_max\":0.75,\"y_max\":0.75},\"confidence\":%s,\"label\":\"a\","
        "\"score\":%s}}]}\n", scores[i].text, scores[i].text);

    add_region (buffer, "a", scores[i].score);
    check_line (buffer, NULL, NULL, expected);
  }
}

GST_END_TEST;

#ifdef HAVE_ANALYTICS
GST_START_TEST (test_analytics)
{
  GstBuffer *buffer = frame_at (1);
  GstAnalyticsRelationMeta *meta =
      gst_buffer_add_analytics_relation_meta (buffer);
  gfloat levels[] = { 0.25, 0.75 };
  GQuark classes[] =
      { g_quark_from_string ("red"), g_quark_from_string ("blue") };
  GstAnalyticsODMtd od;
  GstAnalyticsClsMtd cls;
  GstAnalyticsTrackingMtd tracking;

  fail_unless (gst_analytics_relation_meta_add_od_mtd (meta,
          g_quark_from_string ("car"), 50, 25, 100, 50, 0.5, &od));
  fail_unless (gst_analytics_relation_meta_add_cls_mtd (meta, 2, levels,
          classes, &cls));
  fail_unless (gst_analytics_relation_meta_add_tracking_mtd (meta, 12, 0,
          &tracking));
  fail_unless (gst_analytics_relation_meta_set_relation (meta,
          GST_ANALYTICS_REL_TYPE_RELATE_TO, od.id, cls.id));
  fail_unless (gst_analytics_relation_meta_set_relation (meta,
          GST_ANALYTICS_REL_TYPE_RELATE_TO, od.id, tracking.id));
  check_line (buffer, NULL, NULL, HEAD SIZE "\"objects\":["
      "{\"x\":50,\"y\":25,\"w\":100,\"h\":50,\"roi_type\":\"car\",\"id\":12,"
      "\"detection\":{\"bounding_box\":{\"x_min\":0.25,\"y_min\":0.25,"
      "\"x_max\":0.75,\"y_max\":0.75},\"confidence\":0.5,\"label\":\"car\","
      "\"score\":0.5},\"classification\":[{\"label\":\"blue\","
      "\"confidence\":0.75}]}]}\n");
}

GST_END_TEST;
#endif

/* --- Files --- */

/* Checks that the file at @path has @n complete lines, and that the last line is of the source
 * @source. */
static void
check_file (const gchar * path, guint n, const gchar * source)
{
  gchar *text, **lines;
  guint n_lines;

  fail_unless (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  n_lines = g_strv_length (lines) - 1;
  fail_unless_equals_int (n_lines, n);
  fail_unless_equals_string (lines[n_lines], "");
  for (guint i = 0; i < n; i++)
    fail_unless (g_str_has_prefix (lines[i], "{\"version\":1,")
        && g_str_has_suffix (lines[i], "]}"));
  if (n > 0 && source != NULL)
    fail_unless (strstr (lines[n - 1], source) != NULL);
  g_strfreev (lines);
  g_free (text);
}

/* Tests that a file is truncated or appended to. Frames without objects get no line unless a
 * property requests such lines. A property that changes in PLAYING applies from the next frame
 * on. */
GST_START_TEST (test_file)
{
  g_autofree gchar *path = make_path ("lines");

  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstHarness) h =
        play (json_new ("location", path, "append", i == 2, "source", "one",
            NULL));

    pass_region (h, 0, "person");
    pass (h, frame_at (1));
    check_file (path, i == 2 ? 5 : 1, "\"source\":\"one\"");
    g_object_set (h->element, "add-empty", TRUE, "source", "two", NULL);
    pass (h, frame_at (2));
    pass_region (h, 3, "person");
    check_file (path, i == 2 ? 7 : 3, "\"source\":\"two\"");
    g_object_set (h->element, "enabled", FALSE, NULL);
    pass_region (h, 4, "person");
    g_object_set (h->element, "enabled", TRUE, NULL);
    pass_region (h, 5, "person");
    check_file (path, i == 2 ? 8 : 4, NULL);
    fail_unless_equals_uint64 (get_stat (h->element, "frames"), 5);
  }
}

GST_END_TEST;

/* Tests that invalid property values cause an error before a frame arrives. */
GST_START_TEST (test_bad_properties)
{
  static const gchar *const tags[] = {
    "{", "[1]", "\"a\"", "nonsense", "{\"a\":1}}", "{\"a\":\"\377\"}"
  };
  gchar *locations[] = { make_path ("no/file"), g_strdup (folder) };

  for (guint i = 0; i < G_N_ELEMENTS (tags) + 2; i++) {
    gboolean is_tags = i >= 2;
    g_autoptr (GstElement) element = json_new (is_tags ? "tags" : "location",
        is_tags ? tags[i - 2] : locations[i], NULL);

    check_no_start (element, GST_RESOURCE_ERROR, is_tags
        ? GST_RESOURCE_ERROR_SETTINGS : GST_RESOURCE_ERROR_OPEN_WRITE,
        is_tags ? "\"tags\"" : locations[i],
        is_tags ? "JSON object" : "\"location\"");
  }
  g_free (locations[0]);
  g_free (locations[1]);
}

GST_END_TEST;

/* Tests that C escapes, which are invalid in JSON, cause an error with JSON-GLib 1.6, which reads
 * them as bytes that are not UTF-8. Later versions read them as text. */
GST_START_TEST (test_escapes)
{
  static const gchar *const tags[] = {
    "{\"a\":\"\\200\"}", "{\"\\377\":1}"
  };
  GstElement *element = json_new ("post-messages", TRUE, "add-empty", TRUE,
      "tags", tags[__i__], NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();
  g_autoptr (GstHarness) h = NULL;
  g_autofree gchar *line = NULL;

  gst_element_set_bus (element, bus);
  if (gst_element_set_state (element, GST_STATE_PAUSED)
      == GST_STATE_CHANGE_FAILURE) {
    check_error (bus, "\"tags\"", "JSON object");
    gst_element_set_state (element, GST_STATE_NULL);
    gst_element_set_bus (element, NULL);
    gst_object_unref (element);
    return;
  }
  gst_element_set_state (element, GST_STATE_NULL);
  h = play (element);
  pass (h, frame_at (1));
  line = pop_line (bus);
  fail_unless (line != NULL && g_utf8_validate (line, -1, NULL));
  gst_element_set_bus (h->element, NULL);
}

GST_END_TEST;

/* Returns: the JSON text {"a": @prefix, @n times "[", @n times "]", @suffix } */
static gchar *
nest (const gchar * prefix, gsize n, const gchar * suffix)
{
  g_autofree gchar *open = g_strnfill (n, '['), *close = g_strnfill (n, ']');
  gchar *text = g_strconcat ("{\"a\":", prefix, open, close, suffix, "}", NULL);

  return text;
}

/* Tests that tags (JSON in a property) that are nested too deeply cause an error, also after quotes
 * and comments that a parser may mistake for the beginning of a long string. */
GST_START_TEST (test_deep_tags)
{
  static const struct
  {
    const gchar *prefix;
    gsize depth;
    const gchar *suffix;
    gboolean is_valid;
  } tags[] = {
    {"", 99, "", TRUE}, {"", 100, "", FALSE}, {"", 300000, "", FALSE},
    {"\"[\\\"[\",\"b\":", 99, "", TRUE},
    {"\"\\\\\",\"b\":", 300000, "", FALSE},
    {"'\\',\"b\":", 300000, ",\"c\":'d'", FALSE},
    {"'\"',\"b\":", 300000, "", FALSE},
    {"/* [[ \" */", 99, "", TRUE}, {"/*\"*/", 300000, "/*\"*/", FALSE},
    {"/*/", 300000, "/**/", FALSE},
    {"[],\"b\":", 99, "", TRUE}
  };

  for (guint i = 0; i < G_N_ELEMENTS (tags); i++) {
    g_autofree gchar *text =
        nest (tags[i].prefix, tags[i].depth, tags[i].suffix);
    g_autoptr (GstElement) element = json_new ("tags", text, NULL);

    if (!tags[i].is_valid) {
      check_no_start (element, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
          "\"tags\" is nested too deeply", "100");
      continue;
    }
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
        GST_STATE_CHANGE_SUCCESS);
    gst_element_set_state (element, GST_STATE_NULL);
  }
}

GST_END_TEST;

/* Tests that numbers with an exponent are written as JSON, in objects and arrays; numbers that are
 * too large become null. */
GST_START_TEST (test_large_tags)
{
  check_line (frame_at (1), NULL,
      "{\"a\":1e30,\"b\":[-2e53,{\"c\":1e400}],\"d\":2.5}",
      HEAD
      "\"tags\":{\"a\":1e+30,\"b\":[-2e+53,{\"c\":null}],"
      "\"d\":2.5}," SIZE "\"objects\":[]}\n");
}

GST_END_TEST;

/* Pushes a frame, which fails with an error of @code. If @limit is set, files may not grow beyond
 * it during the push. No check runs meanwhile, because the check library writes a file with each
 * check. */
static void
check_fails (GstHarness * h, gint code, const gchar * word,
    const struct rlimit *limit)
{
  GstBus *bus = harness_bus (h);
  GstBuffer *buffer = frame_at (0);
  struct rlimit usual;
  GstFlowReturn ret;

  add_region (buffer, "person", 0.5);
  fail_unless (getrlimit (RLIMIT_FSIZE, &usual) == 0);
  if (limit != NULL)
    setrlimit (RLIMIT_FSIZE, limit);
  ret = gst_harness_push (h, buffer);
  setrlimit (RLIMIT_FSIZE, &usual);
  fail_unless_equals_int (ret, GST_FLOW_ERROR);
  check_code (bus, GST_RESOURCE_ERROR, code, "a line cannot be written", word);
}

GST_START_TEST (test_full_disk)
{
  g_autoptr (GstHarness) h = play (json_new ("location", "/dev/full", NULL));

  check_fails (h, GST_RESOURCE_ERROR_NO_SPACE_LEFT, "/dev/full", NULL);
}

GST_END_TEST;

/* Tests that a file that reaches a size limit ends with a whole line. */
GST_START_TEST (test_limit)
{
  g_autofree gchar *path = make_path ("limited");
  g_autoptr (GstHarness) h = play (json_new ("location", path, NULL));
  struct rlimit limit;
  struct stat status;

  pass_region (h, 0, "person");
  fail_unless (stat (path, &status) == 0);
  fail_unless (getrlimit (RLIMIT_FSIZE, &limit) == 0);
  limit.rlim_cur = status.st_size + 20;
  signal (SIGXFSZ, SIG_IGN);
  check_fails (h, GST_RESOURCE_ERROR_NO_SPACE_LEFT, path, &limit);
  check_file (path, 1, NULL);
}

GST_END_TEST;

/* Tests that a standard output whose reader has closed it causes an error, and no signal. */
GST_START_TEST (test_stdout)
{
  int ends[2], kept = dup (STDOUT_FILENO);
  GstHarness *h;
  gchar text[64];

  fail_unless (kept >= 0 && pipe (ends) == 0);
  fail_unless (dup2 (ends[1], STDOUT_FILENO) >= 0);
  h = play (json_new ("location", "-", NULL));
  pass_region (h, 0, "person");
  fail_unless (read (ends[0], text, sizeof (text)) == sizeof (text));
  fail_unless (strncmp (text, "{\"version\":1,", 13) == 0);
  close (ends[0]);
  check_fails (h, GST_RESOURCE_ERROR_WRITE, "\"-\"", NULL);
  harness_end (h);
  /* Checks that the element has not closed the standard output. */
  fail_unless (dup2 (kept, STDOUT_FILENO) >= 0);
  close (kept);
  close (ends[1]);
}

GST_END_TEST;

/* --- FIFOs --- */

static gchar *
make_fifo (void)
{
  gchar *path = make_path ("fifo");

  fail_unless (mkfifo (path, 0600) == 0);
  return path;
}

static int
open_reader (const gchar * path)
{
  int fd = open (path, O_RDONLY | O_NONBLOCK);

  fail_unless (fd >= 0);
  return fd;
}

/* Appends the bytes that can be read from a FIFO to @text. */
static void
read_fifo (int fd, GString * text)
{
  gchar bytes[4096];
  gssize n;

  while ((n = read (fd, bytes, sizeof (bytes))) > 0)
    g_string_append_len (text, bytes, n);
}

/* Returns: the number of lines in @text, all of which have to be complete */
static guint
count_lines (const GString * text)
{
  gchar **lines = g_strsplit (text->str, "\n", -1);
  guint n = g_strv_length (lines) - 1;

  fail_unless_equals_string (lines[n], "");
  for (guint i = 0; i < n; i++)
    fail_unless (g_str_has_prefix (lines[i], "{\"version\":1,")
        && g_str_has_suffix (lines[i], "]}"), "%s", lines[i]);
  g_strfreev (lines);
  return n;
}

/* Tests that frames do not wait for the FIFO's readers, which connect and disconnect. */
GST_START_TEST (test_fifo)
{
  g_autofree gchar *path = make_fifo ();
  g_autoptr (GstHarness) h = play (json_new ("location", path, NULL));
  g_autoptr (GString) text = g_string_new (NULL);

  pass_region (h, 0, "person");
  fail_unless_equals_uint64 (get_dropped (h), 1);
  for (guint i = 0; i < 3; i++) {
    int fd = open_reader (path);

    pass_region (h, 1, "person");
    pass_region (h, 2, "person");
    read_fifo (fd, text);
    fail_unless_equals_int (count_lines (text), 2 * (i + 1));
    close (fd);
    pass_region (h, 3, "person");
    pass_region (h, 4, "person");
    fail_unless_equals_uint64 (get_dropped (h), 1 + 2 * (i + 1));
  }
}

GST_END_TEST;

/* Tests a full FIFO, which accepts only parts of long lines; the rest of a line is written before
 * the next line. */
GST_START_TEST (test_full_fifo)
{
  g_autofree gchar *path = make_fifo (), *name = g_strnfill (30000, 'x');
  g_autoptr (GstHarness) h = play (json_new ("location", path, NULL));
  g_autoptr (GString) text = g_string_new (NULL);
  int fd = open_reader (path);
  guint64 dropped;

  for (guint i = 0; i < 50; i++)
    pass_region (h, i, name);
  dropped = get_dropped (h);
  fail_unless (dropped > 40 && dropped < 50);
  for (guint i = 0; i < 50; i++) {
    read_fifo (fd, text);
    pass_region (h, i, name);
  }
  read_fifo (fd, text);
  fail_unless_equals_uint64 (count_lines (text), 100 - get_dropped (h));
  fail_unless_equals_uint64 (get_dropped (h), dropped);

  /* If a reader has read a part of a line, the next reader must not get the rest of the line. */
  for (guint i = 0; i < 5; i++)
    pass_region (h, i, name);
  close (fd);
  pass_region (h, 0, "person");
  fd = open_reader (path);
  pass_region (h, 0, "person");
  g_string_set_size (text, 0);
  read_fifo (fd, text);
  fail_unless_equals_int (count_lines (text), 1);
  close (fd);
}

GST_END_TEST;

/* Tests that a FIFO that is removed before its first reader opens it causes an error at the next
 * line. */
GST_START_TEST (test_lost_fifo)
{
  g_autofree gchar *path = make_fifo ();
  g_autoptr (GstHarness) h = play (json_new ("location", path, NULL));

  pass_region (h, 0, "person");
  fail_unless (g_remove (path) == 0);
  check_fails (h, GST_RESOURCE_ERROR_WRITE, path, NULL);
}

GST_END_TEST;

/* Tests that frames in foreign memory and of unknown formats pass. */
GST_START_TEST (test_passes)
{
  g_autoptr (GstHarness) h = play (json_new ("add-empty", TRUE, NULL));

  gst_harness_set_src_caps_str (h, "video/x-raw(memory:Anything),"
      "format=NONSENSE,width=640,height=480,framerate=25/1");
  pass_region (h, 0, "person");
}

GST_END_TEST;

CHECK_TESTS (mgpumetajson)
{
  tcase_add_checked_fixture (tc, folder_make, folder_remove);
  tcase_add_test (tc, test_line);
  tcase_add_loop_test (tc, test_tag, 0, 2);
  tcase_add_test (tc, test_numbers);
  tcase_add_test (tc, test_bad_values);
  tcase_add_test (tc, test_exponents);
#ifdef HAVE_ANALYTICS
  tcase_add_test (tc, test_analytics);
#endif
  tcase_add_test (tc, test_file);
  tcase_add_test (tc, test_bad_properties);
  tcase_add_loop_test (tc, test_escapes, 0, 2);
  tcase_add_test (tc, test_deep_tags);
  tcase_add_test (tc, test_large_tags);
  tcase_add_test (tc, test_full_disk);
  tcase_add_test (tc, test_limit);
  tcase_add_test (tc, test_stdout);
  tcase_add_test (tc, test_fifo);
  tcase_add_test (tc, test_full_fifo);
  tcase_add_test (tc, test_lost_fifo);
  tcase_add_test (tc, test_passes);
}
