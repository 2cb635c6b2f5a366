# SPDX-License-Identifier: Apache-2.0
#
# The packages, as a machine meets them that has nothing but what they ask for.
"""Run by ctest: package_test.py Class.test_name, behind packing_test.py."""

import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest

import tools

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ["COALCHECK_BINARY_DIR"])
PACKAGES = BUILD / "packages"
SAMPLE = ROOT / "tests" / "recordings" / "transpose_naive"
FILES = {
    "bin/coalcheck", "lib/libcoalcheck.so", "include/coalcheck.h", "include/coalcheck_gtest.h",
    "lib/cmake/coalcheck/coalcheckConfig.cmake", "share/man/man1/coalcheck.1", "share/man/man1/coalcheck-report.1",
    "share/bash-completion/completions/coalcheck", "share/zsh/site-functions/_coalcheck",
    "share/fish/vendor_completions.d/coalcheck.fish", "share/doc/coalcheck/LICENSE",
}


def run(*words, check=True, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=100, check=check,
                          stdin=subprocess.DEVNULL, **more)


def made(suffix):
    """The package that packing_test.py made."""
    found = list(PACKAGES.glob(f"coalcheck*{suffix}"))
    assert len(found) == 1, f"{found}: run packing_test.py first"
    return found[0]


class Package(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="coalcheck-package-")
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def archive(self):
        """The archive, unpacked."""
        with tarfile.open(made(".tar.gz")) as archive:
            archive.extractall(self.folder / "unpacked")
        (top,) = (self.folder / "unpacked").iterdir()
        return top

    def debian(self):
        tools.need("dpkg-shlibdeps", "file")
        return made(".deb")

    def bare_root(self):
        """A root of the Debian package and the shared libraries of what it depends on; how to enter it."""
        root = self.folder / "root"
        run("dpkg-deb", "-x", self.debian(), root)
        wanted = re.findall(r"([a-z0-9.+-]+)(?: \([^)]*\))?(?:, |\n)", self.field("Depends"))
        self.assertTrue(wanted)
        for package in wanted:
            for file in run("dpkg", "-L", package).stdout.split():
                if re.search(r"\.so(\.|$)", file) and pathlib.Path(file).is_file():
                    copy = root / file.lstrip("/")
                    copy.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(file, copy)
        interpreter = root / "lib64" / "ld-linux-x86-64.so.2"
        if not interpreter.exists():  # Debian's /lib64 is a link to /usr/lib64
            interpreter.parent.mkdir(exist_ok=True)
            shutil.copy("/lib64/ld-linux-x86-64.so.2", interpreter)
        for name in ("tmp", "proc"):
            (root / name).mkdir()
        (self.folder / "enter").write_text(
            f'mount --rbind /proc "{root}/proc" && PATH="$PATH:/usr/sbin:/sbin" exec chroot "{root}" "$@"\n')
        enter = ["unshare", *([] if os.geteuid() == 0 else ["--map-root-user"]), "--mount", "sh", self.folder / "enter"]
        tried = run(*enter, "coalcheck", "--version", check=False)
        if tried.returncode != 0 and re.search(r"^(unshare|mount): ", tried.stderr):
            self.skipTest(f"no other root can be entered here: {tried.stderr.strip()}")
        return root, enter

    def field(self, name):
        return run("dpkg-deb", "-f", self.debian(), name).stdout

    def test_the_archive_holds_what_is_documented(self):
        top = self.archive()
        files = {path.relative_to(top).as_posix() for path in top.rglob("*")}
        self.assertLessEqual(FILES, files)
        self.assertEqual({name.split("/")[0] for name in files}, {"bin", "lib", "include", "share"})

    def test_an_unpacked_archive_works_where_it_is(self):
        top = self.archive()
        moved = top.rename(self.folder / "moved")
        environment = {"PATH": f"{moved}/bin", "HOME": str(self.folder)}
        report = run("coalcheck", "report", "--config", "none", SAMPLE, check=False, env=environment)
        self.assertEqual(report.returncode, 1, report.stderr)
        doctor = run("coalcheck", "doctor", "--no-self-test", check=False, env=environment)
        self.assertIn(f"libcoalcheck.so: {moved}/lib/libcoalcheck.so", doctor.stdout)

    def test_the_binaries_name_no_folder_of_the_machine_they_were_made_on(self):
        top = self.archive()
        for name in ("bin/coalcheck", "lib/libcoalcheck.so"):
            content = (top / name).read_bytes()
            for place in (BUILD, ROOT):
                self.assertNotIn(str(place).encode(), content, name)
            headers = run("readelf", "-d", top / name).stdout
            self.assertNotRegex(headers, r"\((RPATH|RUNPATH)\)", name)
            needed = set(re.findall(r"\(NEEDED\).*\[(.*)\]", headers))
            self.assertLessEqual(needed, {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"}, name)

    def test_the_debian_package_runs_with_nothing_but_what_it_declares(self):
        root, enter = self.bare_root()
        shutil.copytree(SAMPLE, root / "run.rec")
        self.assertRegex(run(*enter, "coalcheck", "--version").stdout, r"^coalcheck \d")
        report = run(*enter, "coalcheck", "report", "--source-root", "/tmp", "/run.rec", check=False)
        self.assertEqual(report.returncode, 1, report.stdout + report.stderr)
        self.assertIn("transpose_naive.cu:17: store wastes 87.5 %", report.stdout)
        doctor = run(*enter, "coalcheck", "doctor", "--no-self-test", check=False)
        self.assertIn("ok        libcoalcheck.so: /usr/lib/libcoalcheck.so", doctor.stdout)
        launched = run(*enter, "coalcheck", "coalcheck", "--version", check=False)
        self.assertEqual(launched.returncode, 3, launched.stderr)
        self.assertIn("coalcheck made no recording", launched.stderr)

    def test_the_library_loads_with_nothing_but_what_the_package_declares(self):
        _, enter = self.bare_root()
        loader = "/lib64/ld-linux-x86-64.so.2"
        loaded = run(*enter, loader, "--preload", "/usr/lib/libcoalcheck.so", "/usr/bin/coalcheck", "--version")
        self.assertRegex(loaded.stdout, r"^coalcheck \d")
        self.assertEqual(loaded.stderr, "")

    def test_the_debian_package_says_what_it_is(self):
        self.assertEqual(self.field("Package"), "coalcheck\n")
        self.assertRegex(self.field("Depends"), r"^libc6 \(>= [\d.]+\)\n$")
        listed = run("dpkg-deb", "-c", self.debian()).stdout
        for file in ("usr/share/zsh/vendor-completions/_coalcheck", "usr/share/man/man1/coalcheck.1.gz",
                     "usr/share/doc/coalcheck/copyright", "usr/share/doc/coalcheck/third-party/libfmt-dev"):
            self.assertIn(f"./{file}\n", listed)


if __name__ == "__main__":
    unittest.main()
