#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/status_macros.h"
#include "cli/command/verb.h"
#include "cli/display/duration_text.h"
#include "cli/live/keyboard.h"
#include "cli/live/screen.h"
#include "cli/live/top_frame.h"
#include "cli/live/top_look.h"
#include "cli/text/console.h"
#include "cli/verbs/verbs.h"
#include "daemon/stop_signal.h"

namespace vernier {
namespace {

using SteadyClock = std::chrono::steady_clock;

struct TopFlags {
  bool once = false;
  std::string interval = "1s";
};

constexpr std::size_t kAnyRows = 100'000;
constexpr int kPausePerLook = 4;

void PrintOnce(const TopData& data) {
  DisplayArea area;
  area.columns = StandardOutputSize().columns;
  area.rows = kAnyRows;
  area.palette = StandardOutput().palette;
  area.glyphs = GlyphsHere();
  for (const std::string& line :
       TopFrame(data, std::nullopt, SystemClock().Now(), area)) {
    WritePainted(stdout, line + "\n");
  }
}

/// Remembers which job's trials are shown: it stays the same one while other
/// jobs come and go.
class Choice {
 public:
  std::optional<std::size_t> Among(const std::vector<TopJob>& jobs) {
    if (jobs.empty()) return std::nullopt;
    const auto found =
        std::find_if(jobs.begin(), jobs.end(),
                     [this](const TopJob& job) { return job.id == id_; });
    if (found != jobs.end()) {
      index_ = static_cast<std::size_t>(found - jobs.begin());
    }
    Set(std::min(index_, jobs.size() - 1), jobs);
    return index_;
  }

  void Move(Key key, const std::vector<TopJob>& jobs) {
    if (!Among(jobs).has_value()) return;
    if (key == Key::kUp && index_ > 0) Set(index_ - 1, jobs);
    if (key == Key::kDown && index_ + 1 < jobs.size()) Set(index_ + 1, jobs);
  }

 private:
  void Set(std::size_t index, const std::vector<TopJob>& jobs) {
    index_ = index;
    id_ = jobs[index].id;
  }

  std::string id_;
  std::size_t index_ = 0;
};

/// Keeps the screen of `vernier top` up to date.
class Watch {
 public:
  explicit Watch(Invocation& invocation) : invocation_(invocation) {}

  /// Requests the newest data. While the service does not answer, the last data
  /// stay, with a line that says so. Returns only errors that waiting does not
  /// solve.
  absl::Status Look() {
    if (is_lost_) {
      // This may print that a service is started.
      screen_.Clear();
      std::fflush(stdout);
      invocation_.Reconnect().status().IgnoreError();
    }
    absl::StatusOr<TopData> taken = Take();
    is_lost_ = absl::IsUnavailable(taken.status());
    if (taken.ok()) {
      data_ = *std::move(taken);
      return absl::OkStatus();
    }
    if (!is_lost_) return taken.status();
    data_.trouble = "The service does not answer; trials that run go on.";
    return absl::OkStatus();
  }

  /// Redraws until q is pressed or a signal to stop comes.
  absl::Status Follow(std::chrono::milliseconds interval) {
    auto pause = interval;
    while (true) {
      const auto next_look = SteadyClock::now() + pause;
      while (SteadyClock::now() < next_look) {
        Draw();
        if (!WaitForKeys(next_look)) return absl::OkStatus();
      }
      const auto begin = SteadyClock::now();
      VERNIER_RETURN_IF_ERROR(Look());
      // Listing millions of trials costs the service a second.
      const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
          SteadyClock::now() - begin);
      pause = std::max(interval, kPausePerLook * took);
    }
  }

 private:
  absl::StatusOr<TopData> Take() {
    VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                             invocation_.Client());
    return look_.Take(*client);
  }

  void Draw() {
    const std::optional<std::size_t> chosen = choice_.Among(data_.jobs);
    screen_.Draw(TopFrame(data_, keyboard_.is_there() ? chosen : std::nullopt,
                          SystemClock().Now(), screen_.Area()));
  }

  /// Waits for keys. Returns false if the display must end.
  bool WaitForKeys(SteadyClock::time_point until) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        until - SteadyClock::now());
    for (const Key key : keyboard_.WaitFor(
             static_cast<int>(std::max<std::int64_t>(left.count(), 0)),
             stop_.descriptor())) {
      if (key == Key::kQuit) return false;
      choice_.Move(key, data_.jobs);
    }
    return !stop_.WaitFor(std::chrono::milliseconds(0));
  }

  Invocation& invocation_;
  StopSignal stop_;
  Screen screen_;
  Keyboard keyboard_;
  Choice choice_;
  TopLook look_;
  TopData data_;
  bool is_lost_ = false;
};

absl::Status ShowTop(Invocation& invocation, const TopFlags& flags) {
  VERNIER_ASSIGN_OR_RETURN(const std::chrono::seconds interval,
                           ParseDuration(flags.interval));
  if (!invocation.wants_table()) {
    return absl::InvalidArgumentError(
        "top draws a screen; for programs there is status --format json");
  }
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  if (flags.once || !StandardOutput().can_redraw) {
    VERNIER_ASSIGN_OR_RETURN(const TopData data, TopLook().Take(*client));
    PrintOnce(data);
    return absl::OkStatus();
  }
  Watch watch(invocation);
  VERNIER_RETURN_IF_ERROR(watch.Look());
  return watch.Follow(interval);
}

}  // namespace

void DeclareTopVerb(CLI::App& app, Invocation& invocation) {
  const Verb<TopFlags> verb(
      app, invocation, "top",
      "Watch all jobs, their running trials and the GPUs; q quits");
  verb->add_flag("--once", verb.words().once,
                 "Print it once; so does a pipe or a dumb terminal");
  verb->add_option("--interval", verb.words().interval,
                   "Time from one look to the next; default: 1s");
  verb.Does(Flags::kJob, &ShowTop);
}

}  // namespace vernier
