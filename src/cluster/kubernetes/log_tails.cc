#include "cluster/kubernetes/log_tails.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cluster/kubernetes/object_specs.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kAgain{1000};
// A log ends shortly before the pod is known to have ended.
constexpr milliseconds kSoon{100};
constexpr int kLogRead = 200;
constexpr int kBadRequest = 400;
constexpr int kNoSuchLog = 404;
// Further pods are read once they, or others, have ended.
constexpr int kMaxStreams = 500;

// Returns whether the server refuses to show the log. A log that does not exist
// yet, a pod that is gone and a broken connection are not refusals.
bool IsRefused(int status) {
  return status != 0 && status != kLogRead && status != kBadRequest &&
         status != kNoSuchLog;
}

}  // namespace

bool LogTails::Turn(const std::string& name_space, const ObservedPod& pod,
                    const std::string& attempt_dir, ReplicaId replica,
                    SteadyTime now, SteadyTime* next) {
  Tail& tail = tails_[pod.uid];
  if (tail.is_done) return true;
  if (!pod.has_started) {
    tail.is_done = pod.is_over();
    return tail.is_done;
  }
  if (pod.is_over() && !tail.over_since.has_value()) tail.over_since = now;
  if (tail.stream.has_value()) Read(tail, pod, now);
  if (tail.over_since.has_value() && !tail.is_done) {
    const SteadyTime limit = *tail.over_since + settings_.log_patience;
    if (now >= limit) {
      Close(tail);
      tail.is_done = true;
    }
    *next = std::min(*next, limit);
  }
  if (tail.is_done || tail.stream.has_value()) return tail.is_done;
  if (now < tail.next_try) {
    *next = std::min(*next, tail.next_try);
    return false;
  }
  tail.next_try = now + kAgain;
  *next = std::min(*next, tail.next_try);
  if (streams_ >= kMaxStreams && !pod.is_over()) return false;
  if (!tail.log.has_value()) {
    auto log = PodLog::Open(attempt_dir, replica, log_cap_bytes_);
    if (!log.ok()) return false;  // The disk may be full.
    tail.log = *std::move(log);
  }
  tail.opened_after_end = pod.is_over();
  tail.stream =
      api_.Open(absl::StrCat(PodsPath(name_space), "/", pod.name,
                             "/log?follow=true&", tail.log->BeginStream()));
  ++streams_;
  return false;
}

void LogTails::Read(Tail& tail, const ObservedPod& pod, SteadyTime now) {
  const KubernetesApi::Part part = api_.Read(*tail.stream);
  if (!part.data.empty()) tail.log->Take(part.data);
  if (!part.is_over) return;
  Close(tail);
  const bool is_complete = part.status == kLogRead && part.trouble.empty();
  if (is_complete) tail.trouble.clear();
  if (IsRefused(part.status)) {
    tail.trouble = WordsOfReply({part.status, part.trouble});
  }
  // A stream that was opened earlier may have missed the last lines.
  if (is_complete && tail.opened_after_end) tail.is_done = true;
  // The pod is gone, and its unread output with it.
  if (part.status == kNoSuchLog && pod.is_over()) tail.is_done = true;
  const bool is_soon = is_complete || part.status == kNoSuchLog;
  tail.next_try =
      is_complete && pod.is_over() ? now : now + (is_soon ? kSoon : kAgain);
}

void LogTails::Close(Tail& tail) {
  if (!tail.stream.has_value()) return;
  api_.Close(*tail.stream);
  tail.stream.reset();
  --streams_;
}

std::string LogTails::TroubleOf(const std::string& uid) const {
  const auto found = tails_.find(uid);
  return found == tails_.end() ? "" : found->second.trouble;
}

void LogTails::Drop(const std::string& uid) {
  const auto found = tails_.find(uid);
  if (found == tails_.end()) return;
  Close(found->second);
  tails_.erase(found);
}

}  // namespace vernier
