#ifndef VERNIER_HTTP_BYTE_RANGE_H_
#define VERNIER_HTTP_BYTE_RANGE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace vernier {

/// A range of bytes of a body; `last` belongs to it.
struct ByteRange {
  std::int64_t first = 0;
  std::int64_t last = -1;

  std::int64_t size() const { return last - first + 1; }
  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// The meaning of a Range header for one body (RFC 9110, 14.2).
struct RangeAnswer {
  enum class Kind {
    kWhole,          ///< No range, or one that may be ignored: answer 200.
    kPart,           ///< Answer 206.
    kUnsatisfiable,  ///< Answer 416.
  };
  Kind kind = Kind::kWhole;
  ByteRange range;  ///< kPart: inside of the body.
};

/// Resolves a Range header against a body of `size` bytes. Several ranges or an
/// unreadable header count as no range. Pure.
RangeAnswer ResolveRange(std::string_view header, std::int64_t size);

/// A Content-Range header of a request: "bytes 0-99/200", "bytes 0-99/*" or
/// "bytes */200". A '*' leaves its part unset.
struct ContentRange {
  std::optional<ByteRange> range;
  std::optional<std::int64_t> total;
};

/// Returns null for anything else, and for a range that is empty or goes beyond
/// the total. Pure.
std::optional<ContentRange> ParseContentRange(std::string_view header);

}  // namespace vernier

#endif  // VERNIER_HTTP_BYTE_RANGE_H_
