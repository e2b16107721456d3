/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Counts the objects that cross lines, and those that enter and leave zones. Coordinates are
 * fractions of the frame's width and height: (0, 0) is the upper left corner of the frame, and
 * (1, 1) the lower right corner. */

/* Event of an object at a line or a zone */
typedef enum
{
  GST_MGPU_TRACK_CROSSED_IN,    /* crossed a line from left to right, as seen from the first point
                                 * of the line towards its second point */
  GST_MGPU_TRACK_CROSSED_OUT,
  GST_MGPU_TRACK_ENTERED,
  GST_MGPU_TRACK_LEFT,
  GST_MGPU_TRACK_STAYED         /* has been in a zone for a given time */
} GstMgpuTrackDeed;

/* An event of an object at a line or a zone. */
typedef struct
{
  GstMgpuTrackDeed deed;
  const gchar *name;            /* name of the line or zone, a string that the line or
                                 * zone owns */
  guint64 in, out;              /* numbers of objects that have entered (@in) and left (@out), or
                                 * crossed the line in and out, including this event */
  GstClockTime dwell;           /* for an object that left or stayed: how long it has been in the
                                 * zone, in ns; otherwise GST_CLOCK_TIME_NONE */
} GstMgpuTrackNews;

/* The state of an object at a line or zone: on which side of the line it was, or whether it was
 * inside the zone. */
typedef struct
{
  gint side;                    /* side on which the object is: -1: left of the line, or outside
                                 * the zone; 1: right of the line, or inside the zone; 0: unknown */
  guint n_other;                /* number of successive frames, up to the last one, in which the
                                 * object was on the other side */
  gdouble x, y;                 /* last position of the object while it was on the side @side, as
                                 * fractions of the frame's width and height */
  gdouble other_x, other_y;     /* first position of the object on the other side, as fractions of
                                 * the frame's width and height */
  GstClockTime since;           /* running time, in ns, at which the object entered the zone */
  gboolean has_stayed;          /* whether GST_MGPU_TRACK_STAYED was reported since the object
                                 * entered the zone */
} GstMgpuTrackVisit;

/* Position of an object in a frame, and the parameters of counting.
 * @x, @y: position, as fractions of the frame's width and height
 * @aspect: width of the frame by its height
 * @time: running time of the frame, in ns, or GST_CLOCK_TIME_NONE
 * @side_frames: number of frames after which an object has changed sides
 * @dwell_time: time in a zone, in ns, after which GST_MGPU_TRACK_STAYED is reported, once; 0:
 * never */
typedef struct
{
  gdouble x, y, aspect;
  GstClockTime time;
  guint side_frames;
  GstClockTime dwell_time;
} GstMgpuTrackPosition;

typedef struct _GstMgpuTrackPlaces GstMgpuTrackPlaces;

/* Parses @lines (nullable), "name:x1,y1,x2,y2;...", @zones (nullable),
 * "name:x1,y1,x2,y2,x3,y3...;...", and @circles (nullable), "name:x,y,radius;...", which are zones.
 * Returns: (transfer full) (nullable): the lines and zones; NULL with an error that names the invalid
 * property */
GstMgpuTrackPlaces * gst_mgpu_track_places_new  (const gchar * lines, const gchar * zones, const gchar * circles,
    GError ** error);
void                 gst_mgpu_track_places_free (GstMgpuTrackPlaces * self);

/* Returns: the number of GstMgpuTrackVisit structs that each object needs, one for each line and
 * zone. The structs have to be zeroed before their first use */
guint gst_mgpu_track_places_get_n  (const GstMgpuTrackPlaces * self);

/* Updates @visits, the state of an object at each line and zone, for the new position of the
 * object. Appends to @news, an array of GstMgpuTrackNews, the events of the object. */
void  gst_mgpu_track_places_visit  (GstMgpuTrackPlaces * self, GstMgpuTrackVisit * visits,
    const GstMgpuTrackPosition * position, GArray * news);

/* Returns: (transfer full) (nullable): a structure "zones" with a field for each zone in which the
 * object of @visits is at @time (in ns). The field is the time that the object has been in the
 * zone, a guint64 in ns; NULL if the object is in no zone */
GstStructure * gst_mgpu_track_places_list (const GstMgpuTrackPlaces * self, const GstMgpuTrackVisit * visits,
    GstClockTime time);

/* Adds to @outlines, the structure of a GstCustomMeta of gst_mgpu_places_meta_get_name(), a field for
 * each line and zone. @aspect: width of the frame by its height */
void  gst_mgpu_track_places_outline (const GstMgpuTrackPlaces * self, gdouble aspect, GstStructure * outlines);

/* Removes an object that is no longer tracked at @time, in ns, from the counts of objects inside
 * zones. */
void  gst_mgpu_track_places_end    (GstMgpuTrackPlaces * self, GstMgpuTrackVisit * visits, GstClockTime time,
    GArray * news);

/* Sets the counts of all lines and zones to 0. */
void  gst_mgpu_track_places_reset  (GstMgpuTrackPlaces * self);

/* Adds to @counts the fields NAME-in and NAME-out of each line, and NAME-in,
 * NAME-out and NAME-inside of each zone. */
void  gst_mgpu_track_places_tell   (const GstMgpuTrackPlaces * self, GstStructure * counts);

G_END_DECLS
