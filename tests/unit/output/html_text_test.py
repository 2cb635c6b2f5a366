#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# What can be seen of the HTML report without a browser.
"""The HTML form, as text."""

import html.parser
import unittest

import forms


class Tags(html.parser.HTMLParser):
    """The names of all elements with their attributes, and the ids that links lead to."""

    def __init__(self):
        super().__init__()
        self.elements, self.ids, self.links, self.open = [], [], set(), []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.elements.append((tag, attributes))
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if attributes.get("href", "").startswith("#"):
            self.links.add(attributes["href"][1:])
        if tag not in ("meta", "link", "input", "br", "use", "rect", "path", "option"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if dict(attrs).get("href", "").startswith("#"):
            self.links.add(dict(attrs)["href"][1:])

    def handle_endtag(self, tag):
        if tag == "option":
            return
        assert self.open and self.open[-1] == tag, (tag, self.open[-3:])
        self.open.pop()


class HtmlText(unittest.TestCase):
    def tags(self, kind):
        tags = Tags()
        tags.feed(forms.form("html", kind).decode("utf-8"))
        self.assertEqual(tags.open, [], "every element is closed")
        return tags

    def test_it_is_well_formed_loads_nothing_and_every_link_leads_somewhere(self):
        for kind in forms.KINDS:
            tags = self.tags(kind)
            self.assertEqual(len(tags.ids), len(set(tags.ids)), kind)
            self.assertLessEqual(tags.links - {"findings"}, set(tags.ids), kind)
            self.assertIn("findings", tags.ids)
            for tag, attributes in tags.elements:
                self.assertNotIn("src", attributes, tag)
                self.assertRegex(attributes.get("href", "#"), r"\A(#|data:,)", tag)

    def test_nothing_checked_is_said(self):
        self.assertIn("nothing was checked", forms.form("html", "nothing").decode())


if __name__ == "__main__":
    unittest.main()
