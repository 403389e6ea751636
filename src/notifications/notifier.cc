#include "notifications/notifier.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "store/study_kinds.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

// Between ends of jobs the position is written rarely: reading some events
// again is cheap.
constexpr std::int64_t kEventsBetweenWrites = 1000;

std::string PlaceFile(const std::string& folder) { return folder + "/place"; }

// Returns the last event that was visited. NOT_FOUND if there is no such file.
absl::StatusOr<EventSequence> ReadPlace(const std::string& folder) {
  constexpr std::size_t kMaxFile = 64;
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           ReadSmallFile(PlaceFile(folder), kMaxFile));
  std::int64_t number = 0;
  if (!absl::SimpleAtoi(text, &number) || number < 0) {
    return absl::NotFoundError("it is no number");
  }
  return EventSequence(number);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Notifier>> Notifier::Open(
    const std::string& folder, EventSequence newest,
    std::vector<std::unique_ptr<Receiver>> receivers, const Clock& clock,
    NoticeLog log) {
  VERNIER_RETURN_IF_ERROR(MakeDirectories(folder));
  std::unique_ptr<Notifier> notifier(new Notifier(folder, std::move(log)));
  std::string trouble;
  for (std::unique_ptr<Receiver>& receiver : receivers) {
    VERNIER_ASSIGN_OR_RETURN(
        auto queue,
        DeliveryQueue::Open(folder, receiver->key(), clock, &trouble));
    notifier->deliverers_.push_back(std::make_unique<Deliverer>(
        std::move(receiver), std::move(queue), notifier->log_));
  }
  if (!trouble.empty()) {
    notifier->log_(true, "notices could not be read and were removed",
                   {{"files", trouble}});
  }
  const auto place = ReadPlace(folder);
  if (!place.ok() && !absl::IsNotFound(place.status())) return place.status();
  // An older database was restored: its events get those numbers again.
  const bool is_known = place.ok() && *place <= newest;
  notifier->begin_ = is_known ? *place : newest;
  notifier->written_ = notifier->begin_;
  if (!is_known) {
    VERNIER_RETURN_IF_ERROR(notifier->WritePlace(newest, /*is_synced=*/true));
  }
  return notifier;
}

void Notifier::Forget(const std::string& folder) {
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

absl::StatusOr<bool> Notifier::Visit(const Event& event,
                                     const StudySnapshot* study) {
  const bool is_end = IsJobEnd(event);
  if (!is_end) {
    if (ToInt(event.sequence) - ToInt(written_) >= kEventsBetweenWrites) {
      WritePlace(event.sequence, /*is_synced=*/false).IgnoreError();
    }
    return false;
  }
  const auto job = study == nullptr ? std::nullopt : AsJob(*study);
  if (!job.has_value()) {
    log_(true, "a job was deleted before its end could be told",
         {{"study", absl::StrCat(ToInt(event.study))}});
    return false;
  }
  const JobEndNotice notice = NoticeOf(event, *job);
  for (const std::unique_ptr<Deliverer>& deliverer : deliverers_) {
    const absl::Status added = deliverer->queue().Add(notice);
    if (absl::IsResourceExhausted(added)) {
      deliverer->CountGivenUp();
      log_(true, "notice given up",
           {{"job", notice.job},
            {"notice", notice.id},
            {"to", deliverer->receiver().name()},
            {"why", std::string(added.message())}});
      continue;
    }
    VERNIER_RETURN_IF_ERROR(added);
  }
  // If this fails, the notices are queued and delivered a second time at worst.
  VERNIER_RETURN_IF_ERROR(WritePlace(event.sequence, /*is_synced=*/true));
  return true;
}

absl::Status Notifier::WritePlace(EventSequence event, bool is_synced) {
  VERNIER_RETURN_IF_ERROR(
      ReplaceFile(PlaceFile(folder_), absl::StrCat(ToInt(event)),
                  is_synced ? Durability::kSynced : Durability::kVolatile));
  written_ = event;
  return absl::OkStatus();
}

}  // namespace vernier
