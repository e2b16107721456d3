#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Searches kernels for code at which PoCL 5.0 aborts: a barrier in a loop whose last branch
before the barrier is an if with an else, both arms of which branch.

  branches.py CLANG KERNEL_FILE...

Each file is analyzed with the knobs (tuning parameters) of a graphics card, with which it has
barriers."""
import json
import os
import subprocess
import sys

KNOBS = ['-DGROUP=64', '-DLANES=1', '-DEDGE=8']
LOOPS = ('ForStmt', 'WhileStmt', 'DoStmt')


def run_clang(clang, path, *options):
    return subprocess.run(
        [clang, '-x', 'cl', '-cl-std=CL1.2', '-w', '-I', os.path.dirname(os.path.dirname(path)),
         *KNOBS, *options, path], check=True, capture_output=True,
        text=True).stdout


def inner(node):
    return [n for n in node.get('inner', []) if 'kind' in n]


def find(node, kind):
    if node['kind'] == kind:
        yield node
    for n in inner(node):
        yield from find(n, kind)


def name_of_call(call):
    for ref in find(inner(call)[0], 'DeclRefExpr'):
        return ref['referencedDecl']['name']


class Check:
    """Returns the functions of a file, and those of them with a finding."""

    def __init__(self, tree):
        self.bodies = {f['name']: body for f in inner(tree)
                       if f['kind'] == 'FunctionDecl'
                       for body in inner(f) if body['kind'] == 'CompoundStmt'}
        self.found = set()

    def has(self, node, wanted):
        """Returns whether wanted (node) is true for a part of node, or of a function that it
        calls."""
        if wanted(node):
            return True
        if node['kind'] == 'CallExpr':
            body = self.bodies.get(name_of_call(node))
            if body is not None and self.has(body, wanted):
                return True
        return any(self.has(n, wanted) for n in inner(node))

    def has_barrier(self, node):
        return self.has(node, lambda n: n['kind'] == 'CallExpr'
                        and name_of_call(n) == 'barrier')

    def branches(self, node):
        return self.has(node, lambda n: n['kind'] in LOOPS + ('IfStmt',
                                                              'SwitchStmt'))

    def look_at_if(self, node, function, in_loop):
        arms = inner(node)[1:]
        if not self.has_barrier(node) and len(arms) == 2 and all(
                self.branches(a) for a in arms):
            return function
        ends = [self.look_at(a, function, in_loop, None) for a in arms]
        return next((e for e in ends if e is not None), None)

    def look_at(self, node, function, in_loop, last):
        """last: the function that contains such an if, if that is the last branch before node.
        Returns the same for what follows node."""
        kind = node['kind']
        if kind in LOOPS:
            if self.has_barrier(node):
                self.look_at(inner(node)[-1], function, True, None)
            return None
        if kind == 'IfStmt':
            return self.look_at_if(node, function, in_loop)
        for n in inner(node):
            last = self.look_at(n, function, in_loop, last)
        if kind != 'CallExpr':
            return last
        name = name_of_call(node)
        if name == 'barrier':
            if in_loop and last is not None:
                self.found.add(last)
            return None
        body = self.bodies.get(name)
        return last if body is None else self.look_at(body, name, in_loop, last)


def main(clang, *paths):
    found, n_checked = [], 0
    for path in paths:
        if 'barrier (' not in run_clang(clang, path, '-E'):
            continue
        n_checked += 1
        check = Check(json.loads(run_clang(
            clang, path, '-fsyntax-only', '-Xclang', '-finclude-default-header',
            '-Xclang', '-ast-dump=json')))
        for name, body in check.bodies.items():
            check.look_at(body, name, False, None)
        found += [(os.path.basename(path), name) for name in sorted(check.found)]
    for name, function in found:
        print(f'{name}: {function}(): an if with an else, both of which branch, '
              'before a barrier in a loop')
    print(f'{n_checked} files with barriers, {len(found)} found')
    return 1 if found or n_checked == 0 else 0


sys.exit(main(*sys.argv[1:]))
