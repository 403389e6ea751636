#ifndef VERNIER_CLUSTER_METRICS_WANDB_FILE_H_
#define VERNIER_CLUSTER_METRICS_WANDB_FILE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "cluster/metrics/files/growing_file.h"

namespace vernier {

/// Longest record of a W&B file that is read; longer ones are skipped.
inline constexpr std::size_t kMaxWandbRecord = std::size_t{8} << 20;

/// Returns whether a file of this name (without folders) is one that the
/// library of Weights & Biases writes for a run: "run-ID.wandb".
bool IsWandbFileName(std::string_view name);

/// Reads such a file while it grows: a head of 7 bytes, then records in the
/// form of LevelDB's log (blocks of 32,768 bytes; a record is split where a
/// block ends; {CRC-32 of type and data, length, type, data}), each a Record
/// message of the library.
///
/// Each number of a history record (`run.log`) is a measurement: its name is
/// its key, with a point between the keys of nested mappings, its step is the
/// row's
/// `_step`, its time the row's `_timestamp`. Texts, media and the library's own
/// keys are passed over. A number that is in the summary alone
/// (`run.summary["best"] = 1`) counts when the run has ended, at the last step.
///
/// A record that does not fit its checksum or is no message is skipped and
/// reported, and one that is too long is skipped silently, since history is
/// short. If the file's head or the form of a record is wrong, the rest is not
/// read.
class WandbFileReader final : public GrowingFileReader {
 public:
  std::uint64_t offset() const override { return offset_; }
  std::size_t read_size() const override { return std::size_t{1} << 20; }
  GrowingFileReading Read(std::string_view bytes) override;
  bool is_damaged() const override { return is_damaged_; }

 private:
  /// Returns the size of what was taken; 0 if it is incomplete or damaged.
  std::size_t TakeFragment(std::string_view bytes, GrowingFileReading& reading);
  void Damage(GrowingFileReading& reading);
  void TakeRecord(std::string_view record, GrowingFileReading& reading);
  bool TakeHistory(std::string_view history, GrowingFileReading& reading);
  bool TakeSummary(std::string_view summary);
  void TakeExit(GrowingFileReading& reading);

  std::uint64_t offset_ = 0;
  bool is_damaged_ = false;
  std::string record_;      // The fragments of one so far.
  bool is_passed_ = false;  // Its other fragments are passed over.
  std::int64_t last_step_ = 0;
  Timestamp last_time_{};
  std::set<std::string> logged_;  // The keys of history.
  std::map<std::string, double> summary_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_WANDB_FILE_H_
