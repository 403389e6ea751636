#!/usr/bin/python3
"""Copies a shared library of this machine for older releases of glibc.

    lower_glibc.py LIBRARY COPY [--release 2.28]

The copy differs in nothing but versions of names: where the library asks for one
that is newer than the release, the copy asks for that which the library uses for
other names of the same file. glibc keeps all versions of a name for ever. Those that
NLopt uses compute the same (exp, log and pow got a new version in 2.29 when they
stopped looking for a function of the program's that handles errors).

Fails if that leaves a name which this machine does not have in the older version.
"""

import argparse
import ctypes
import os
import shutil
import struct
import sys

from check_portable import RELEASE, number

# Of the ELF format, for 64 bits and little endian.
SECTION = struct.Struct("<IIQQQQIIQQ")
NEED = struct.Struct("<HHIII")
VERSION = struct.Struct("<IHHII")
SHT_GNU_VERNEED = 0x6ffffffe


def elf_hash(name):
    value = 0
    for byte in name:
        value = (value << 4) + byte
        high = value & 0xf0000000
        value = (value ^ (high >> 24)) & ~high
    return value


def sections(image):
    offset, = struct.unpack_from("<Q", image, 0x28)
    size, count = struct.unpack_from("<HH", image, 0x3a)
    return [SECTION.unpack_from(image, offset + i * size) for i in range(count)]


def text_at(image, offset):
    return bytes(image[offset:image.index(b"\0", offset)])


def versions_by_file(image):
    """[(offset of an entry, place of its name, its name)] for each file that is needed."""
    found = sections(image)
    files = []
    for section in found:
        if section[1] != SHT_GNU_VERNEED:
            continue
        names = found[section[6]][4]
        at = section[4]
        for _ in range(section[7]):
            _, count, _, first, following = NEED.unpack_from(image, at)
            entries, entry = [], at + first
            for _ in range(count):
                name, step = VERSION.unpack_from(image, entry)[3:]
                entries.append((entry, name, text_at(image, names + name)))
                entry += step
            files.append(entries)
            at += following
    return files


def lower(image, release):
    """Changes the bytes; returns how many versions were too new."""
    limit = number(release)
    lowered = 0
    for entries in versions_by_file(image):
        ranked = [(number(name[6:].decode()), at, place, name) for at, place, name in entries
                  if name.startswith(b"GLIBC_") and name[6:7].isdigit()]
        # Such as 2.2.5, from which on there are 64 bits.
        oldest = min(ranked, default=None)
        for rank, at, _, name in ranked:
            if rank <= limit:
                continue
            if oldest[0] > limit:
                raise ValueError(f"{name.decode()} has no older version beside it")
            flags, other = VERSION.unpack_from(image, at)[1:3]
            step = VERSION.unpack_from(image, at)[4]
            VERSION.pack_into(image, at, elf_hash(oldest[3]), flags, other, oldest[2], step)
            lowered += 1
    return lowered


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("copy")
    parser.add_argument("--release", default=RELEASE)
    options = parser.parse_args()
    with open(options.library, "rb") as file:
        image = bytearray(file.read())
    if image[:6] != b"\x7fELF\x02\x01":
        sys.exit(f"{options.library} is no 64-bit ELF file")
    try:
        lower(image, options.release)
    except ValueError as error:
        sys.exit(f"{options.library}: {error}")
    draft = options.copy + ".draft"
    with open(draft, "wb") as file:
        file.write(image)
    shutil.copymode(options.library, draft)
    try:
        # Looks all names up in the versions that the copy asks for.
        if struct.unpack_from("<H", image, 0x12) == struct.unpack_from("<H", own_image(), 0x12):
            ctypes.CDLL(os.path.realpath(draft), os.RTLD_NOW)
    except OSError as error:
        os.unlink(draft)
        sys.exit(f"{options.library}: {error}")
    os.replace(draft, options.copy)


def own_image():
    with open("/proc/self/exe", "rb") as file:
        return file.read(64)


if __name__ == "__main__":
    main()
