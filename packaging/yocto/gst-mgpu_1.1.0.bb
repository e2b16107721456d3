SUMMARY = "GStreamer elements for computer vision on OpenCL devices"
DESCRIPTION = "Filters and analysers of video that run as OpenCL kernels on the GPU of a board, or on its \
processor through PoCL. Frames stay on the device between elements."
SECTION = "multimedia"

LICENSE = "LGPL-2.1-or-later & BSD-3-Clause & BSD-2-Clause & Apache-2.0 & 0BSD"
LIC_FILES_CHKSUM = "file://LICENSE;md5=4fbd65380cdd255951079008b364516c"

# Archive of the source; set another address here or in a .bbappend.
SRC_URI ?= "file://gst-mgpu-${PV}.tar.gz"
S = "${@d.getVar('UNPACKDIR') or d.getVar('WORKDIR')}/gst-mgpu-${PV}"

# opencl-headers and opencl-icd-loader are in meta-oe. The OpenCL driver is a package of the board's layer.
DEPENDS = "glib-2.0 gstreamer1.0 gstreamer1.0-plugins-base gdk-pixbuf pango json-glib \
           opencl-headers opencl-icd-loader"

inherit meson pkgconfig

EXTRA_OEMESON = "-Dtests=disabled -Dpeers=disabled -Dexamples=disabled -Ddoc=disabled \
                 -Dintrospection=disabled -Dcuda=disabled -Dcalibrate-opencv=disabled"

PACKAGECONFIG ?= ""
PACKAGECONFIG[analytics] = "-Danalytics=enabled,-Danalytics=disabled,gstreamer1.0-plugins-bad"
PACKAGECONFIG[matio] = "-Dmatio=enabled,-Dmatio=disabled,matio"
# Builds kernelcheck, which gst-mgpu-info --self-test runs.
PACKAGECONFIG[self-test] = "-Dkernelcheck=enabled,-Dkernelcheck=disabled"

FILES:${PN} += "${libdir}/gstreamer-1.0/*.so ${datadir}"
