#include "store/name_table.h"

namespace vernier {

std::optional<NameTable::Number> NameTable::Find(std::string_view name) const {
  const auto found = numbers_.find(name);
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

const std::string* NameTable::Get(Number number) const {
  return number < names_.size() ? &names_[number] : nullptr;
}

std::shared_ptr<const NameTable> NameTable::With(std::string_view name) const {
  if (names_.size() >= kMostNames || name.size() > kMostBytes) return nullptr;
  auto longer = std::make_shared<NameTable>(*this);
  longer->numbers_.emplace(name, static_cast<Number>(names_.size()));
  longer->names_.emplace_back(name);
  return longer;
}

}  // namespace vernier
