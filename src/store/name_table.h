#ifndef VERNIER_STORE_NAME_TABLE_H_
#define VERNIER_STORE_NAME_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// Numbers for texts that the trials of a study have in common, such as the
/// names of their parameters. A table is immutable; a longer one made from it
/// (With) keeps all numbers, so it reads what was written with the shorter one.
/// Thread-compatible.
class NameTable {
 public:
  using Number = std::uint8_t;

  /// The limits of the texts in a table, and of the bytes in a text. Names are
  /// few and short; others would cost more here than with each trial.
  static constexpr std::size_t kMostNames = 255;
  static constexpr std::size_t kMostBytes = 64;

  /// nullopt if the table does not have it.
  std::optional<Number> Find(std::string_view name) const;

  /// Returns the text with this number; nullptr if there is none. Valid as long
  /// as the table.
  const std::string* Get(Number number) const;

  /// Returns a table that also has `name`; null if that would break a limit.
  std::shared_ptr<const NameTable> With(std::string_view name) const;

 private:
  std::vector<std::string> names_;
  std::map<std::string, Number, std::less<>> numbers_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_NAME_TABLE_H_
