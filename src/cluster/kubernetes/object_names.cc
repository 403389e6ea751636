#include "cluster/kubernetes/object_names.h"

#include <charconv>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

constexpr std::size_t kNonceDigits = 16;
constexpr std::size_t kMaxLabel = 63;

bool IsLetterOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9');
}

}  // namespace

std::string GangName(const std::string& instance, const std::string& nonce) {
  return absl::StrCat("vernier-", instance, "-", nonce.substr(0, kNonceDigits));
}

std::string ReplicaJobName(const std::string& gang, ReplicaId replica) {
  return absl::StrCat(gang, "-", std::string(ToString(replica.role)), "-",
                      replica.index);
}

std::optional<ReplicaId> ReplicaOfJob(const std::string& gang,
                                      std::string_view job) {
  for (const ReplicaRole role :
       {ReplicaRole::kMaster, ReplicaRole::kWorker,
        ReplicaRole::kParameterServer, ReplicaRole::kEvaluator}) {
    const std::string prefix =
        absl::StrCat(gang, "-", std::string(ToString(role)), "-");
    if (!job.starts_with(prefix)) continue;
    ReplicaId replica{role, 0};
    const char* const end = job.data() + job.size();
    const auto [rest, error] =
        std::from_chars(job.data() + prefix.size(), end, replica.index);
    if (error == std::errc() && rest == end && replica.index >= 0) {
      return replica;
    }
  }
  return std::nullopt;
}

std::string ReplicaHost(const std::string& gang, ReplicaId replica) {
  return absl::StrCat(ReplicaJobName(gang, replica), "-0.", gang);
}

std::string AsLabelValue(std::string_view text) {
  std::string value(text.substr(0, kMaxLabel));
  for (char& c : value) {
    if (!IsLetterOrDigit(c) && c != '_' && c != '.') c = '-';
  }
  while (!value.empty() && !IsLetterOrDigit(value.back())) value.pop_back();
  const auto begin = value.find_first_not_of("-_.");
  return begin == std::string::npos ? "" : value.substr(begin);
}

}  // namespace vernier
