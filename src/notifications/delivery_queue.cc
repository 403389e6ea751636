#include "notifications/delivery_queue.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/json.h"
#include "base/small_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr std::size_t kMaxQueueFile = 4 * kMaxNoticeBytes;
constexpr milliseconds kLongestWait{60000};

std::string TextOf(const Delivery& delivery) {
  return DumpJson({{"id", delivery.notice.id},
                   {"event", ToInt(delivery.notice.event)},
                   {"job", delivery.notice.job},
                   {"attempts", delivery.attempts},
                   {"body", delivery.notice.body}});
}

std::optional<Delivery> ParseDelivery(const std::string& text) {
  const auto json = ParseJson(text);
  if (!json.ok()) return std::nullopt;
  try {
    Delivery delivery;
    delivery.notice.id = json->at("id").get<std::string>();
    delivery.notice.event =
        EventSequence(json->at("event").get<std::int64_t>());
    delivery.notice.job = json->at("job").get<std::string>();
    delivery.attempts = json->at("attempts").get<int>();
    delivery.notice.body = json->at("body").get<std::string>();
    return delivery;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<DeliveryQueue>> DeliveryQueue::Open(
    std::string folder, std::string key, const Clock& clock,
    std::string* trouble) {
  std::unique_ptr<DeliveryQueue> queue(
      new DeliveryQueue(std::move(folder), std::move(key), clock));
  const std::string ending = absl::StrCat("-", queue->key_, ".json");
  std::error_code error;
  const fs::directory_iterator files(queue->folder_, error);
  if (error) {
    return absl::UnavailableError(
        absl::StrCat("cannot read ", queue->folder_, ": ", error.message()));
  }
  const MutexLock lock(queue->mu_);
  for (const auto& file : files) {
    if (!absl::EndsWith(file.path().filename().string(), ending)) continue;
    const auto text = ReadSmallFile(file.path(), kMaxQueueFile);
    // A file that cannot be read now is read at the next start.
    if (!text.ok() && !absl::IsOutOfRange(text.status())) continue;
    auto delivery = text.ok() ? ParseDelivery(*text) : std::nullopt;
    if (!delivery.has_value()) {
      absl::StrAppend(trouble, trouble->empty() ? "" : ", ",
                      file.path().string());
      fs::remove(file.path(), error);
      continue;
    }
    const EventSequence event = delivery->notice.event;
    queue->pending_[event] = {*std::move(delivery), clock.Steady()};
  }
  return queue;
}

std::string DeliveryQueue::PathOf(EventSequence event) const {
  return absl::StrFormat("%s/%020d-%s.json", folder_, ToInt(event), key_);
}

absl::Status DeliveryQueue::Add(const JobEndNotice& notice) {
  {
    const MutexLock lock(mu_);
    if (pending_.count(notice.event) != 0) return absl::OkStatus();
    if (pending_.size() >= kMostPending) {
      return absl::ResourceExhaustedError(
          absl::StrCat(kMostPending, " notices are pending"));
    }
  }
  const Delivery delivery{notice, 0};
  const absl::Status written =
      ReplaceFile(PathOf(notice.event), TextOf(delivery), Durability::kSynced);
  // That code is reserved for a full queue.
  if (!written.ok()) {
    return absl::UnavailableError(std::string(written.message()));
  }
  const MutexLock lock(mu_);
  pending_[notice.event] = {delivery, clock_.Steady()};
  return absl::OkStatus();
}

std::optional<Delivery> DeliveryQueue::Due(milliseconds* wait) {
  *wait = kLongestWait;
  const SteadyTime now = clock_.Steady();
  const MutexLock lock(mu_);
  const Pending* first = nullptr;
  for (const auto& [event, pending] : pending_) {
    if (first == nullptr || pending.due_at < first->due_at) first = &pending;
  }
  if (first == nullptr) return std::nullopt;
  if (first->due_at <= now) return first->delivery;
  *wait = std::min(kLongestWait,
                   std::chrono::ceil<milliseconds>(first->due_at - now));
  return std::nullopt;
}

void DeliveryQueue::Remove(const Delivery& delivery) {
  // The file is removed first: a process that ends in between delivers again,
  // which receivers expect, and never forgets a notice.
  ::unlink(PathOf(delivery.notice.event).c_str());
  const MutexLock lock(mu_);
  pending_.erase(delivery.notice.event);
}

void DeliveryQueue::PutOff(const Delivery& delivery, milliseconds wait) {
  // If this cannot be written, a restart tries more often than it should.
  ReplaceFile(PathOf(delivery.notice.event), TextOf(delivery),
              Durability::kVolatile)
      .IgnoreError();
  const MutexLock lock(mu_);
  pending_[delivery.notice.event] = {delivery, clock_.Steady() + wait};
}

std::size_t DeliveryQueue::size() const {
  const MutexLock lock(mu_);
  return pending_.size();
}

}  // namespace vernier
