#include "http/connection_table.h"

#include <algorithm>

namespace vernier {

ConnectionTable::Admission ConnectionTable::Add(const std::string& address,
                                                bool needs_room, Close close) {
  Admission admission;
  const auto of_address = by_address_.find(address);
  const bool is_full_of_it = of_address != by_address_.end() &&
                             of_address->second >= limits_.per_address;
  // Descriptors ran out at this number, so it is the limit for now.
  if (needs_room) found_limit_ = std::min(found_limit_, entries_.size());
  const std::size_t most =
      std::min(found_limit_, static_cast<std::size_t>(limits_.all));
  if (needs_room || is_full_of_it || entries_.size() >= most) {
    const std::uint64_t next = NextToGo(is_full_of_it ? &address : nullptr);
    if (next == 0) return admission;
    admission.give_way = std::move(entries_[next].close);
    Remove(next);
  }
  admission.number = ++last_;
  ++by_address_[address];
  entries_[last_] = {address, std::move(close)};
  SetIdle(last_);
  return admission;
}

bool ConnectionTable::Set(std::uint64_t number, State state) {
  const auto found = entries_.find(number);
  if (found == entries_.end()) return false;
  Entry& entry = found->second;
  going_.erase({entry.state, entry.since, number});
  entry.state = state;
  entry.since = ++turns_;
  if (state != State::kBusy) going_.emplace(state, entry.since, number);
  return true;
}

bool ConnectionTable::SetReceiving(std::uint64_t number) {
  return Set(number, State::kReceiving);
}

bool ConnectionTable::SetBusy(std::uint64_t number) {
  return Set(number, State::kBusy);
}

void ConnectionTable::SetIdle(std::uint64_t number) {
  const auto found = entries_.find(number);
  // A connection whose request was refused stays idle.
  if (found == entries_.end() || found->second.state == State::kIdle) return;
  Set(number, State::kIdle);
}

void ConnectionTable::Remove(std::uint64_t number) {
  const auto found = entries_.find(number);
  if (found == entries_.end()) return;
  going_.erase({found->second.state, found->second.since, number});
  const auto of_address = by_address_.find(found->second.address);
  if (--of_address->second == 0) by_address_.erase(of_address);
  entries_.erase(found);
  // With half of them gone there may be descriptors again.
  if (entries_.size() <= found_limit_ / 2) found_limit_ = SIZE_MAX;
}

std::vector<ConnectionTable::Close> ConnectionTable::All() const {
  std::vector<Close> closes;
  for (const auto& [number, entry] : entries_) closes.push_back(entry.close);
  return closes;
}

std::uint64_t ConnectionTable::NextToGo(const std::string* address) const {
  for (const auto& [state, since, number] : going_) {
    if (address == nullptr || entries_.at(number).address == *address) {
      return number;
    }
  }
  return 0;
}

}  // namespace vernier
