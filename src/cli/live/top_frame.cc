#include "cli/live/top_frame.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cli/display/device_text.h"
#include "cli/display/duration_text.h"
#include "cli/display/resource_tables.h"
#include "cli/live/line_parts.h"
#include "cli/text/short_names.h"

namespace vernier {
namespace {

// The frame is put together from sections (service, jobs, trials, devices).
// ShareRows divides the rows of the screen among them, and Append cuts each to
// its share, where the last row says how many lines are missing.

using Line = std::vector<Span>;

constexpr std::size_t kBar = 10;
constexpr std::size_t kChart = 12;
constexpr std::size_t kLeastOfNote = 12;
constexpr std::size_t kNarrowestName = 12;

/// Lines that may be cut; those of the head are cut last.
struct Section {
  std::vector<Line> head;
  std::vector<Line> lines;
  std::size_t focus = 0;  // A line that is to stay in sight.

  std::size_t size() const { return head.size() + lines.size(); }
};

const std::string& NameOf(const TopJob& job) {
  return job.shown_id.empty() ? job.id : job.shown_id;
}

std::string DurationText(std::optional<std::chrono::seconds> duration,
                         const char* before) {
  return duration.has_value() ? absl::StrCat(before, FormatDuration(*duration))
                              : "";
}

std::optional<std::chrono::seconds> AgeOf(const TopJob& job, Timestamp now) {
  if (!job.started_at.has_value()) return std::nullopt;
  return std::max(std::chrono::duration_cast<std::chrono::seconds>(
                      job.ended_at.value_or(now) - *job.started_at),
                  std::chrono::seconds(0));
}

Line HeadLine(const TopData& data, std::size_t columns) {
  std::int64_t running = 0;
  for (const TopJob& job : data.jobs) running += job.running;
  const auto held = std::count_if(
      data.devices.begin(), data.devices.end(),
      [](const TopDevice& device) { return !device.holder.empty(); });
  const std::string gpus =
      data.devices.empty()
          ? ""
          : absl::StrCat(held, " of ", data.devices.size(), " GPUs held");
  return FitParts(
      {{{absl::StrCat(data.open_jobs,
                      data.open_jobs == 1 ? " open job" : " open jobs"),
         Colour::kBold},
        0},
       {{absl::StrCat(running, running == 1 ? " trial runs" : " trials run")},
        1},
       {{gpus}, 2},
       {{Printable(data.http_url, LineBreaks::kToBlanks)}, 4},
       {{absl::StrCat("vernier ", data.version)}, 3}},
      columns);
}

/// Returns the columns of the table of jobs. At 40 columns the first two and a
/// few others fit, at 200 all do.
std::vector<LiveColumn> JobColumns(const TopData& data,
                                   std::optional<std::size_t> chosen,
                                   Timestamp now, const DisplayArea& area) {
  LiveColumn name{chosen.has_value() ? "  JOB" : "JOB", 0, false, 0, {}};
  LiveColumn state{"STATE", 1, false, 0, {}};
  LiveColumn bar{"PROGRESS", 7, false, 0, {}};
  LiveColumn trials{"TRIALS", 0, true, 0, {}};
  LiveColumn running{"RUN", 4, true, 0, {}};
  LiveColumn failed{"FAIL", 3, true, 0, {}};
  LiveColumn best{"BEST", 2, true, 0, {}};
  LiveColumn trend{"BEST_SO_FAR", 6, false, 0, {}};
  LiveColumn left{"LEFT", 5, true, 0, {}};
  LiveColumn time{"TIME", 8, true, 0, {}};
  LiveColumn note{"NOTE", 9, false, kLeastOfNote, {}};
  const std::size_t widest = std::max(kNarrowestName, area.columns / 4);
  std::vector<std::string> ids;
  for (const TopJob& job : data.jobs) ids.push_back(NameOf(job));
  ids = ShortNames(ids, widest);
  for (std::size_t i = 0; i < data.jobs.size(); ++i) {
    const TopJob& job = data.jobs[i];
    const bool is_chosen = chosen == i;
    const std::string mark = !chosen.has_value() ? "" : is_chosen ? "> " : "  ";
    name.cells.push_back(
        {mark + ids[i], is_chosen ? Colour::kBold : Colour::kNone});
    state.cells.push_back({job.state, ColourOfState(job.state)});
    bar.cells.push_back({job.max_trials > 0
                             ? ProgressBar(job.ended, job.max_trials, kBar)
                             : ""});
    trials.cells.push_back({job.max_trials > 0
                                ? absl::StrCat(job.ended, "/", job.max_trials)
                                : absl::StrCat(job.ended)});
    running.cells.push_back({absl::StrCat(job.running)});
    failed.cells.push_back(
        {job.failed > 0 ? absl::StrCat(job.failed) : "", Colour::kRed});
    best.cells.push_back(
        {job.results.best ? ShortNumber(*job.results.best) : "",
         Colour::kBold});
    const std::vector<double> bests = job.results.history.Sample(kChart);
    trend.cells.push_back(
        {bests.size() > 1 ? Sparkline(bests, area.glyphs) : "", Colour::kCyan});
    left.cells.push_back({DurationText(job.time_left, "~")});
    time.cells.push_back({DurationText(AgeOf(job, now), "")});
    note.cells.push_back({Printable(job.note, LineBreaks::kToBlanks)});
  }
  return {name, state, bar,  trials, running, failed,
          best, trend, left, time,   note};
}

Section JobSection(const TopData& data, std::optional<std::size_t> chosen,
                   Timestamp now, const DisplayArea& area) {
  Section section;
  section.head.push_back({});
  if (data.jobs.empty()) {
    section.head.push_back({{"There are no jobs."}});
    return section;
  }
  std::vector<Line> lines =
      FitColumns(JobColumns(data, chosen, now, area), area.columns);
  section.head.push_back(std::move(lines.front()));
  section.lines.assign(lines.begin() + 1, lines.end());
  section.focus = chosen.value_or(0);
  return section;
}

/// `note` says why the job makes no progress; or is empty.
Section TrialSection(const TopJob& job, const std::string& note) {
  Section section;
  if (job.trials.empty() && job.results.failure.empty() && note.empty()) {
    return section;
  }
  std::string title = absl::StrCat("Trials of ", NameOf(job));
  if (job.results.best.has_value()) {
    absl::StrAppend(&title, "; best: ", ShortNumber(*job.results.best),
                    " of trial ", job.results.best_trial);
  }
  section.head = {{}, {{std::move(title), Colour::kBold}}};
  if (!note.empty()) section.lines.push_back({{"  " + note}});
  if (!job.results.failure.empty()) {
    section.lines.push_back(
        {{"  last failure", Colour::kRed}, {"  " + job.results.failure}});
  }
  for (const LiveTrial& trial : job.trials) {
    Line line = LineOf(trial);
    line.insert(line.begin(), {"  "});
    section.lines.push_back(std::move(line));
  }
  const auto shown = static_cast<std::int64_t>(job.trials.size());
  if (job.open > shown) {
    section.lines.push_back(
        {{absl::StrCat("  and ", job.open - shown, " more")}});
  }
  return section;
}

Section DeviceSection(const TopData& data, const DisplayArea& area) {
  Section section;
  if (data.devices.empty()) return section;
  LiveColumn number{"GPU", 0, true, 0, {}};
  LiveColumn model{"MODEL", 3, false, 0, {}};
  LiveColumn memory{"MEMORY", 4, true, 0, {}};
  LiveColumn holder{"HELD_BY", 1, false, 0, {}};
  LiveColumn condition{"CONDITION", 2, false, kLeastOfNote, {}};
  std::vector<std::string> holders;
  for (const TopDevice& device : data.devices) holders.push_back(device.holder);
  holders = ShortNames(holders, std::max(kNarrowestName, area.columns / 2));
  for (std::size_t i = 0; i < data.devices.size(); ++i) {
    const TopDevice& device = data.devices[i];
    number.cells.push_back({absl::StrCat(i)});
    model.cells.push_back({Printable(device.model, LineBreaks::kToBlanks)});
    memory.cells.push_back({device.memory});
    holder.cells.push_back(
        {device.holder.empty() ? "free" : holders[i],
         device.holder.empty() ? Colour::kNone : Colour::kCyan});
    const Colour colour = device.is_sick           ? Colour::kRed
                          : device.trouble.empty() ? Colour::kNone
                                                   : Colour::kYellow;
    condition.cells.push_back(
        {Printable(ConditionText(device.trouble, device.is_sick),
                   LineBreaks::kToBlanks),
         colour});
  }
  std::vector<Line> lines =
      FitColumns({number, model, memory, holder, condition}, area.columns);
  section.head = {{}, lines.front()};
  section.lines.assign(lines.begin() + 1, lines.end());
  return section;
}

/// Appends the lines of a section that fit into `rows`.
void Append(const Section& section, std::size_t rows,
            std::vector<Line>* lines) {
  if (section.size() == 0 || rows < section.head.size()) return;
  lines->insert(lines->end(), section.head.begin(), section.head.end());
  const std::size_t room = rows - section.head.size();
  if (section.lines.size() <= room) {
    lines->insert(lines->end(), section.lines.begin(), section.lines.end());
    return;
  }
  if (room == 0) return;
  // The last row says how many are not shown.
  const std::size_t shown = room - 1;
  const std::size_t first =
      section.focus < shown ? 0 : section.focus + 1 - shown;
  for (std::size_t i = 0; i < shown; ++i) {
    lines->push_back(section.lines[first + i]);
  }
  lines->push_back(
      {{absl::StrCat("  and ", section.lines.size() - shown, " more")}});
}

}  // namespace

std::vector<std::size_t> ShareRows(const std::vector<std::size_t>& needs,
                                   std::size_t room) {
  std::vector<std::size_t> shares(needs.size(), 0);
  for (bool gave = true; gave && room > 0;) {
    gave = false;
    for (std::size_t i = 0; i < needs.size() && room > 0; ++i) {
      if (shares[i] == needs[i]) continue;
      ++shares[i];
      --room;
      gave = true;
    }
  }
  return shares;
}

std::vector<std::string> TopFrame(const TopData& data,
                                  std::optional<std::size_t> chosen,
                                  Timestamp now, const DisplayArea& area) {
  std::vector<Line> lines = {HeadLine(data, area.columns)};
  if (!data.trouble.empty()) lines.push_back({{data.trouble, Colour::kRed}});
  std::vector<Section> sections = {JobSection(data, chosen, now, area)};
  for (std::size_t i = 0; i < data.jobs.size(); ++i) {
    if (chosen.has_value() ? chosen == i : !data.jobs[i].is_final) {
      // A narrow table of jobs has no room for their notes.
      const bool stands_still = chosen.has_value() && data.jobs[i].running == 0;
      sections.push_back(
          TrialSection(data.jobs[i], stands_still ? data.jobs[i].note : ""));
    }
  }
  sections.push_back(DeviceSection(data, area));
  std::vector<std::size_t> needs;
  needs.reserve(sections.size());
  for (const Section& section : sections) needs.push_back(section.size());
  const std::size_t footer = chosen.has_value() ? 2 : 0;
  const std::size_t used = lines.size() + footer;
  const std::vector<std::size_t> shares =
      ShareRows(needs, area.rows > used ? area.rows - used : 0);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    Append(sections[i], shares[i], &lines);
  }
  if (chosen.has_value()) {
    lines.push_back({});
    lines.push_back({{"q: quit  up, down: another job's trials"}});
  }
  if (lines.size() > area.rows) {
    lines.resize(std::max<std::size_t>(area.rows, 1));
  }
  std::vector<std::string> texts;
  texts.reserve(lines.size());
  for (const Line& line : lines) {
    texts.push_back(RenderLine(line, area.columns, area.palette));
  }
  return texts;
}

}  // namespace vernier
