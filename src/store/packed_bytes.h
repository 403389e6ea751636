#ifndef VERNIER_STORE_PACKED_BYTES_H_
#define VERNIER_STORE_PACKED_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/check.h"
#include "store/name_table.h"

namespace vernier {

/// Appends values to a string of bytes. Small whole numbers take one byte. Not
/// thread-safe.
class PackedWriter {
 public:
  /// Borrows both. `*names` is replaced by a longer table when it lacks a name.
  PackedWriter(std::shared_ptr<const NameTable>* names, std::string* bytes)
      : names_(*names), bytes_(*bytes) {}

  /// Appends the bytes of `value` as they are in memory.
  template <typename Value>
  void Raw(const Value& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }

  void Number(std::int64_t value) {
    // Zigzag encoding: small negative numbers are short, too.
    auto rest = (static_cast<std::uint64_t>(value) << 1) ^
                static_cast<std::uint64_t>(value >> 63);
    for (; rest >= 0x80; rest >>= 7) {
      bytes_.push_back(static_cast<char>(rest | 0x80));
    }
    bytes_.push_back(static_cast<char>(rest));
  }

  void Size(std::size_t size) { Number(static_cast<std::int64_t>(size)); }

  void Text(std::string_view text) {
    Size(text.size());
    bytes_.append(text);
  }

  /// Appends a text that other trials are likely to have, as its number in the
  /// table of names. A text that the table cannot take is written out.
  void Name(std::string_view name) {
    std::optional<NameTable::Number> number = names_->Find(name);
    if (!number.has_value()) {
      if (std::shared_ptr<const NameTable> longer = names_->With(name)) {
        names_ = std::move(longer);
        number = names_->Find(name);
      }
    }
    Raw(number.value_or(kNoName));
    if (!number.has_value()) Text(name);
  }

  /// The number of a text that is not in the table; the text follows.
  static constexpr NameTable::Number kNoName = NameTable::kMostNames;

 private:
  std::shared_ptr<const NameTable>& names_;
  std::string& bytes_;
};

/// Reads what a PackedWriter wrote, in the same order. Not thread-safe.
class PackedReader {
 public:
  /// Borrows both. Texts are borrowed from them.
  PackedReader(const char* bytes, const NameTable& names)
      : next_(bytes), names_(names) {}

  template <typename Value>
  Value Raw() {
    static_assert(std::is_trivially_copyable_v<Value>);
    Value value;
    std::memcpy(&value, next_, sizeof(value));
    next_ += sizeof(value);
    return value;
  }

  std::int64_t Number() {
    std::uint64_t rest = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(*next_++);
      rest |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return static_cast<std::int64_t>((rest >> 1) ^ (~(rest & 1) + 1));
  }

  std::size_t Size() { return static_cast<std::size_t>(Number()); }

  std::string_view Text() {
    const std::size_t size = Size();
    const std::string_view text(next_, size);
    next_ += size;
    return text;
  }

  std::string_view Name() {
    const auto number = Raw<NameTable::Number>();
    if (number == PackedWriter::kNoName) return Text();
    const std::string* const name = names_.Get(number);
    VERNIER_CHECK(name != nullptr);
    return *name;
  }

 private:
  const char* next_;
  const NameTable& names_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_PACKED_BYTES_H_
