#ifndef VERNIER_CLI_DOCTOR_FINDING_H_
#define VERNIER_CLI_DOCTOR_FINDING_H_

#include <cstdint>
#include <optional>
#include <string>

namespace vernier {

/// The result of one check of this machine.
struct Finding {
  enum class Grade {
    kGood,
    kNote,     ///< Something optional is not here.
    kWarning,  ///< It works, but something may go wrong.
    kFault,    ///< Something that every service needs does not work.
  };
  Grade grade = Grade::kGood;
  std::string subject;  ///< "disk", "GPUs", ...
  std::string found;    ///< A sentence's worth: "41.2 GB are free in /data".
  std::string remedy;   ///< What to do; empty: nothing.
};

/// Judges the disk of the data directory. A service needs some megabytes to
/// start, and trials need room; SQLite's files must not be on a network file
/// system. Pure.
Finding JudgeDisk(const std::string& folder, std::int64_t free_bytes,
                  std::int64_t free_inodes, bool is_on_network);

/// Judges the number of descriptors that one process may open: soft and hard
/// limit. Pure.
Finding JudgeDescriptors(std::int64_t soft, std::int64_t hard);

/// Judges the limits on watched folders and instances of inotify; unset if this
/// kernel has none.
Finding JudgeInotify(std::optional<std::int64_t> watches,
                     std::optional<std::int64_t> instances);

/// Judges whether the machine's clock is synchronised, and how far off it may
/// be.
Finding JudgeClock(bool is_synchronised, std::int64_t error_us);

/// Judges the path of a socket, which has room for 107 bytes. Pure.
Finding JudgeSocketPath(const std::string& path);

}  // namespace vernier

#endif  // VERNIER_CLI_DOCTOR_FINDING_H_
