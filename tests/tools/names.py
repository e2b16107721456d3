# SPDX-License-Identifier: LGPL-2.1-or-later
"""Parses arguments of the tools that are lists."""
import argparse


def list_of(known):
    """Returns a type for argparse: a list of names, separated by commas. A name that is not
    known is an error."""
    def read(text):
        names = text.split(",")
        unknown = [name or '""' for name in names if name not in known]
        if unknown:
            raise argparse.ArgumentTypeError(f"unknown {', '.join(unknown)}; known are {', '.join(known)}")
        return names
    return read


def numbers(text):
    """A type for argparse: a list of whole numbers, separated by commas."""
    return [int(number) for number in text.split(",")]
