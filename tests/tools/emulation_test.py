"""Which programs scripts/lib/emulation.py tells the kernel to run by qemu."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/lib"))

import emulation  # noqa: E402 (needs the path above)

ELF = b"\x7fELF\x02\x01\x01"
EXECUTABLE, SHARED, CORE = b"\x02\x00", b"\x03\x00", b"\x04\x00"
X86_64, AARCH64 = b"\x3e\x00", b"\xb7\x00"


class EmulationTest(unittest.TestCase):

    def setUp(self):
        rule = emulation.rule("name", "arm64", "/usr/bin/qemu")
        self.fields = rule.split(b":")

    def is_taken(self, kind, processor, abi=b"\0"):
        start = ELF + abi + bytes(8) + kind + processor
        magic, mask = (text.decode("ascii").encode().decode("unicode_escape").encode("latin-1")
                       for text in self.fields[4:6])
        self.assertEqual((len(magic), len(mask)), (20, 20))
        return all(a & m == b & m for a, b, m in zip(start, magic, mask))

    def test_the_rule_has_the_kernels_fields(self):
        self.assertEqual(self.fields[:4], [b"", b"name", b"M", b""])
        self.assertEqual(self.fields[6:], [b"/usr/bin/qemu", b"PF"])

    def test_programs_of_that_processor_and_no_others(self):
        for kind, processor, abi, taken in (
                (EXECUTABLE, AARCH64, b"\0", True), (SHARED, AARCH64, b"\0", True),
                (EXECUTABLE, AARCH64, b"\3", True), (CORE, AARCH64, b"\0", False),
                (EXECUTABLE, X86_64, b"\0", False), (SHARED, X86_64, b"\0", False)):
            with self.subTest(kind=kind, processor=processor, abi=abi):
                self.assertEqual(self.is_taken(kind, processor, abi), taken)


if __name__ == "__main__":
    unittest.main()
