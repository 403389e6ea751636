#ifndef VERNIER_FACES_DASHBOARD_COLUMNS_H_
#define VERNIER_FACES_DASHBOARD_COLUMNS_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ratio>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace vernier {

/// Returns a time in the page's form: milliseconds since 1970.
inline double Milliseconds(Timestamp time) {
  return std::chrono::duration<double, std::milli>(time.time_since_epoch())
      .count();
}

/// Returns the names of an enum's values by their numbers, 1 to `last`.
template <typename Enum>
std::vector<std::string> NamesUpTo(Enum last, std::string_view (*name)(Enum)) {
  std::vector<std::string> names = {""};
  for (int value = 1; value <= static_cast<int>(last); ++value) {
    names.emplace_back(name(static_cast<Enum>(value)));
  }
  return names;
}

/// Builds an answer of typed columns, which a browser reads as typed arrays
/// without parsing: "VCOL", the length of a header (32 bits), the header in
/// JSON, zeros up to a multiple of 8 bytes, and then the columns, each at a
/// multiple of 8. All numbers are little-endian. The header names each column,
/// its type, its offset in the data and its number of values. Not thread-safe.
class ColumnWriter {
 public:
  static constexpr char kContentType[] = "application/vnd.vernier.columns";

  void Add(std::string_view name, const std::vector<std::uint8_t>& values);
  void Add(std::string_view name, const std::vector<std::int32_t>& values);
  void Add(std::string_view name, const std::vector<float>& values);
  void Add(std::string_view name, const std::vector<double>& values);

  /// Adds a field to the header.
  void Set(std::string_view key, std::int64_t value);
  void Set(std::string_view key, bool value);
  void Set(std::string_view key, const std::vector<std::string>& texts);
  /// Adds the list of names that a column's numbers stand for.
  void SetDictionary(std::string_view column,
                     const std::vector<std::string>& names);

  /// Returns the whole answer. To be called once.
  std::string Finish(std::int64_t rows);

 private:
  void AddBytes(std::string_view name, std::string_view type, const void* bytes,
                std::size_t size, std::size_t length);

  std::string columns_;       // JSON objects, separated by commas.
  std::string dictionaries_;  // JSON members.
  std::string fields_;        // JSON members, each after a comma.
  std::string data_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_COLUMNS_H_
