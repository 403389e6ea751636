#include "trials/request_id.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "study/job_id.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxRequestId = 128;

}  // namespace

absl::Status CheckRequestId(const std::string& request_id) {
  if (request_id.size() <= kMaxRequestId) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("request_id must have at most ", kMaxRequestId,
                   " bytes: it has ", request_id.size()));
}

// Ids of the default project are stored unchanged, as before there were other
// projects.
std::string RequestIdIn(const std::string& project,
                        const std::string& request_id) {
  if (request_id.empty() || project == kDefaultProject) return request_id;
  return absl::StrCat(project, "/", request_id);
}

std::string RequestIdIn(StudyId study, std::string_view what,
                        const std::string& request_id) {
  if (request_id.empty()) return "";
  return absl::StrCat("study ", ToInt(study), " ", std::string(what), " ",
                      request_id);
}

absl::StatusOr<bool> WasAnswered(const Store& store,
                                 const std::string& request_id,
                                 std::initializer_list<std::uint64_t> digests) {
  if (request_id.empty()) return false;
  const auto seen = store.FindRequest(request_id);
  if (absl::IsNotFound(seen.status())) return false;
  if (!seen.ok()) return seen.status();
  for (const std::uint64_t digest : digests) {
    if (seen->digest == digest) return true;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("request id was used for something else: ", request_id));
}

}  // namespace vernier
