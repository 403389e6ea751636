#include "http/connection_table.h"

#include <algorithm>

namespace vernier {

ConnectionTable::Admission ConnectionTable::Add(const std::string& address,
                                                bool needs_room, Close close) {
  Admission admission;
  const auto of_address = by_address_.find(address);
  const bool is_full_of_it = of_address != by_address_.end() &&
                             of_address->second >= limits_.per_address;
  if (needs_room) found_limit_ = std::min(found_limit_, entries_.size());
  const std::size_t most =
      std::min(found_limit_, static_cast<std::size_t>(limits_.all));
  if (needs_room || is_full_of_it || entries_.size() >= most) {
    const std::uint64_t longest =
        LongestIdle(is_full_of_it ? &address : nullptr);
    if (longest == 0) return admission;
    admission.give_way = std::move(entries_[longest].close);
    Remove(longest);
  }
  admission.number = ++last_;
  ++by_address_[address];
  entries_[last_] = {address, std::move(close), 0};
  SetIdle(last_);
  return admission;
}

bool ConnectionTable::SetBusy(std::uint64_t number) {
  const auto found = entries_.find(number);
  if (found == entries_.end()) return false;
  idle_.erase({found->second.idle_since, number});
  found->second.idle_since = 0;
  return true;
}

void ConnectionTable::SetIdle(std::uint64_t number) {
  const auto found = entries_.find(number);
  if (found == entries_.end() || found->second.idle_since != 0) return;
  found->second.idle_since = ++turns_;
  idle_.emplace(turns_, number);
}

void ConnectionTable::Remove(std::uint64_t number) {
  const auto found = entries_.find(number);
  if (found == entries_.end()) return;
  idle_.erase({found->second.idle_since, number});
  const auto of_address = by_address_.find(found->second.address);
  if (--of_address->second == 0) by_address_.erase(of_address);
  entries_.erase(found);
  if (entries_.size() <= found_limit_ / 2) found_limit_ = SIZE_MAX;
}

std::vector<ConnectionTable::Close> ConnectionTable::All() const {
  std::vector<Close> closes;
  for (const auto& [number, entry] : entries_) closes.push_back(entry.close);
  return closes;
}

std::uint64_t ConnectionTable::LongestIdle(const std::string* address) const {
  for (const auto& [since, number] : idle_) {
    if (address == nullptr || entries_.at(number).address == *address) {
      return number;
    }
  }
  return 0;
}

}  // namespace vernier
