#ifndef VERNIER_STORE_TRIAL_LIST_H_
#define VERNIER_STORE_TRIAL_LIST_H_

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/mutex.h"
#include "store/name_table.h"
#include "store/packed_trial.h"
#include "store/records.h"
#include "store/trial_brief.h"

namespace vernier {

/// Trials 1..n of a study as a persistent array: copying it is O(n / 128), and
/// copies share all trials that did not change. Those that have ended are kept
/// packed (packed_trial.h), since a study may have a million.
///
/// Thread-compatible. `id` must be in 1..size() everywhere.
class TrialList {
 public:
  class Builder;

  TrialList() = default;

  std::size_t size() const { return size_; }

  /// Returns the fields that most questions about many trials need; takes about
  /// 20 ns.
  TrialBrief Brief(TrialId id) const;

  /// Returns the value of the trial's parameter `name`, or nullopt if it has
  /// none. A text is valid as long as this list.
  std::optional<ParameterView> FindParameter(TrialId id,
                                             std::string_view name) const;

  /// Returns TrialRecord::parameters alone.
  Parameters ParametersOf(TrialId id) const;

  /// Returns the whole trial. If it has ended, it is unpacked, which takes
  /// about a microsecond.
  std::shared_ptr<const TrialRecord> Share(TrialId id) const;

  /// Returns the whole trial, valid as long as this list, or until the trial is
  /// replaced in it. A trial that has ended then takes 2 KB as long as this
  /// list lives, so callers that read many trials should call Brief or Share.
  const TrialRecord& Get(TrialId id) const;

  /// Replaces the trial with the record's number, or appends it if that number
  /// is size() + 1.
  void Put(std::shared_ptr<const TrialRecord> trial);

 private:
  static constexpr std::size_t kChunk = 128;

  // The bytes are part of an allocation that trials of a chunk may share.
  using Packed = std::shared_ptr<const char[]>;
  using Slot = std::variant<std::shared_ptr<const TrialRecord>, Packed>;
  // Shared between the copies of a list that hold the same trials.
  using Chunk = std::array<Slot, kChunk>;

  /// Trials that Get has unpacked. A copy of the list starts with none.
  /// Thread-safe, except for copies and moves.
  class Unpacked {
   public:
    Unpacked() = default;
    Unpacked(const Unpacked& /*other*/) {}
    Unpacked(Unpacked&& other) noexcept : kept_(std::move(other.kept_)) {}
    Unpacked& operator=(const Unpacked& other);
    Unpacked& operator=(Unpacked&& other) noexcept;
    ~Unpacked() = default;

    const TrialRecord& Keep(const Packed& packed, TrialId id,
                            const NameTable& names);
    void Forget(TrialId id);

   private:
    Mutex mu_;
    std::map<TrialId, TrialRecord> kept_ VERNIER_GUARDED_BY(mu_);
  };

  static std::size_t IndexOf(TrialId id) {
    return static_cast<std::size_t>(ToInt(id) - 1);
  }
  const Slot& SlotOf(TrialId id) const;

  std::vector<std::shared_ptr<const Chunk>> chunks_;
  std::size_t size_ = 0;
  // Shared with copies, whose trials were packed with it. Never null.
  std::shared_ptr<const NameTable> names_ = std::make_shared<NameTable>();
  mutable Unpacked unpacked_;
};

/// Makes a list of many trials, each of which is added once, in order. Not
/// thread-safe.
class TrialList::Builder {
 public:
  /// `trial.id` must be size() + 1.
  void Add(TrialRecord trial);

  std::size_t size() const { return list_.size_; }

  /// Returns the list of all added trials. Nothing may be added after it.
  TrialList Finish();

 private:
  void FinishChunk();

  TrialList list_;
  // The trials of the last chunk, unless it is full.
  std::string bytes_;
  std::vector<std::size_t> starts_;  // Offsets into bytes_; kIsOpen: in open_.
  std::vector<std::shared_ptr<const TrialRecord>> open_;
};

}  // namespace vernier

#endif  // VERNIER_STORE_TRIAL_LIST_H_
