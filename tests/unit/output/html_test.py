#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# The HTML report in a browser: what a person does with it, and what it must not do.
"""The HTML form, opened, sorted, filtered and read."""

import pathlib
import re
import tempfile
import time
import unittest

import forms
import tools
import webdriver

SHOWN = "return Array.from(document.querySelectorAll('#list > li > details > summary'), (one) => one.children[0].textContent)"
SORT = "document.querySelector(`.sort [data-key=${arguments[0]}]`).click()"
FILTER = """const input = document.getElementById('filter'); input.value = arguments[0];
            input.dispatchEvent(new Event('input'))"""
BACKGROUND = "return getComputedStyle(document.body).backgroundColor"
PAGE = 200


class Page(unittest.TestCase):
    """A page of a sample report, open in a browser that has to have nothing to complain about."""

    def show(self, kind, scripts=True):
        tools.need("chromium", "chromedriver")
        folder = tempfile.TemporaryDirectory(prefix="coalcheck-html-")
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "report.html")
        page = forms.form("html", kind)
        # A page whose script is gone is what a browser without scripts has.
        self.file.write_bytes(page if scripts else re.sub(rb"<script>.*</script>", b"", page, flags=re.S))
        self.browser = webdriver.Browser()
        self.addCleanup(self.browser.close)
        self.browser.open(self.file)

    def without_complaint(self):
        self.assertEqual(self.browser.console(), [])
        self.assertEqual({url for url in self.browser.requests() if not url.startswith("data:")},
                         {self.file.resolve().as_uri()})

    def status(self):
        return self.browser.run("return document.getElementById('status').textContent")


class Html(Page):
    def test_it_opens_without_a_complaint_and_asks_for_nothing(self):
        for kind in ("full", "nothing"):
            with self.subTest(kind):
                self.show(kind)
                self.without_complaint()

    def test_columns_sort_both_ways(self):
        self.show("some")
        share = "return Array.from(document.querySelectorAll('#list > li > details'), (one) => +one.dataset.share)"
        self.browser.run(SORT, "share")
        falling = self.browser.run(share)
        self.assertEqual(falling, sorted(falling, reverse=True))
        self.assertGreater(falling[0], 0.87)
        self.browser.run(SORT, "share")
        rising = self.browser.run(share)
        self.assertEqual(rising, sorted(rising))
        self.assertLess(rising[0], falling[-1])
        pressed = "return document.querySelector('.sort [aria-pressed=true]').dataset.key"
        self.assertEqual(self.browser.run(pressed), "share")
        self.browser.run(SORT, "where")
        self.assertTrue(self.browser.run(SHOWN)[0].startswith("part0.cu:1"))
        self.without_complaint()

    def test_the_filter_leaves_what_fits_and_says_how_many(self):
        self.show("some")
        self.assertIn("1000 of 1000 findings, the first 200 shown", self.status())
        self.browser.run(FILTER, "part7.cu:")
        self.assertEqual(len(self.browser.run(SHOWN)), 100)
        self.assertIn("100 of 1000 findings", self.status())
        self.browser.run("""const kind = document.getElementById('kind'); kind.value = 'store';
                            kind.dispatchEvent(new Event('change'))""")
        self.assertIn("50 of 1000 findings", self.status())
        self.browser.run(FILTER, "<none>")
        self.assertEqual(self.browser.run(SHOWN), [])
        self.without_complaint()

    def test_ten_thousand_findings_are_quick_to_sort_and_filter(self):
        self.show("many")
        timed = """const begin = performance.now(); document.querySelector('.sort [data-key=share]').click();
                   document.body.offsetHeight; const sorted = performance.now();
                   const input = document.getElementById('filter'); input.value = 'part3';
                   input.dispatchEvent(new Event('input')); document.body.offsetHeight;
                   return [sorted - begin, performance.now() - sorted]"""
        for milliseconds in self.browser.run(timed):
            self.assertLess(milliseconds, 1000)

    def test_more_findings_are_shown_when_asked_for(self):
        self.show("some")
        self.browser.run("document.getElementById('more').click()")
        self.assertEqual(len(self.browser.run(SHOWN)), 2 * PAGE)

    def test_the_keyboard_opens_a_finding_and_its_inline_chain(self):
        self.show("some")
        self.browser.run("document.querySelector('#list summary').focus()")
        self.browser.press(["\ue007"])  # Enter
        is_open = "return document.querySelector('#list > li > details').open"
        self.assertTrue(self.browser.run(is_open))
        self.browser.press(["\ue004"])  # Tab, to the chain
        self.assertIn("inlined: 2 frames", self.browser.run("return document.activeElement.textContent"))
        self.browser.press([" "])
        frames = "return Array.from(document.querySelectorAll('#list .chain[open] li'), (one) => one.innerText)"
        shown = self.browser.run(frames)
        self.assertEqual(len(shown), 2)
        self.assertIn("helper.h", shown[0])
        self.assertIn("return data[i];", shown[0])
        self.without_complaint()

    def test_the_picture_has_words_for_those_who_do_not_see_it(self):
        self.show("full")
        label = self.browser.run("return document.querySelector('.picture svg').getAttribute('aria-label')")
        self.assertRegex(label, r"An example of .*: 32 lanes of 4 bytes touch 32 sectors in 32 lines")
        drawn = """document.querySelector('#list details').open = true;
                   const box = document.querySelector('.picture use').getBoundingClientRect();
                   return [box.width, box.height]"""
        for length in self.browser.run(drawn):
            self.assertGreater(length, 50)

    def test_the_theme_can_be_switched(self):
        self.show("full")
        light = self.browser.run(BACKGROUND)
        self.browser.run("document.getElementById('theme').click()")
        self.assertEqual(self.browser.run("return document.documentElement.dataset.theme"), "dark")
        dark = self.browser.run(BACKGROUND)
        self.assertNotEqual(light, dark)
        self.browser.run("document.getElementById('theme').click()")
        self.assertEqual(self.browser.run(BACKGROUND), light)
        self.without_complaint()

    def test_a_link_from_the_source_finds_a_finding_that_is_not_shown(self):
        self.show("some")
        self.browser.run(FILTER, "part7.cu:")
        self.browser.run("location.hash = '#f900'")
        opened = "return document.getElementById('f900')?.open ?? false"
        end = time.monotonic() + 10
        while not self.browser.run(opened) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertTrue(self.browser.run(opened))

    def test_hostile_names_are_text(self):
        self.show("hostile")
        self.assertEqual(self.browser.run("return document.scripts.length"), 1)
        self.assertIn("<script>alert(1)</script>]]>", self.browser.run("return document.body.innerText"))
        self.without_complaint()


class WithoutScripts(Page):
    def test_everything_is_there_and_opens(self):
        self.show("many", scripts=False)
        self.assertEqual(len(self.browser.run(SHOWN)), 10000)
        hidden = "return document.querySelector('.controls').offsetParent === null"
        self.assertTrue(self.browser.run(hidden), "what only scripts can do is not offered")
        self.browser.run("document.querySelector('#list summary').focus()")
        self.browser.press(["\ue007"])
        self.assertTrue(self.browser.run("return document.querySelector('#list details').open"))


if __name__ == "__main__":
    unittest.main()
