#!/usr/bin/env python3
"""Writes web/src/messages.ts: the messages that the dashboard's page sends and receives.

    make_page_messages.py [--check]

The types are those of the service's own messages, proto/vernier/v1, in proto3's JSON form, as
the service answers them: what is 0 or empty is left out, and a whole number of 64 bits is a
text. With --check it writes nothing, and fails if the file is not what it would write.
"""

from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "web/src/messages.ts"
PROTO = ROOT / "proto"
PACKAGE = ".vernier.v1."
# The services of which the page may call any method that has one answer.
SERVICES = ("JobService", "StudyService", "ProjectService")

HEAD = """// The messages of JobService, StudyService and ProjectService in proto3's JSON form, in which
// the service leaves out what is 0 or empty. scripts/page writes this file from proto/vernier/v1,
// which says what each field means.

/** A whole number of 64 bits; the service takes a number for it, too. */
export type Int64 = string;
/** NaN and infinity are texts. */
export type Double = number | string;
"""

# FieldDescriptorProto.Type
DOUBLE, FLOAT, GROUP, MESSAGE, BYTES, ENUM = 1, 2, 10, 11, 12, 14
WHOLE_64 = {3, 4, 6, 16, 18}
SCALARS = {DOUBLE: "Double", FLOAT: "Double", 5: "number", 7: "number", 8: "boolean",
           9: "string", BYTES: "string", 13: "number", 15: "number", 17: "number"}
REPEATED = 3
# Messages that JSON has a form of its own for.
KNOWN = {".google.protobuf.Timestamp": "string", ".google.protobuf.Duration": "string",
         ".google.protobuf.Struct": "Record<string, unknown>",
         ".google.protobuf.ListValue": "unknown[]",
         ".google.protobuf.Value": "unknown"}


def varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at += 1
        if data[at - 1] < 0x80:
            return value, at
        shift += 7


def fields(data: bytes) -> dict[int, list]:
    """The fields of an encoded message by number: ints and bytes, in their order."""
    found: dict[int, list] = {}
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        if tag & 7 == 0:
            value, at = varint(data, at)
        elif tag & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            size = {1: 8, 5: 4}[tag & 7]
            value, at = data[at:at + size], at + size
        found.setdefault(tag >> 3, []).append(value)
    return found


def text(message: dict[int, list], number: int) -> str:
    return message.get(number, [b""])[0].decode()


def number_of(message: dict[int, list], number: int) -> int:
    return message.get(number, [0])[0]


def each(message: dict[int, list], number: int) -> list[dict[int, list]]:
    return [fields(one) for one in message.get(number, [])]


class Schema:
    """The descriptors of our files: messages, enumerations and services by full name."""

    def __init__(self, descriptors: bytes) -> None:
        self.messages: dict[str, dict[int, list]] = {}
        self.enums: dict[str, dict[int, list]] = {}
        self.services: dict[str, dict[int, list]] = {}
        for file in each(fields(descriptors), 1):
            scope = f".{text(file, 2)}." if text(file, 2) else "."
            for message in each(file, 4):
                self._add(scope, message)
            for enum in each(file, 5):
                self.enums[scope + text(enum, 1)] = enum
            for service in each(file, 6):
                self.services[scope + text(service, 1)] = service

    def _add(self, scope: str, message: dict[int, list]) -> None:
        name = scope + text(message, 1)
        self.messages[name] = message
        for nested in each(message, 3):
            self._add(name + ".", nested)
        for enum in each(message, 4):
            self.enums[name + "." + text(enum, 1)] = enum

    def is_map(self, name: str) -> bool:
        """Whether it is the entry of a map field, which protoc makes a message of."""
        return any(number_of(options, 7) for options in each(self.messages[name], 7))


def read_schema() -> Schema:
    files = sorted(PROTO.glob("vernier/v1/*.proto"))
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "descriptors"
        subprocess.run(["protoc", f"-I{PROTO}", "--include_imports",
                        f"--descriptor_set_out={output}", *files], check=True)
        return Schema(output.read_bytes())


class Writer:
    """Collects the messages that the services' methods need, and writes them."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.methods: dict[str, list[tuple[str, str, str]]] = {}
        asked, answered = [], []
        for service in SERVICES:
            self.methods[service] = []
            for method in each(schema.services[PACKAGE + service], 2):
                if number_of(method, 5) or number_of(method, 6):
                    continue  # A stream.
                request, answer = text(method, 2), text(method, 3)
                self.methods[service].append((text(method, 1), request, answer))
                asked.append(request)
                answered.append(answer)
        self.answered = self._reached(answered)
        self.needed = self.answered | self._reached(asked)

    def _reached(self, names: list[str]) -> set[str]:
        found: set[str] = set()
        while names:
            name = names.pop()
            if name in found or name in KNOWN:
                continue
            found.add(name)
            if name in self.schema.messages:
                names += [text(field, 6) for field in each(self.schema.messages[name], 2)
                          if text(field, 6)]
        return found

    def _type_of(self, field: dict[int, list], is_sent_only: bool) -> str:
        kind, name = number_of(field, 5), text(field, 6)
        if kind in WHOLE_64:
            written = "Int64 | number" if is_sent_only else "Int64"
        elif kind == ENUM:
            written = self._name(name)
        elif kind == MESSAGE and name in KNOWN:
            written = KNOWN[name]
        elif kind == MESSAGE and self.schema.is_map(name):
            value = each(self.schema.messages[name], 2)[1]
            return f"Record<string, {self._type_of(value, is_sent_only)}>"
        elif kind == MESSAGE:
            written = self._name(name)
        else:
            written = SCALARS[kind]
        if number_of(field, 4) != REPEATED:
            return written
        return f"({written})[]" if "|" in written else f"{written}[]"

    @staticmethod
    def _name(full_name: str) -> str:
        assert full_name.startswith(PACKAGE), full_name
        return full_name[len(PACKAGE):]

    def _enum(self, name: str, indent: str) -> list[str]:
        values = [text(value, 1) for value in each(self.schema.enums[name], 2)]
        # An enumeration's unspecified value is its 0, which is left out.
        shown = [f"'{value}'" for value in values if not value.endswith("_UNSPECIFIED")]
        return [f"{indent}export type {name.rpartition('.')[2]} = {' | '.join(shown)};"]

    def _message(self, name: str, indent: str) -> list[str]:
        message = self.schema.messages[name]
        is_sent_only = name not in self.answered
        short = name.rpartition(".")[2]
        members = [f"{indent}  {text(field, 10)}?: {self._type_of(field, is_sent_only)};"
                   for field in each(message, 2)]
        lines = [f"{indent}export interface {short} {{", *members, f"{indent}}}"]
        if not members:
            lines = [f"{indent}export type {short} = Record<string, never>;"]
        inner: list[str] = []
        for nested in each(message, 3):
            full = f"{name}.{text(nested, 1)}"
            if full in self.needed and not self.schema.is_map(full):
                inner += self._message(full, indent + "  ")
        for enum in each(message, 4):
            full = f"{name}.{text(enum, 1)}"
            if full in self.needed:
                inner += self._enum(full, indent + "  ")
        if inner:
            lines += [f"{indent}export namespace {short} {{", *inner, f"{indent}}}"]
        return lines

    def text(self) -> str:
        parts = [HEAD]
        top = [name for name in [*self.schema.messages, *self.schema.enums]
               if name in self.needed and name.count(".") == PACKAGE.count(".")]
        for name in top:
            write = self._message if name in self.schema.messages else self._enum
            parts.append("\n".join(write(name, "")) + "\n")
        lines = ["/** The methods of each service: what is sent, and what is answered. */",
                 "export interface Methods {"]
        for service, methods in self.methods.items():
            lines.append(f"  {service}: {{")
            lines += [f"    {name}: [{self._name(request)}, {self._name(answer)}];"
                      for name, request, answer in methods]
            lines.append("  };")
        parts.append("\n".join([*lines, "}"]) + "\n")
        return "\n".join(parts)


def messages() -> str:
    return Writer(read_schema()).text()


def main() -> int:
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__, file=sys.stderr)
        return 2
    written = messages()
    if not sys.argv[1:]:
        OUTPUT.write_text(written, encoding="utf-8")
    elif OUTPUT.read_text(encoding="utf-8") != written:
        print(f"{OUTPUT.relative_to(ROOT)} is not what proto/vernier/v1 says: run scripts/page",
              file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
