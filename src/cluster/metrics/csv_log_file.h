#ifndef VERNIER_CLUSTER_METRICS_CSV_LOG_FILE_H_
#define VERNIER_CLUSTER_METRICS_CSV_LOG_FILE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/metrics/files/growing_file.h"

namespace vernier {

/// Returns whether a file of this name (without folders) may be a log: "*.csv".
bool IsCsvLogName(std::string_view name);

/// Reads a table to which a training program adds a row for each step, as
/// Keras' CSVLogger and Lightning's do. The first row names the columns, which
/// commas separate, or semicolons or tabs if the names have no comma. A table
/// is a log only if its first column is "epoch", behind a column without a name
/// for pandas' index, or if the file's name is Lightning's "metrics.csv" and a
/// column is "step" or "epoch"; the first of these two that there is gives the
/// rows' steps. Nothing of another table is read, since programs write tables
/// of all kinds. A later row that names columns, as a program that appends to
/// the table of an earlier run writes it, names those of the rows behind it.
///
/// A cell may have any PrintedValue. One that is empty or says that there is no
/// number is passed over; other texts, too. A text is reported once for each
/// column if that had a number before or if it may be one ("0,5"). So is a
/// value with another unit than the column's first, and a column whose name
/// another one has: the first counts. A row whose step is no number, or that
/// has too many cells, is passed over; the first of the latter is reported.
/// Rows of the training data ("train" in a cell) count until there are others,
/// and those of the test data until there are any for validation. From the
/// first fraction of an epoch on, rows stand one behind the other.
///
/// The time of a row is PlaceTime of its number, so that a writer that begins
/// its file again, because a column was added (Lightning), repeats its rows and
/// adds nothing. See Succeed for one that writes other rows then.
class CsvLogReader final : public GrowingFileReader {
 public:
  /// `name` is the file's, without folders.
  explicit CsvLogReader(std::string_view name)
      : is_lightnings_(name == "metrics.csv") {}

  std::uint64_t offset() const override { return offset_; }
  std::size_t read_size() const override { return std::size_t{1} << 20; }
  GrowingFileReading Read(std::string_view bytes) override;
  GrowingFileReading ReadLast(std::string_view bytes) override;
  /// A table that is no log cannot be read, but is not damaged.
  bool is_damaged() const override { return false; }
  std::string_view head() const override { return head_; }
  std::string_view tail() const override { return tail_; }
  std::string LaterMiss(const std::string& metric) const override;
  /// The rows that differ from those of before, and all behind them, are later
  /// than all of before.
  void Succeed(const GrowingFileReader& before) override;
  /// Rows that begin before `end` are counted and give no measurements: another
  /// trial wrote them.
  void PassOver(std::uint64_t end) override { passed_end_ = end; }

 private:
  // In the order in which rows count: those of a lesser part do not where there
  // were some of a greater one.
  enum class Part { kTraining, kTest, kValidation };

  struct SeenRow {
    std::uint64_t digest = 0;
    std::uint64_t place = 0;
  };

  struct Column {
    std::string name;
    std::string unit;          // Of its first value.
    bool is_repeated = false;  // An earlier one has the name.
    bool has_values = false;
    bool is_reported = false;  // A cell that cannot be read.
    std::string later_miss;    // Why one behind the last value cannot be.
  };

  bool TakeHead(const std::vector<std::string>& names,
                GrowingFileReading& reading);
  void TakeFirstLine(std::string_view line, GrowingFileReading& reading);
  void TakeRow(std::string_view line, GrowingFileReading& reading);
  void TakeCell(std::size_t column, const std::string& cell, std::int64_t step,
                GrowingFileReading& reading);
  void NameMiss(Column& column, const std::string& cell, const std::string& why,
                GrowingFileReading& reading) const;
  std::optional<std::int64_t> StepOf(const std::string& cell);
  bool IsOfLesserPart(const std::vector<std::string>& cells);
  void CountRow(const std::vector<std::string>& cells);
  void Advance(std::string_view taken);

  const bool is_lightnings_;
  std::uint64_t offset_ = 0;
  std::uint64_t passed_end_ = 0;
  std::uint64_t rows_ = 0;
  std::string head_;  // The first line, with its end.
  std::string tail_;  // The last bytes before the offset.
  bool is_log_ = true;
  bool is_in_long_line_ = false;
  char comma_ = ',';
  std::vector<Column> columns_;
  std::size_t step_column_ = 0;
  std::int64_t last_step_ = 0;
  bool has_fractions_ = false;  // Rows are counted.
  bool has_wide_row_ = false;   // One with too many cells.
  std::optional<Part> best_part_;
  std::uint64_t place_ = 0;       // The last row's, for its time.
  std::uint64_t next_place_ = 1;  // Behind all rows, those of before included.
  std::vector<SeenRow> seen_;     // The first rows.
  std::vector<SeenRow> former_;   // Likewise, of before.
  bool is_as_before_ = true;      // So far, all rows are those of before.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_CSV_LOG_FILE_H_
