#!/usr/bin/python3
"""A ROS 2 node that finds people in front of a camera, and publishes their boxes and the frames.

    ros2-people.py [--source "v4l2src"] [--frames N]

The topics are people (vision_msgs/Detection2DArray, with the ids of mgputrack) and image
(sensor_msgs/Image, rgb8). Requires rclpy, sensor_msgs and vision_msgs of ROS 2 Humble or later.
"""
import argparse
import itertools
import sys

import gi

import need_mgpu  # says how to find the plugin

gi.require_version("Gst", "1.0")
gi.require_version("GstMgpu", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstMgpu, GstVideo

LINE = ("{} ! videoconvert ! queue leaky=downstream max-size-buffers=2 ! mgpuhog ! mgputrack ! "
        "mgpuconvert ! video/x-raw,format=RGB ! appsink name=sink sync=false max-buffers=2")


def read_people(buffer, header):
    from vision_msgs.msg import Detection2D, Detection2DArray, ObjectHypothesisWithPose
    people = Detection2DArray(header=header)
    for found in GstMgpu.mgpu_buffer_get_detections(buffer):
        person = Detection2D(header=header)
        if found.tracking_id >= 0:
            person.id = str(found.tracking_id)
        person.bbox.center.position.x = found.x + found.width / 2
        person.bbox.center.position.y = found.y + found.height / 2
        person.bbox.size_x, person.bbox.size_y = float(found.width), float(found.height)
        result = ObjectHypothesisWithPose()
        result.hypothesis.class_id, result.hypothesis.score = found.label, found.confidence
        person.results.append(result)
        people.detections.append(person)
    return people


def read_image(sample, header):
    from sensor_msgs.msg import Image
    info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
    buffer = sample.get_buffer()
    return Image(header=header, height=info.height, width=info.width, encoding="rgb8",
                 step=info.stride[0], data=buffer.extract_dup(0, info.stride[0] * info.height))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", default="v4l2src", help="elements that give the frames (default: v4l2src)")
    parser.add_argument("--frames", type=need_mgpu.count, default=sys.maxsize,
                        help="number of frames after which the node ends (default: all)")
    options = parser.parse_args()
    try:
        import rclpy
        from sensor_msgs.msg import Image
        from std_msgs.msg import Header
        from vision_msgs.msg import Detection2DArray
    except ImportError as error:
        sys.exit(f"{error}: source /opt/ros/DISTRIBUTION/setup.bash first")
    rclpy.init()
    node = rclpy.create_node("people")
    people = node.create_publisher(Detection2DArray, "people", 10)
    images = node.create_publisher(Image, "image", 10)
    pipeline = Gst.parse_launch(LINE.format(options.source))
    for sample in itertools.islice(need_mgpu.samples(pipeline, options.source), options.frames):
        header = Header(stamp=node.get_clock().now().to_msg(), frame_id="camera")
        people.publish(read_people(sample.get_buffer(), header))
        images.publish(read_image(sample, header))
    pipeline.set_state(Gst.State.NULL)
    node.destroy_node()
    rclpy.shutdown()


main()
