#include "cli/doctor/finding.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace vernier {
namespace {

using Grade = Finding::Grade;

constexpr std::int64_t kMegabyte = std::int64_t{1} << 20;
constexpr std::int64_t kGigabyte = std::int64_t{1} << 30;

std::string SizeText(std::int64_t bytes) {
  if (bytes < kGigabyte) return absl::StrCat(bytes / kMegabyte, " MB");
  return absl::StrFormat(
      "%.1f GB", static_cast<double>(bytes) / static_cast<double>(kGigabyte));
}

}  // namespace

Finding JudgeDisk(const std::string& folder, std::int64_t free_bytes,
                  std::int64_t free_inodes, bool is_on_network) {
  constexpr std::int64_t kNeeded = 50 * kMegabyte;
  constexpr std::int64_t kFewInodes = 10000;
  Finding finding{Grade::kGood, "disk",
                  absl::StrCat(SizeText(free_bytes), " are free in ", folder),
                  ""};
  if (is_on_network) {
    finding.grade = Grade::kWarning;
    absl::StrAppend(&finding.found, ", which is on a network's file system");
    finding.remedy =
        "keep the data directory on a local disk (VERNIER_HOME, serve "
        "--data-dir), since a service keeps no database here; "
        "docs/data-directory.md has the way for Slurm";
  }
  if (free_bytes < kNeeded) {
    finding.grade = Grade::kFault;
    finding.remedy = "make room: the service waits while the disk is full";
  } else if (free_bytes < kGigabyte && finding.grade == Grade::kGood) {
    finding.grade = Grade::kWarning;
    finding.remedy = "make room for checkpoints and logs of trials";
  } else if (free_inodes < kFewInodes && finding.grade == Grade::kGood) {
    finding.grade = Grade::kWarning;
    absl::StrAppend(&finding.found, ", but only ", free_inodes, " inodes");
    finding.remedy = "remove files: each attempt has some thirty";
  }
  return finding;
}

Finding JudgeDescriptors(std::int64_t soft, std::int64_t hard) {
  constexpr std::int64_t kNeeded = 1024;
  constexpr std::int64_t kPlenty = 4096;
  Finding finding{
      Grade::kGood, "descriptors",
      absl::StrCat("a process may open ", soft, ", and raise that to ", hard),
      ""};
  if (hard < kPlenty) {
    finding.grade = hard < kNeeded ? Grade::kFault : Grade::kWarning;
    finding.remedy =
        "raise the hard limit (ulimit -Hn, limits.conf, or LimitNOFILE of the "
        "unit): each running trial and each connection takes some";
  }
  return finding;
}

Finding JudgeInotify(std::optional<std::int64_t> watches,
                     std::optional<std::int64_t> instances) {
  constexpr std::int64_t kFewWatches = 8192;
  constexpr std::int64_t kFewInstances = 64;
  if (!watches || !instances) {
    return {Grade::kNote, "inotify", "this kernel has none",
            "nothing: folders of metric files are looked at every second"};
  }
  Finding finding{Grade::kGood, "inotify",
                  absl::StrCat(*watches, " folders may be watched, by ",
                               *instances, " instances"),
                  ""};
  if (*watches < kFewWatches || *instances < kFewInstances) {
    finding.grade = Grade::kWarning;
    finding.remedy =
        "sysctl fs.inotify.max_user_watches=65536 "
        "fs.inotify.max_user_instances=256; until then some folders are looked "
        "at every second";
  }
  return finding;
}

Finding JudgeClock(bool is_synchronised, std::int64_t error_us) {
  if (!is_synchronised) {
    return {
        Grade::kWarning, "clock", "nobody keeps it right",
        "install chrony or enable systemd-timesyncd: times of several "
        "machines could not be compared, and certificates may seem invalid"};
  }
  return {
      Grade::kGood, "clock",
      absl::StrCat("synchronised, ", error_us / 1000, " ms off at the most"),
      ""};
}

Finding JudgeSocketPath(const std::string& path) {
  constexpr std::size_t kRoom = 107;
  if (path.size() <= kRoom) {
    return {Grade::kGood, "socket", path, ""};
  }
  return {Grade::kFault, "socket",
          absl::StrCat(path, " has ", path.size(),
                       " bytes, and there is room "
                       "for ",
                       kRoom),
          "name a shorter data directory (VERNIER_HOME), or serve --listen "
          "unix:/tmp/v.sock and VERNIER_ENDPOINT"};
}

}  // namespace vernier
