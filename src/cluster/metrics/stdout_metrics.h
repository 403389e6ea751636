#ifndef VERNIER_CLUSTER_METRICS_STDOUT_METRICS_H_
#define VERNIER_CLUSTER_METRICS_STDOUT_METRICS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/metrics/files/file_reading.h"
#include "cluster/metrics/printed_metrics.h"
#include "cluster/metrics/printed_section.h"
#include "cluster/metrics/printed_table.h"
#include "cluster/metrics/step_mark.h"
#include "cluster/metrics/step_scale.h"
#include "study/metrics/metric_pattern.h"

namespace vernier {

/// The longest line of output that is scanned, in bytes; of longer ones only
/// the beginning is.
inline constexpr std::size_t kMaxStdoutLine = 262144;
/// The part of a line that patterns are applied to, in bytes; patterns may be
/// slow.
inline constexpr std::size_t kMaxPatternLine = 16384;

/// Defines what the reader extracts. Metrics and patterns are both looked for,
/// so a caller that wants only the patterns leaves `metrics` empty.
struct StdoutRules {
  /// Names as FindPrintedMetric takes them. Other letter case ("Loss: 0.5") and
  /// blanks for underscores ("val acc: 0.5" for val_acc) are accepted, too,
  /// until a name is printed exactly as it is given here.
  std::vector<std::string> metrics;
  std::vector<MetricPattern> patterns;
};

/// The number of names besides the metrics that are remembered of a program.
inline constexpr std::size_t kMaxOtherNames = 20;

/// Finds metrics in the lines that a program prints, as they come: `name=1`,
/// tables (PrintedTable), and matches of the patterns. Escape sequences such as
/// colours are ignored. Of a line that was printed over with carriage returns,
/// as progress bars are, only the last state that shows anything counts (the
/// last one with a metric's name, if there is one), and the last state of each
/// epoch that it states. A value's position in training comes from its pattern,
/// else from FindPrintedMark or the table; StepScale turns it into a step.
/// Lines have no time: a value's time is PlaceTime of its line's offset, which
/// orders the values of a step and tells them apart.
///
/// The last mention of a metric decides. If it has no readable number, the
/// value before it stays, and Misses() and LaterMisses() report it; the value
/// may also be alone on the line after its name. A value in another unit than
/// the first one, and one behind a word that earlier ones did not have ("cat
/// accuracy", after "accuracy"), are misses, too. Values with and without "%"
/// are converted to the form of the first one. What FindPrintedMetric
/// classifies as another quantity ("best loss") counts at the end, if there was
/// nothing else. Values of the training data count until there is another.
///
/// The result depends on the bytes alone and not on how they are cut into
/// calls. Keeps at most two lines. Thread-compatible.
class StdoutMetricReader {
 public:
  /// `rules` must outlive the reader. Once a stop is requested through `stop`,
  /// nothing more is found, and the reader's results must not be used.
  explicit StdoutMetricReader(const StdoutRules& rules,
                              std::stop_token stop = {});

  /// Returns the offset in the output from which to read the next bytes.
  std::uint64_t offset() const { return offset_; }

  /// Takes any number of the bytes that the output has from offset() on.
  FileReading Read(std::string_view bytes, LastLine last_line);

  /// Skips the bytes before `offset`, which are lost, and the rest of the line
  /// that lies there. Does nothing if `offset` is not beyond offset().
  void SkipTo(std::uint64_t offset);

  /// Returns, for each metric of the rules, the lines that name it without a
  /// readable value, and why. For a metric with values these are the first line
  /// of each kind of reason; else only the last such line, which may also be
  /// prose.
  std::vector<std::string> Misses() const;

  /// Returns, by metric, the mention that came after its last value and could
  /// not be read.
  std::map<std::string, std::string> LaterMisses() const;

  /// Returns other names that the same output printed in the form `name=1`: the
  /// first kMaxOtherNames of them with their last values. Empty once every
  /// metric of the rules has a value.
  std::vector<Measurement> Others() const;

 private:
  // A metric's name in lower case, and the same with blanks for underscores.
  struct Names {
    std::string lower;
    std::string spoken;
  };
  // The mentions of one metric without a readable value.
  struct MissList {
    std::vector<std::pair<NoValue, std::string>> kinds;  // The first of each.
    std::string later;  // The last behind the last value.
  };
  // A value that may be of another quantity, held until the end.
  struct Held {
    StepMark mark;
    std::uint64_t place = 0;
    double value = 0;
  };
  // A line that ends behind a metric's name and sign; the next line may have
  // the value.
  struct Open {
    StepMark mark;
    std::string miss;  // If the next line does not have the value.
    bool is_prose = false;
  };
  // The state of one metric of the rules.
  struct Printed {
    bool is_any = false;
    bool is_in_its_case = false;
    std::optional<std::string> unit;  // Of the first value.
    double last = 0;                  // The last value.
    bool is_mixed = false;            // With and without "%".
    bool is_plain = false;            // Some had no word before the name.
    bool is_measured = false;         // Some were not of the training data.
    int trainings = 0;                // Of the training data since the last.
    bool is_beside = false;           // Another number stood behind one.
    bool has_words = false;           // Different ones before the name: said.
    std::set<std::string> before;     // Words that stood there until then.
    std::string miss;                 // Until there is any.
    std::vector<Held> held;
    std::optional<Open> open;
    std::string heading;         // The miss if no row follows the last table's.
    std::optional<Held> second;  // The value of a line that begins with "1: ".
  };
  // A line that ended, or one state of it.
  struct Line {
    std::string_view text;
    std::optional<StepMark> mark;                // Found out when it is needed.
    std::map<std::string, std::uint64_t> taken;  // Values, by metric.
    SectionKind section = SectionKind::kMeasured;
    bool is_of_other_process = false;
    bool is_of_training_logger = false;
    bool is_numbered = false;  // It begins with a number and a colon.
    bool is_second = false;    // It begins with "1: ", after one with "0: ".
  };

  void Append(std::string_view text);
  void EndState(FileReading& reading);
  void EndLine(FileReading& reading);
  void ForgetStates();
  void TakeLine(std::string_view text, FileReading& reading);
  void TakeMetrics(Line& line, FileReading& reading);
  void TakeMatches(const MetricPattern& pattern, Line& line,
                   FileReading& reading);
  void Add(Line& line, std::string_view metric, const StepMark& mark,
           double value, FileReading& reading);
  void AddAt(const std::string& metric, const StepMark& mark,
             std::uint64_t place, double value, FileReading& reading);
  PrintedMetric FindMetric(std::string_view line, std::size_t metric);
  void TakeMetric(Line& line, std::size_t metric, const PrintedTable::Row& row,
                  FileReading& reading);
  void TakeCells(Line& line, std::size_t metric, const PrintedTable::Row& row,
                 PrintedMetric& found, std::optional<StepMark>& mark);
  void Close(std::size_t metric, const Open& open);
  std::string MissText(std::size_t metric, NoValue why, std::string_view text,
                       std::string_view line) const;
  void NoteHeading(Line& line, std::size_t metric);
  void CloseHeading(std::size_t metric);
  void TakeMiss(Line& line, std::size_t metric, const PrintedMetric& found);
  void Hold(Line& line, double value, Printed& printed);
  void NoteWords(const std::string& metric, Printed& printed,
                 FileReading& reading);
  void NoteBeside(const std::string& metric, const std::string& beside,
                  Printed& printed, FileReading& reading);
  void End(FileReading& reading);
  bool IsNewMiss(const std::string& metric, NoValue why, std::string text);
  bool MayHaveMetric(std::string_view text) const;
  bool IsOtherWord(const std::string& word, Printed& printed);
  void CheckUnit(const std::string& metric, PrintedMetric& found,
                 Printed& printed, FileReading& reading);
  void NoteProcess(Line& line, FileReading& reading);
  void TakeSeconds(FileReading& reading);
  bool IsAsked(const std::string& name) const;
  bool LacksAny() const;
  void RememberOthers(Line& line);
  std::string Where() const;

  const StdoutRules& rules_;
  std::stop_token stop_;
  std::uint64_t offset_ = 0;
  std::uint64_t line_begin_ = 0;   // Of the line, or of an epoch's part of it.
  std::uint64_t state_begin_ = 0;  // Of state_.
  std::int64_t lines_ = 0;         // That have ended.
  std::string state_;              // Of the line since the last return.
  std::string last_state_;        // The last before that which showed anything.
  bool last_has_metric_ = false;  // It may have a metric's name.
  std::string named_state_;   // The last with a metric's name, if none counted.
  bool says_metric_ = false;  // A part of the line counted that has a name.
  std::optional<double> last_epoch_;  // That the states have said.
  bool is_cut_ = false;               // state_ is not all of it.
  bool is_skipping_ = false;          // The line's begin is lost.
  PrintedTable table_;
  PrintedSection section_;
  bool has_data_logger_ = false;  // One is named for data such as "valid".
  // Of lines that begin with "0: ", "1: " and so on.
  int numbered_ = 0;  // How many there were.
  std::int64_t last_number_ = 0;
  bool numbers_processes_ = false;  // A number came again.
  bool numbers_heading_ = false;    // That of the last table has one, too.
  std::vector<Names> names_;        // Of the rules' metrics.
  std::vector<Printed> printed_;    // Likewise.
  std::map<std::string, StepScale> scales_;  // By metric.
  std::map<std::string, MissList> misses_;   // Likewise.
  std::string long_line_;                    // The first that was cut.
  std::vector<Measurement> others_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_STDOUT_METRICS_H_
