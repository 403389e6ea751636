#include "cluster/slurm/gang_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"

namespace vernier {
namespace {

constexpr std::size_t kMostBytes = 4096;
constexpr char kGo[] = "go\n";
constexpr char kEnd[] = "end\n";
constexpr char kWhole[] = " .\n";  // Shows that the text is complete.
constexpr char kRevoked[] = "revoked\n";

std::string Folder(const std::string& attempt_dir) {
  return attempt_dir + "/slurm";
}
std::string MarkPath(const std::string& attempt_dir) {
  return Folder(attempt_dir) + "/submission";
}
std::string ClaimPath(const std::string& attempt_dir) {
  return Folder(attempt_dir) + "/claim";
}
std::string ControlPath(const std::string& attempt_dir) {
  return Folder(attempt_dir) + "/control";
}
std::string HostsPath(const std::string& attempt_dir) {
  return Folder(attempt_dir) + "/hosts";
}
std::string RunningPath(const std::string& folder) {
  return folder + "/running";
}
std::string AddressPath(const std::string& attempt_dir, ReplicaId replica) {
  return MemberFolder(attempt_dir, replica) + "/address";
}

bool IsNotEmpty(const std::string& path) {
  // The file is opened because only that asks the server of a shared file
  // system.
  const absl::StatusOr<std::string> text = ReadSmallFile(path, kMostBytes);
  return text.ok() && !text->empty();
}

std::string TextOf(const JobClaim& claim) {
  if (claim.kind == JobClaim::Kind::kRevoked) return kRevoked;
  return absl::StrCat("job ", claim.number, " ", claim.run, "\n");
}

}  // namespace

absl::Status MakeSlurmFolder(const std::string& attempt_dir) {
  return MakeDirectories(Folder(attempt_dir));
}

std::string JobScriptPath(const std::string& attempt_dir) {
  return Folder(attempt_dir) + "/job.sh";
}

std::string JobLogPath(const std::string& attempt_dir) {
  return Folder(attempt_dir) + "/job.log";
}

absl::Status WriteSubmissionMark(const std::string& attempt_dir,
                                 SubmissionMark mark, std::int64_t number) {
  const std::string text = mark == SubmissionMark::kSubmitted
                               ? absl::StrCat("submitted ", number, "\n")
                               : "begun\n";
  return ReplaceFile(MarkPath(attempt_dir), text, Durability::kSynced);
}

absl::StatusOr<SubmissionMark> ReadSubmissionMark(
    const std::string& attempt_dir) {
  const absl::StatusOr<std::string> text =
      ReadSmallFile(MarkPath(attempt_dir), kMostBytes);
  if (absl::IsNotFound(text.status())) return SubmissionMark::kNone;
  VERNIER_RETURN_IF_ERROR(text.status());
  return text->starts_with("submitted") ? SubmissionMark::kSubmitted
                                        : SubmissionMark::kBegun;
}

absl::StatusOr<JobClaim> ReadJobClaim(const std::string& attempt_dir) {
  const absl::StatusOr<std::string> text =
      ReadSmallFile(ClaimPath(attempt_dir), kMostBytes);
  if (absl::IsNotFound(text.status())) return JobClaim{};
  VERNIER_RETURN_IF_ERROR(text.status());
  if (*text == kRevoked) return JobClaim{JobClaim::Kind::kRevoked, 0, ""};
  JobClaim claim{JobClaim::Kind::kHeld, 0, ""};
  std::istringstream words(*text);
  std::string word;
  words >> word >> claim.number;
  const bool is_damaged = words.fail() || word != "job";
  words >> claim.run;
  if (is_damaged) {
    return absl::DataLossError(ClaimPath(attempt_dir) + " is damaged");
  }
  return claim;
}

absl::StatusOr<JobClaim> ClaimAttempt(const std::string& attempt_dir,
                                      const JobClaim& claim) {
  VERNIER_RETURN_IF_ERROR(MakeSlurmFolder(attempt_dir));
  // Several processes may try at once, so each links from a file of its own.
  std::string draft = ClaimPath(attempt_dir) + ".XXXXXX";
  const UniqueFd fd(::mkstemp(draft.data()));
  if (!fd.is_open()) return absl::ErrnoToStatus(errno, "cannot make " + draft);
  const std::string text = TextOf(claim);
  absl::Status status = WriteAll(fd.get(), text.data(), text.size());
  if (status.ok() && ::fsync(fd.get()) != 0) {
    status = absl::ErrnoToStatus(errno, "cannot sync " + draft);
  }
  // link fails if the claim exists, so the first of several wins.
  if (status.ok() &&
      ::link(draft.c_str(), ClaimPath(attempt_dir).c_str()) != 0 &&
      errno != EEXIST) {
    status = absl::ErrnoToStatus(errno, "cannot claim the attempt");
  }
  ::unlink(draft.c_str());
  VERNIER_RETURN_IF_ERROR(status);
  VERNIER_RETURN_IF_ERROR(SyncDirectory(Folder(attempt_dir)));
  return ReadJobClaim(attempt_dir);
}

std::string MemberFolder(const std::string& attempt_dir, ReplicaId replica) {
  return Folder(attempt_dir) + "/members/" + ReplicaName(replica);
}

absl::Status MakeGangFiles(const std::string& attempt_dir,
                           const std::vector<ReplicaId>& replicas) {
  for (const ReplicaId replica : replicas) {
    const std::string folder = MemberFolder(attempt_dir, replica);
    VERNIER_RETURN_IF_ERROR(MakeDirectories(folder));
    for (const std::string& path :
         {RunningPath(folder), AddressPath(attempt_dir, replica),
          folder + "/exit.json"}) {
      VERNIER_RETURN_IF_ERROR(OverwriteFile(path, ""));
    }
  }
  VERNIER_RETURN_IF_ERROR(OverwriteFile(HostsPath(attempt_dir), ""));
  return OverwriteFile(ControlPath(attempt_dir), kGo);
}

absl::Status NoteMemberRuns(const std::string& attempt_dir, ReplicaId replica) {
  return OverwriteFile(RunningPath(MemberFolder(attempt_dir, replica)),
                       "running\n");
}

bool MemberRuns(const std::string& attempt_dir, ReplicaId replica) {
  return IsNotEmpty(RunningPath(MemberFolder(attempt_dir, replica)));
}

absl::Status NoteGangRuns(const std::string& attempt_dir) {
  return OverwriteFile(RunningPath(Folder(attempt_dir)), "running\n");
}

bool GangRuns(const std::string& attempt_dir) {
  return IsNotEmpty(RunningPath(Folder(attempt_dir)));
}

absl::Status NoteHeartbeat(const std::string& attempt_dir, std::int64_t beat) {
  return OverwriteFile(Folder(attempt_dir) + "/heartbeat",
                       absl::StrCat(beat, "\n"));
}

std::string LastHeartbeat(const std::string& attempt_dir) {
  return ReadSmallFile(Folder(attempt_dir) + "/heartbeat", kMostBytes)
      .value_or("");
}

absl::Status PublishHosts(const std::string& attempt_dir,
                          const std::string& hosts) {
  return OverwriteFile(HostsPath(attempt_dir), hosts + kWhole);
}

std::optional<std::string> ReadHosts(const std::string& attempt_dir) {
  const absl::StatusOr<std::string> text =
      ReadSmallFile(HostsPath(attempt_dir));
  if (!text.ok() || !text->ends_with(kWhole)) return std::nullopt;
  return text->substr(0, text->size() - std::string_view(kWhole).size());
}

absl::Status AskGangToEnd(const std::string& attempt_dir) {
  return OverwriteFile(ControlPath(attempt_dir), kEnd);
}

bool IsGangToEnd(const std::string& attempt_dir) {
  return ReadSmallFile(ControlPath(attempt_dir), kMostBytes).value_or("") ==
         kEnd;
}

absl::Status NotePreemption(const std::string& attempt_dir,
                            const std::string& time) {
  return OverwriteFile(Folder(attempt_dir) + "/preempted", time + "\n");
}

std::string PreemptionTime(const std::string& attempt_dir) {
  std::string time =
      ReadSmallFile(Folder(attempt_dir) + "/preempted", kMostBytes)
          .value_or("");
  while (!time.empty() && time.back() == '\n') time.pop_back();
  return time;
}

absl::Status PublishAddress(const std::string& attempt_dir, ReplicaId replica,
                            const MemberAddress& address) {
  return OverwriteFile(AddressPath(attempt_dir, replica),
                       absl::StrCat(address.host, " ", address.port, " ",
                                    address.master_port, " .\n"));
}

std::optional<MemberAddress> ReadAddress(const std::string& attempt_dir,
                                         ReplicaId replica) {
  const absl::StatusOr<std::string> text =
      ReadSmallFile(AddressPath(attempt_dir, replica), kMostBytes);
  if (!text.ok()) return std::nullopt;
  MemberAddress address;
  std::istringstream words(*text);
  std::string end;  // Shows that the line is complete.
  words >> address.host >> address.port >> address.master_port >> end;
  if (words.fail() || end != ".") return std::nullopt;
  return address;
}

}  // namespace vernier
