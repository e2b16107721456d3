#!/usr/bin/python3
"""Measures the times of calls of this Python's OpenCV or pybgs, for kernelcheck --bench --peers.

Reads requests from the standard input, and answers each with one line:
  prepare {"prepare": CODE, "call": EXPRESSION, "arrays": [{"type", "rows", "columns"}...]}
    followed by the bytes of the arrays, whose names in CODE and EXPRESSION are a and b:
    answers "ok NAME" after one call of EXPRESSION, or "error TEXT". EXPRESSION knows
    the result of its first call as o, to write into it again. CODE sets name to the NAME
    of a library other than OpenCV.
  run: answers with the milliseconds of one call, wall-clock time and processor time
  get: answers with the numbers that the first call returned
"""
import json
import sys
import time


def prepare(header, stream):
    names = {"cv2": cv2, "np": numpy, "name": "cv2 " + cv2.__version__, "o": None}
    for name, array in zip("ab", header["arrays"]):
        data = numpy.dtype(array["type"])
        size = array["rows"] * array["columns"] * data.itemsize
        names[name] = numpy.frombuffer(stream.read(size), data).reshape(
            array["rows"], array["columns"])
    exec(header["prepare"], names)
    call = eval("lambda: " + header["call"], names)
    names["o"] = call()
    return names["name"], call, names["o"]


def run(call):
    begin, used = time.perf_counter(), time.process_time()
    call()
    used = time.process_time() - used
    return f"{(time.perf_counter() - begin) * 1e3:.6f} {used * 1e3:.6f}"


def main():
    stream, call, result = sys.stdin.buffer, None, None
    for line in iter(stream.readline, b""):
        word, _, rest = line.decode().strip().partition(" ")
        if word == "run":
            answer = run(call)
        elif word == "get":
            answer = " ".join(repr(float(v)) for v in numpy.ravel([] if result is None else result))
        else:
            try:
                name, call, result = prepare(json.loads(rest), stream)
                answer = "ok " + name
            except Exception as error:
                answer = "error " + " ".join(str(error).split())
        print(answer, flush=True)


try:
    import cv2
    import numpy
    cv2.setNumThreads(2)
    cv2.ocl.setUseOpenCL(False)
except ImportError as error:
    sys.exit(f"{sys.executable}: {error}")
main()
