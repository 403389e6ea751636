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
/// is a log only if its first column is "epoch", or if the file's name is
/// Lightning's "metrics.csv" and a column is "step" or "epoch"; the first of
/// these two that there is gives the rows' steps. Nothing of another table is
/// read, since programs write tables of all kinds.
///
/// A cell may have any PrintedValue. One that is empty or says that there is no
/// number is passed over; other texts, too, and are reported once for each
/// column that had a number before. A row whose step is no number, or that has
/// too many cells, is passed over. From the first fraction of an epoch on, rows
/// stand one behind the other. The time of a row is PlaceTime of its number, so
/// that a writer that begins its file again, because a column was added
/// (Lightning), repeats its rows and adds nothing.
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

 private:
  void TakeHead(std::string_view line);
  void TakeRow(std::string_view line, GrowingFileReading& reading);
  void TakeCell(std::size_t column, const std::string& cell, std::int64_t step,
                GrowingFileReading& reading);
  std::optional<std::int64_t> StepOf(const std::string& cell);
  bool IsOfTraining(const std::vector<std::string>& cells);

  const bool is_lightnings_;
  std::uint64_t offset_ = 0;
  std::uint64_t rows_ = 0;
  std::string head_;  // The first line, with its end.
  bool is_log_ = true;
  bool is_in_long_line_ = false;
  char comma_ = ',';
  struct Column {
    std::string name;
    bool has_values = false;
    bool is_reported = false;  // A text behind its values.
  };

  std::vector<Column> columns_;
  std::size_t step_column_ = 0;
  std::int64_t last_step_ = 0;
  bool has_fractions_ = false;      // Rows are counted.
  bool has_measured_rows_ = false;  // A cell of one says "val" or the like.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_CSV_LOG_FILE_H_
