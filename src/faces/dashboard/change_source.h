#ifndef VERNIER_FACES_DASHBOARD_CHANGE_SOURCE_H_
#define VERNIER_FACES_DASHBOARD_CHANGE_SOURCE_H_

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "http/http_message.h"
#include "store/store.h"

namespace vernier {

/// A body of server-sent events that names the studies which have changed, at
/// most twice a second. The page fetches the changes itself. The source
/// compares snapshots, which share all unchanged studies, so a tick without
/// changes costs next to nothing. Not thread-safe.
class ChangeSource final : public ByteSource {
 public:
  /// Returns true if the caller may see a study.
  using MaySee = std::function<bool(const StudySnapshot&)>;

  /// Borrows `store` and `clock`, which must outlive this object. With `since`
  /// the first event names all studies with events after it; otherwise the
  /// stream begins now.
  ChangeSource(const Store& store, const Clock& clock, MaySee may_see,
               std::optional<EventSequence> since);

  bool Next(std::string* piece) override;
  std::chrono::milliseconds pause() const override;

 private:
  std::string Difference(const StoreSnapshot& now, EventSequence sequence);

  const Store& store_;
  const Clock& clock_;
  const MaySee may_see_;
  std::optional<EventSequence> since_;  // Until the first event is sent.
  // The snapshot that the events so far have reported.
  std::shared_ptr<const StoreSnapshot> told_;
  SteadyTime sent_at_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_CHANGE_SOURCE_H_
