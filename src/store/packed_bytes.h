#ifndef VERNIER_STORE_PACKED_BYTES_H_
#define VERNIER_STORE_PACKED_BYTES_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "store/name_table.h"

namespace vernier {

// A PackedWriter and a PackedReader have the same functions, so that a template
// that takes either names the fields of a record once, in their order.

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

  void Number(std::chrono::microseconds value) {
    Number(std::int64_t{value.count()});
  }

  template <typename Enum>
  requires std::is_enum_v<Enum>
  void Number(Enum value) { Number(static_cast<std::int64_t>(value)); }

  /// Appends the difference from `before`, which is short if the times are
  /// near. It is unsigned, so that no pair of times overflows.
  void Time(Timestamp time, Timestamp before = {}) {
    const auto micros = [](Timestamp at) {
      return static_cast<std::uint64_t>(at.time_since_epoch().count());
    };
    Number(static_cast<std::int64_t>(micros(time) - micros(before)));
  }

  /// Takes one byte.
  template <typename Enum>
  void Choice(Enum value) {
    Raw(static_cast<std::uint8_t>(value));
  }

  void Text(std::string_view text) {
    Number(std::ssize(text));
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

  /// Appends the number of `items`, and each as `pack` appends it.
  template <typename Items, typename Pack>
  void List(const Items& items, const Pack& pack) {
    Number(std::ssize(items));
    for (const auto& item : items) pack(item);
  }

  /// Appends one byte that says which parts of a record are there. A part is an
  /// optional or a flag.
  template <typename... Part>
  void Parts(const Part&... parts) {
    static_assert(sizeof...(parts) <= 8);
    unsigned bits = 0;
    unsigned bit = 1;
    ((bits |= static_cast<bool>(parts) ? bit : 0, bit <<= 1), ...);
    Raw(static_cast<std::uint8_t>(bits));
  }

  /// The number of a text that is not in the table; the text follows.
  static constexpr NameTable::Number kNoName = NameTable::kMostNames;

 private:
  std::shared_ptr<const NameTable>& names_;
  std::string& bytes_;
};

/// Reads what a PackedWriter wrote, in the same order. A function with an
/// argument sets it, which must have its default value. Not thread-safe.
class PackedReader {
 public:
  /// Borrows both. Texts that are returned are borrowed from them.
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

  template <typename Value>
  void Raw(Value& value) {
    value = Raw<Value>();
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

  template <typename Value>
  void Number(Value& value) {
    value = static_cast<Value>(Number());
  }

  void Time(Timestamp& time, Timestamp before = {}) {
    time = Timestamp(std::chrono::microseconds(static_cast<std::int64_t>(
        static_cast<std::uint64_t>(before.time_since_epoch().count()) +
        static_cast<std::uint64_t>(Number()))));
  }

  template <typename Enum>
  void Choice(Enum& value) {
    value = static_cast<Enum>(Raw<std::uint8_t>());
  }

  std::string_view Text() {
    const auto size = static_cast<std::size_t>(Number());
    const std::string_view text(next_, size);
    next_ += size;
    return text;
  }

  void Text(std::string& text) { text = Text(); }

  std::string_view Name() {
    const auto number = Raw<NameTable::Number>();
    if (number == PackedWriter::kNoName) return Text();
    const std::string* const name = names_.Get(number);
    VERNIER_CHECK(name != nullptr);
    return *name;
  }

  void Name(std::string& name) { name = Name(); }

  template <typename Item, typename Unpack>
  void List(std::vector<Item>& items, const Unpack& unpack) {
    std::int64_t left = Number();
    items.reserve(static_cast<std::size_t>(left));
    for (; left > 0; --left) unpack(items.emplace_back());
  }

  template <typename Key, typename Value, typename Unpack>
  void List(std::map<Key, Value>& items, const Unpack& unpack) {
    for (std::int64_t left = Number(); left > 0; --left) {
      std::pair<Key, Value> item;
      unpack(item);
      items.insert(std::move(item));
    }
  }

  /// Sets the flags, and makes the optionals that are there.
  template <typename... Part>
  void Parts(Part&... parts) {
    unsigned bits = Raw<std::uint8_t>();
    ((Make(parts, bits & 1), bits >>= 1), ...);
  }

 private:
  static void Make(bool& flag, bool is_there) { flag = is_there; }
  template <typename Value>
  static void Make(std::optional<Value>& part, bool is_there) {
    if (is_there) part.emplace();
  }

  const char* next_;
  const NameTable& names_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_PACKED_BYTES_H_
