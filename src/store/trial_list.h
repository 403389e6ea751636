#ifndef VERNIER_STORE_TRIAL_LIST_H_
#define VERNIER_STORE_TRIAL_LIST_H_

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/check.h"
#include "store/records.h"

namespace vernier {

/// Trials 1..n of a study as a persistent array: copying it is O(n / 128), and
/// copies share all trials that did not change. Thread-compatible.
class TrialList {
 public:
  std::size_t size() const { return size_; }

  /// The trial with number `id`; it must be in 1..size().
  const TrialRecord& Get(TrialId id) const { return *Slot(id); }

  /// As Get, but keeps the record alive.
  std::shared_ptr<const TrialRecord> Share(TrialId id) const {
    return Slot(id);
  }

  /// Replaces the trial with the record's number, or appends it if that number
  /// is size() + 1.
  void Put(std::shared_ptr<const TrialRecord> trial) {
    const std::size_t index = IndexOf(trial->id);
    VERNIER_CHECK(index <= size_);
    if (index == size_) {
      if (index % kChunk == 0) chunks_.push_back(std::make_shared<Chunk>());
      ++size_;
    }
    std::shared_ptr<const Chunk>& chunk = chunks_[index / kChunk];
    auto changed = std::make_shared<Chunk>(*chunk);
    (*changed)[index % kChunk] = std::move(trial);
    chunk = std::move(changed);
  }

 private:
  static constexpr std::size_t kChunk = 128;
  // Shared between the copies of a list that hold the same trials.
  using Chunk = std::array<std::shared_ptr<const TrialRecord>, kChunk>;

  static std::size_t IndexOf(TrialId id) {
    return static_cast<std::size_t>(ToInt(id) - 1);
  }
  const std::shared_ptr<const TrialRecord>& Slot(TrialId id) const {
    VERNIER_CHECK(IndexOf(id) < size_);
    return (*chunks_[IndexOf(id) / kChunk])[IndexOf(id) % kChunk];
  }

  std::vector<std::shared_ptr<const Chunk>> chunks_;
  std::size_t size_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_STORE_TRIAL_LIST_H_
