################################################################################
#
# gst-mgpu
#
################################################################################

GST_MGPU_VERSION = 1.1.0
# Folder or server with the archive of this version.
GST_MGPU_SITE ?= file://$(TOPDIR)/dl/gst-mgpu
GST_MGPU_SOURCE = gst-mgpu-$(GST_MGPU_VERSION).tar.gz
GST_MGPU_LICENSE = LGPL-2.1+, BSD-3-Clause, BSD-2-Clause (AprilTag families), Apache-2.0 (ArUco dictionaries), 0BSD (header and examples of kernels)
GST_MGPU_LICENSE_FILES = LICENSE
GST_MGPU_INSTALL_STAGING = YES
GST_MGPU_DEPENDENCIES = \
	host-pkgconf \
	gdk-pixbuf \
	gst1-plugins-base \
	gstreamer1 \
	json-glib \
	libglib2 \
	libopencl \
	pango
GST_MGPU_CONF_OPTS = \
	-Dtests=disabled \
	-Dpeers=disabled \
	-Dexamples=disabled \
	-Ddoc=disabled \
	-Dintrospection=disabled \
	-Dmatio=disabled \
	-Dcuda=disabled \
	-Dcalibrate-opencv=disabled

ifeq ($(BR2_PACKAGE_GST1_PLUGINS_BAD),y)
GST_MGPU_DEPENDENCIES += gst1-plugins-bad
GST_MGPU_CONF_OPTS += -Danalytics=auto
else
GST_MGPU_CONF_OPTS += -Danalytics=disabled
endif

$(eval $(meson-package))
