/* GStreamer computer vision on OpenCL
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/* Stabilizes gray frames with OpenCV's module videostab, for stabilize.py --videostab.
 *
 *   videostab PASSES RADIUS WIDTH HEIGHT IN OUT
 *
 * PASSES is 1 or 2; RADIUS is the number of frames on each side over which a motion is smoothed. IN
 * and OUT contain frames of WIDTH x HEIGHT bytes, one after the other. */
#include <opencv2/core.hpp>
#include <opencv2/videostab.hpp>

#include <cstdio>
#include <cstdlib>
#include <memory>

using namespace cv::videostab;

class Frames : public IFrameSource
{
public:
  Frames (const char * path, int width, int height)
    : file (fopen (path, "rb")), size (width, height)
  {
    if (file == NULL)
      throw std::runtime_error (std::string (path) + " cannot be read");
  }

  ~Frames ()
  {
    fclose (file);
  }

  void reset () override
  {
    rewind (file);
  }

  cv::Mat nextFrame () override
  {
    cv::Mat frame (size, CV_8U);

    if (fread (frame.data, 1, frame.total (), file) != frame.total ())
      return cv::Mat ();
    return frame;
  }

private:
  FILE *file;
  cv::Size size;
};

/* Sets the options that both stabilizers have. */
static void
set_up (StabilizerBase & stabilizer, const cv::Ptr<IFrameSource> & source, int radius)
{
  stabilizer.setLog (cv::makePtr<NullLog> ());
  stabilizer.setFrameSource (source);
  stabilizer.setMotionEstimator (cv::makePtr<KeypointBasedMotionEstimator>
      (cv::makePtr<MotionEstimatorRansacL2> (MM_SIMILARITY)));
  stabilizer.setRadius (radius);
  stabilizer.setBorderMode (cv::BORDER_REPLICATE);
}

int
main (int argc, char **argv)
{
  if (argc != 7) {
    fprintf (stderr, "usage: videostab PASSES RADIUS WIDTH HEIGHT IN OUT\n");
    return 2;
  }
  const int radius = atoi (argv[2]);
  const auto source = cv::makePtr<Frames> (argv[5], atoi (argv[3]), atoi (argv[4]));
  const auto filter = cv::makePtr<GaussianMotionFilter> (radius);
  cv::Ptr<IFrameSource> steady;
  FILE *out = fopen (argv[6], "wb");

  if (atoi (argv[1]) == 1) {
    auto one = cv::makePtr<OnePassStabilizer> ();

    set_up (*one, source, radius);
    one->setMotionFilter (filter);
    steady = one;
  } else {
    auto two = cv::makePtr<TwoPassStabilizer> ();

    set_up (*two, source, radius);
    two->setMotionStabilizer (filter);
    steady = two;
  }
  for (cv::Mat frame; out != NULL && !(frame = steady->nextFrame ()).empty ();)
    fwrite (frame.data, 1, frame.total (), out);
  if (out == NULL || fclose (out) != 0) {
    fprintf (stderr, "%s cannot be written\n", argv[6]);
    return 1;
  }
  return 0;
}
