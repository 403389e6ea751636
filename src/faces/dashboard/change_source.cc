#include "faces/dashboard/change_source.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"

namespace vernier {
namespace {

constexpr std::chrono::milliseconds kTick{500};
// Proves to both sides, and to proxies between them, that the connection is
// alive.
constexpr std::chrono::seconds kHeartbeat{15};

}  // namespace

ChangeSource::ChangeSource(const Store& store, const Clock& clock,
                           MaySee may_see, std::optional<EventSequence> since)
    : store_(store),
      clock_(clock),
      may_see_(std::move(may_see)),
      since_(since),
      told_(store.Snapshot()),
      sent_at_(clock.Steady()) {}

std::chrono::milliseconds ChangeSource::pause() const { return kTick; }

bool ChangeSource::Next(std::string* piece) {
  const auto sequence = store_.LastEvent();
  const auto now = store_.Snapshot();
  std::string text;
  if (since_.has_value() || now != told_) text = Difference(*now, sequence);
  told_ = now;
  if (text.empty() && clock_.Steady() - sent_at_ >= kHeartbeat) text = ":\n\n";
  if (text.empty()) return true;
  sent_at_ = clock_.Steady();
  *piece += text;
  return true;
}

std::string ChangeSource::Difference(const StoreSnapshot& now,
                                     EventSequence sequence) {
  Json changed = Json::array();
  Json deleted = Json::array();
  for (const auto& [id, study] : now) {
    if (!may_see_(*study)) continue;
    const auto before = told_->find(id);
    bool is_new = before == told_->end() || before->second != study;
    if (since_.has_value()) is_new = study->last_event > *since_;
    if (is_new) changed.push_back(study->name);
  }
  for (const auto& [id, study] : *told_) {
    if (may_see_(*study) && now.find(id) == now.end()) {
      deleted.push_back(study->name);
    }
  }
  const bool is_first = since_.has_value();
  since_.reset();
  if (changed.empty() && deleted.empty() && !is_first) return "";
  return absl::StrCat("event: change\nid: ", ToInt(sequence), "\ndata: ",
                      DumpJson(Json{{"sequence", ToInt(sequence)},
                                    {"studies", std::move(changed)},
                                    {"deleted", std::move(deleted)}}),
                      "\n\n");
}

}  // namespace vernier
