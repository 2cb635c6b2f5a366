# SPDX-License-Identifier: Apache-2.0
#
# The locks of the watched process, checked by clang's thread-safety analysis (libcoalcheck/base/mutex.h).
"""Run by ctest: thread_safety_test.py Class.test_name."""

import re
import subprocess
import unittest

import tools
import tree

FOLDERS = ("injection/agent/", "injection/nvtx/handles.cpp", "libcoalcheck/recording/writer.cpp")
BROKEN = """
#include "libcoalcheck/base/mutex.h"
struct Broken {
  coalcheck::Mutex mutex;
  int guarded COALCHECK_GUARDED_BY(mutex) = 0;
};
int Read(Broken& broken) { return broken.guarded; }
"""


def sources():
    return [path for path in tree.files() if path.startswith(FOLDERS) and path.endswith(".cpp")]


def check(text):
    """Has clang read `text` as one source file; returns what it says, empty when all is well."""
    done = subprocess.run([tools.need("clang++-16"), "-std=c++20", "-fsyntax-only", "-Wthread-safety", "-Werror", f"-I{tree.ROOT}",
                           '-DCOALCHECK_VERSION=""', "-x", "c++", "-"], input=text, capture_output=True, text=True,
                          check=False)
    return done.stderr if done.returncode else ""


class ThreadSafety(unittest.TestCase):
    maxDiff = None

    def test_a_guarded_member_is_not_read_without_its_lock(self):
        self.assertIn("requires holding mutex", check(BROKEN))
        self.assertEqual(check(BROKEN.replace("{ return", "{ const coalcheck::MutexLock lock(broken.mutex); return")), "")

    def test_every_lock_of_the_agent_is_held_where_it_is_needed(self):
        self.assertGreater(len(sources()), 30)
        self.assertEqual(check("".join(f'#include "{path}"\n' for path in sources()))[:8000], "")

    def test_no_lock_of_the_agent_is_unknown_to_the_analysis(self):
        unknown = [path for path in tree.files() if path.startswith("injection/agent/")
                   and any(name in (tree.text(path) or "") for name in ("std::mutex", "std::shared_mutex", "lock_guard"))]
        self.assertEqual(unknown, [], "coalcheck::Mutex is known to it")

    def test_what_is_kept_for_each_thread_is_where_thread_state_h_says(self):
        found = {path for path in tree.files() if path.startswith("injection/") and path.endswith((".h", ".cpp"))
                 and re.search(r"\bthread_local\b", tree.text(path))}
        self.assertEqual(found, {f"injection/agent/{file}" for file in (
            "base/thread_state.cpp", "shapes/launch_book.cpp", "shapes/parameter_layouts.cpp", "ranges/range_book.cpp", "ranges/range_book.h")})


if __name__ == "__main__":
    unittest.main()
