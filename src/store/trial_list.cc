#include "store/trial_list.h"

#include <cstring>
#include <limits>
#include <utility>

#include "base/check.h"
#include "study/find_by_name.h"

namespace vernier {
namespace {

// Marks an open trial in starts_: it is not packed, but in open_.
constexpr std::size_t kIsOpen = std::numeric_limits<std::size_t>::max();

std::shared_ptr<char[]> CopyOf(std::string_view bytes) {
  auto copy = std::make_shared_for_overwrite<char[]>(bytes.size());
  std::memcpy(copy.get(), bytes.data(), bytes.size());
  return copy;
}

std::optional<ParameterView> FindIn(const Parameters& parameters,
                                    std::string_view name) {
  const ParameterValue* const found = FindValue(parameters, name);
  if (found == nullptr) return std::nullopt;
  return std::visit([](const auto& value) { return ParameterView(value); },
                    *found);
}

}  // namespace

TrialList::Unpacked& TrialList::Unpacked::operator=(const Unpacked& other) {
  if (this == &other) return *this;
  const MutexLock lock(mu_);
  kept_.clear();
  return *this;
}

TrialList::Unpacked& TrialList::Unpacked::operator=(Unpacked&& other) noexcept {
  if (this == &other) return *this;
  std::map<TrialId, TrialRecord> taken;
  {
    const MutexLock lock(other.mu_);
    taken = std::move(other.kept_);
  }
  const MutexLock lock(mu_);
  kept_ = std::move(taken);
  return *this;
}

const TrialRecord& TrialList::Unpacked::Keep(const Packed& packed, TrialId id,
                                             const NameTable& names) {
  const MutexLock lock(mu_);
  const auto found = kept_.find(id);
  if (found != kept_.end()) return found->second;
  return kept_.emplace(id, UnpackTrial(packed.get(), names)).first->second;
}

void TrialList::Unpacked::Forget(TrialId id) {
  const MutexLock lock(mu_);
  kept_.erase(id);
}

const TrialList::Slot& TrialList::SlotOf(TrialId id) const {
  VERNIER_CHECK(IndexOf(id) < size_);
  return (*chunks_[IndexOf(id) / kChunk])[IndexOf(id) % kChunk];
}

TrialBrief TrialList::Brief(TrialId id) const {
  const Slot& slot = SlotOf(id);
  if (const auto* packed = std::get_if<Packed>(&slot)) {
    return UnpackBrief(packed->get());
  }
  return BriefOf(*std::get<0>(slot));
}

std::optional<ParameterView> TrialList::FindParameter(
    TrialId id, std::string_view name) const {
  const Slot& slot = SlotOf(id);
  if (const auto* packed = std::get_if<Packed>(&slot)) {
    return vernier::FindParameter(packed->get(), *names_, name);
  }
  return FindIn(std::get<0>(slot)->parameters, name);
}

Parameters TrialList::ParametersOf(TrialId id) const {
  const Slot& slot = SlotOf(id);
  if (const auto* packed = std::get_if<Packed>(&slot)) {
    return UnpackParameters(packed->get(), *names_);
  }
  return std::get<0>(slot)->parameters;
}

std::shared_ptr<const TrialRecord> TrialList::Share(TrialId id) const {
  const Slot& slot = SlotOf(id);
  if (const auto* packed = std::get_if<Packed>(&slot)) {
    return std::make_shared<const TrialRecord>(
        UnpackTrial(packed->get(), *names_));
  }
  return std::get<0>(slot);
}

const TrialRecord& TrialList::Get(TrialId id) const {
  const Slot& slot = SlotOf(id);
  if (const auto* packed = std::get_if<Packed>(&slot)) {
    return unpacked_.Keep(*packed, id, *names_);
  }
  return *std::get<0>(slot);
}

void TrialList::Put(std::shared_ptr<const TrialRecord> trial) {
  const std::size_t index = IndexOf(trial->id);
  VERNIER_CHECK(index <= size_);
  if (index == size_) {
    if (index % kChunk == 0) chunks_.push_back(std::make_shared<Chunk>());
    ++size_;
  }
  unpacked_.Forget(trial->id);
  Slot slot;
  if (IsTerminal(trial->state)) {
    std::string bytes;
    PackTrial(*trial, &names_, &bytes);
    slot = Packed(CopyOf(bytes));
  } else {
    slot = std::move(trial);
  }
  // Copies of this list share the chunk, so it is replaced rather than changed.
  std::shared_ptr<const Chunk>& chunk = chunks_[index / kChunk];
  auto changed = std::make_shared<Chunk>(*chunk);
  (*changed)[index % kChunk] = std::move(slot);
  chunk = std::move(changed);
}

void TrialList::Builder::Add(TrialRecord trial) {
  VERNIER_CHECK(IndexOf(trial.id) == list_.size_);
  if (IsTerminal(trial.state)) {
    starts_.push_back(bytes_.size());
    PackTrial(trial, &list_.names_, &bytes_);
  } else {
    starts_.push_back(kIsOpen);
    open_.push_back(std::make_shared<const TrialRecord>(std::move(trial)));
  }
  ++list_.size_;
  if (starts_.size() == kChunk) FinishChunk();
}

// One allocation holds the trials of a whole chunk, since a start of the
// service may read a million of them.
void TrialList::Builder::FinishChunk() {
  const std::shared_ptr<char[]> bytes = CopyOf(bytes_);
  auto chunk = std::make_shared<Chunk>();
  auto open = open_.begin();
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    if (starts_[i] == kIsOpen) {
      (*chunk)[i] = std::move(*open++);
    } else {
      (*chunk)[i] = Packed(bytes, bytes.get() + starts_[i]);
    }
  }
  list_.chunks_.push_back(std::move(chunk));
  bytes_.clear();
  starts_.clear();
  open_.clear();
}

TrialList TrialList::Builder::Finish() {
  if (!starts_.empty()) FinishChunk();
  return std::move(list_);
}

}  // namespace vernier
