# SPDX-License-Identifier: Apache-2.0
#
# Makes the packages that package_test.py looks at.
"""Run by ctest: packing_test.py Class.test_name."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

BUILD = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"])
PACKAGES = BUILD / "packages"
SUFFIXES = {"TGZ": ".tar.gz", "DEB": ".deb"}


class Packing(unittest.TestCase):
    def test_makes_a_debian_package_and_an_archive(self):
        """The former where cmake/CoalcheckPack.cmake found the programs for it."""
        shutil.rmtree(PACKAGES, ignore_errors=True)
        config = BUILD / "CPackConfig.cmake"
        done = subprocess.run(["cpack", "--config", config, "-B", PACKAGES], capture_output=True, text=True, timeout=100,
                              check=False, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        (generators,) = re.findall(r'set\(CPACK_GENERATOR "([A-Z;]+)"\)', config.read_text())
        for generator in generators.split(";"):
            self.assertEqual(len(list(PACKAGES.glob(f"coalcheck*{SUFFIXES[generator]}"))), 1, generator)
        shutil.rmtree(PACKAGES / "_CPack_Packages")


if __name__ == "__main__":
    unittest.main()
