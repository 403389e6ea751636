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

/// Texts that the trials of a study have in common, such as the names of their
/// parameters, by number. A table is immutable; one that follows it keeps all
/// numbers, so it reads what was written with an earlier one.
/// Thread-compatible.
class NameTable {
 public:
  using Number = std::uint8_t;

  /// Texts in a table, and bytes in a text. Names are few and short; what is
  /// not would cost more here than with each trial.
  static constexpr std::size_t kMostNames = 255;
  static constexpr std::size_t kMostBytes = 64;

  /// nullopt if the table does not have it.
  std::optional<Number> Find(std::string_view name) const;

  /// The text that `number` stands for. nullptr if there is none. Valid as long
  /// as the table.
  const std::string* Get(Number number) const;

  /// A table that has `name`, too; null if it may not have it.
  std::shared_ptr<const NameTable> With(std::string_view name) const;

 private:
  std::vector<std::string> names_;
  std::map<std::string, Number, std::less<>> numbers_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_NAME_TABLE_H_
