"""Proves that check_text.py finds each kind of fault when one is planted."""
import unittest

import check_text

HEADER = "// One thing.\n// SPDX-License-Identifier: Apache-2.0\n#ifndef {0}\n#define {0}\n#endif\n"


class CheckText(unittest.TestCase):
    def fault(self, name, text):
        found = check_text.check_file(name, text.encode() if isinstance(text, str) else text)
        return found[0] if found else ""

    def test_accepts_a_right_header(self):
        self.assertEqual(self.fault("src/core/op.h", HEADER.format("ZP_CORE_OP_H")), "")
        self.assertEqual(self.fault("include/zeroplane/view.h", HEADER.format("ZEROPLANE_VIEW_H")), "")
        self.assertEqual(self.fault("tests/support/plane.h", HEADER.format("ZP_TESTS_SUPPORT_PLANE_H")), "")

    def test_refuses_a_wrong_guard(self):
        self.assertIn("must be ZP_CORE_OP_H", self.fault("src/core/op.h", HEADER.format("CORE_OP_H")))

    def test_refuses_a_missing_head(self):
        self.assertIn("first line", self.fault("src/core/a.cpp", "#include <a>\n"))
        self.assertIn("SPDX", self.fault("src/core/a.cpp", "// A thing.\nint a;\n"))

    def test_refuses_a_missing_final_newline_and_a_spare_one(self):
        self.assertIn("no newline", self.fault("a.txt", "a"))
        self.assertIn("empty line", self.fault("a.txt", "a\n\n"))

    def test_refuses_what_cannot_be_seen(self):
        self.assertIn("U+200B", self.fault("a.md", "a\u200bb\n"))
        self.assertIn("U+00A0", self.fault("a.md", "a\u00a0b\n"))
        self.assertIn("tab", self.fault("a.py", "\ta\n"))
        self.assertIn("space at the end", self.fault("a.py", "a \n"))
        self.assertIn("UTF-8", self.fault("a.txt", b"\xff\n"))

    def test_refuses_an_unsorted_list(self):
        a, b = '#include "ops/p/a.h"\n', '#include "ops/p/b.h"\n'
        self.assertEqual(self.fault("p.inc", "// List.\n" + a + b), "")
        self.assertIn("sorted", self.fault("p.inc", b + a))
        self.assertIn("sorted", self.fault("p.inc", a + a))


if __name__ == "__main__":
    unittest.main()
