"""Proves that check_floors.py finds each kind of fault when one is planted."""
import pathlib
import tempfile
import unittest

import check_floors

FLOORS = """
core
device
memory
ops(core) exec(core device) io(core memory)
kernels
apps
zeroplane/view.h = core
zeroplane/image.h = memory
"""


class CheckFloors(unittest.TestCase):
    def faults(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, content in (("tools/floors.txt", FLOORS), (name, text)):
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content)
            return check_floors.check(root)[0]

    def test_accepts_lower_floors_and_the_own_folder(self):
        self.assertEqual(self.faults("src/kernels/a.cpp", '#include "ops/p/a.h"\n#include "kernels/row.h"\n'), [])
        self.assertEqual(self.faults("src/memory/a.cpp", '#include "zeroplane/image.h"\n#include <tbb/arena.h>\n'), [])

    def test_refuses_an_upward_include(self):
        found = self.faults("src/core/a.h", '\n#include "memory/pools.h"\n')
        self.assertEqual(found[0], "src/core/a.h:2: core must not include memory (memory/pools.h)")

    def test_refuses_a_sideways_include(self):
        self.assertIn("ops must not include exec", self.faults("src/ops/p/a.h", '#include "exec/host.h"\n')[0])
        self.assertIn("io must not include ops", self.faults("src/io/a.cpp", '#include "ops/p/a.h"\n')[0])

    def test_refuses_a_lower_floor_outside_the_brackets(self):
        self.assertIn("exec must not include memory", self.faults("src/exec/a.h", '#include "memory/context.h"\n')[0])

    def test_refuses_an_upward_include_through_a_public_header(self):
        self.assertIn("core must not include memory", self.faults("src/core/a.h", '#include "zeroplane/image.h"\n')[0])
        self.assertIn("core must not include memory",
                      self.faults("include/zeroplane/view.h", '#include "zeroplane/image.h"\n')[0])

    def test_refuses_an_include_list_named_by_a_macro(self):
        self.assertIn("core must not include ops", self.faults("src/core/a.h", '#define LIST "ops/p/p.inc"\n')[0])

    def test_refuses_a_header_without_a_floor(self):
        self.assertIn("stands on no floor", self.faults("include/zeroplane/new.h", "\n")[0])
        self.assertIn("stands on no floor", self.faults("src/attic/a.h", "\n")[0])
        self.assertIn("stands on no floor", self.faults("apps/zeroplane/a.cpp", '#include "zeroplane/new.h"\n')[0])

    def test_refuses_foreign_headers_in_public_ones(self):
        for header in ("<cuda_runtime.h>", "<tiffio.h>", "<tbb/parallel_for.h>", "<NvInfer.h>"):
            self.assertTrue(self.faults("include/zeroplane/view.h", f"#include {header}\n"), header)

    def test_refuses_an_installed_header_that_includes_one_that_is_not(self):
        self.assertIn("is not installed", self.faults("include/zeroplane/image.h", '#include "memory/pools.h"\n')[0])

    def test_refuses_cuda_outside_its_two_places(self):
        self.assertIn("cudaMalloc belongs", self.faults("src/memory/a.cpp", "\n  cudaMalloc(&p, 4);\n")[0])
        self.assertIn("CUDA headers", self.faults("src/kernels/a.cu", "#include <cuda_runtime.h>\n")[0])
        self.assertEqual(self.faults("src/device/runtime_cuda.cpp", "#include <cuda_runtime.h>\ncudaFree(p);\n"), [])
        self.assertEqual(self.faults("src/exec/cuda.cuh", "#include <cub/cub.cuh>\ncudaGetLastError();\n"), [])

    def test_lets_comments_and_messages_speak_of_cuda(self):
        self.assertEqual(self.faults("src/core/a.cpp", '// cudaMalloc(x)\nf("cudaFree(");\n/* cudaFree(p) */\n'), [])


if __name__ == "__main__":
    unittest.main()
