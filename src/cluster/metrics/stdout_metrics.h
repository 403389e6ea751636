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
#include "cluster/metrics/printed_table.h"
#include "cluster/metrics/step_mark.h"
#include "cluster/metrics/step_scale.h"
#include "study/metrics/metric_pattern.h"

namespace vernier {

/// Longest line of output that is looked at; of longer ones the beginning is.
inline constexpr std::size_t kMaxStdoutLine = 262144;
/// As much of a line patterns look at, which may be slow.
inline constexpr std::size_t kMaxPatternLine = 16384;

/// What is looked for in the output. Both are: whoever wants only the patterns
/// gives no metrics.
struct StdoutRules {
  /// Names that count as FindPrintedMetric says; also in other letter case, as
  /// "Loss: 0.5", and with blanks for underscores, as "val acc: 0.5" for
  /// val_acc, until one is printed as it is here.
  std::vector<std::string> metrics;
  std::vector<MetricPattern> patterns;
};

/// Names besides the metrics that are remembered of a program.
inline constexpr std::size_t kMaxOtherNames = 20;

/// Finds metrics in the lines that a program prints, while they come: `name=1`,
/// tables (PrintedTable), and what the patterns say. Colours are not seen, and
/// of a line that was printed over with carriage returns, as progress bars are,
/// only the last state that shows anything counts (the last with a metric's
/// name, if there is one), and the last of each epoch that it says. Where in
/// training a value is, its pattern says, else FindPrintedMark or the table;
/// StepScale makes a step of it. A line has no time: a value's time is
/// PlaceTime of its line's offset, by which the values of a step are told apart
/// and ordered.
///
/// The last mention of a metric decides: where it has no number that can be
/// read, the value before it stays, and Misses() and LaterMisses() say so; a
/// value may stand alone on the line behind its name. One in another unit than
/// the first, and one behind a word that others had not ("cat accuracy", after
/// "accuracy"), are such mentions, too; of values with and without "%" all
/// count as the first does. What FindPrintedMetric
/// takes for another quantity ("best loss") counts at the end, if there was
/// nothing else.
///
/// Depends on the bytes alone and not on how they are cut. Keeps at most two
/// lines. Thread-compatible.
class StdoutMetricReader {
 public:
  /// `rules` must outlive the reader. Once `stop` is asked for, nothing more is
  /// found, and what the reader gives is of no use.
  explicit StdoutMetricReader(const StdoutRules& rules,
                              std::stop_token stop = {});

  /// Where in the output the next bytes are to be read.
  std::uint64_t offset() const { return offset_; }

  /// Takes the bytes that the output has from offset() on, as many as one
  /// likes.
  FileReading Read(std::string_view bytes, LastLine last_line);

  /// What lies before `offset`, which must not be below offset(), is lost: so
  /// is the line in which the output goes on.
  void SkipTo(std::uint64_t offset);

  /// For each metric of the rules where its name was printed without a value
  /// that could be read, and why: of one that has values the first line of each
  /// kind of reason, else the last line, also of prose.
  std::vector<std::string> Misses() const;

  /// The mention of each metric that came after its last value and could not be
  /// read.
  std::map<std::string, std::string> LaterMisses() const;

  /// Other names that the same output printed in the form `name=1`, the first
  /// kMaxOtherNames of them with their last values; empty if there are
  /// patterns.
  std::vector<Measurement> Others() const;

 private:
  // A metric's name in small letters, and with blanks for its underscores.
  struct Names {
    std::string lower;
    std::string spoken;
  };
  // Where a metric's name was printed without a value.
  struct MissList {
    std::vector<std::pair<NoValue, std::string>> kinds;  // The first of each.
    std::string later;  // The last behind the last value.
  };
  // A value of what may be another quantity, until the end.
  struct Held {
    StepMark mark;
    std::uint64_t place = 0;
    double value = 0;
  };
  // A line that ends behind a metric's name and sign.
  struct Open {
    StepMark mark;
    std::string miss;  // If the next line does not have the value.
  };
  // What was printed of a metric of the rules.
  struct Printed {
    bool is_any = false;
    bool is_in_its_case = false;
    std::optional<std::string> unit;  // Of the first value.
    double last = 0;                  // The last value.
    bool is_mixed = false;            // With and without "%".
    bool is_plain = false;            // Some had no word before the name.
    std::set<std::string> before;     // Words that stood there until then.
    std::string miss;                 // Until there is any.
    std::vector<Held> held;
    std::optional<Open> open;
  };
  // A line that ended, or a state of it.
  struct Line {
    std::string_view text;
    std::optional<StepMark> mark;                // Found out when it is needed.
    std::map<std::string, std::uint64_t> taken;  // Values, by metric.
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
  void TakeMiss(Line& line, std::size_t metric, const PrintedMetric& found);
  void Hold(Line& line, double value, Printed& printed);
  void End(FileReading& reading);
  bool IsNewMiss(const std::string& metric, NoValue why, std::string text);
  bool MayHaveMetric(std::string_view text) const;
  bool IsOtherWord(const std::string& word, Printed& printed);
  void CheckUnit(const std::string& metric, PrintedMetric& found,
                 Printed& printed, FileReading& reading);
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
  std::vector<Names> names_;                 // Of the rules' metrics.
  std::vector<Printed> printed_;             // Likewise.
  std::map<std::string, StepScale> scales_;  // By metric.
  std::map<std::string, MissList> misses_;   // Likewise.
  std::string long_line_;                    // The first that was cut.
  std::vector<Measurement> others_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_STDOUT_METRICS_H_
