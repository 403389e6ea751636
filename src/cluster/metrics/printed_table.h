#ifndef VERNIER_CLUSTER_METRICS_PRINTED_TABLE_H_
#define VERNIER_CLUSTER_METRICS_PRINTED_TABLE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/metrics/step_mark.h"

namespace vernier {

/// Reads the tables that programs print, row by row:
///
///   epoch     train_loss  valid_loss  time         | val_acc | 0.71 |
///   0         0.9234      0.8123      00:12
///
/// A table has a line of names, one of which is a metric, and then rows of as
/// many cells; or it has rows of a name and its value. Cells stand apart by
/// "|", tabs, or two or more blanks; in lines without these by commas or
/// semicolons, if there are no blanks, else by single blanks. Under names that
/// are indented, rows may have one cell more at their beginning, if the others
/// stand below their names.
/// Under a name that ends with "/" and has no value, as stable-baselines3
/// prints it, the names of the rows may have it before them:
/// "rollout/ep_rew_mean".
///
/// A row begins with a number or with a name, as the first one does, so that
/// rows of another table are none. Behind a row of "all", "total" or a mean,
/// those of parts are none. Names between single blanks are those of a
/// table only if one is a word for steps, if all are metrics, or if a row of
/// numbers follows at once. A table ends where another begins.
/// Thread-compatible.
class PrintedTable {
 public:
  /// One value of a row.
  struct Cell {
    std::size_t metric = 0;       ///< Its number in `metrics`.
    std::optional<double> value;  ///< nullopt: `text` is none.
    std::string_view text;        ///< Of the line.
  };
  struct Row {
    std::vector<Cell> cells;
    std::vector<std::size_t> named;  ///< Metrics whose table begins here.
    StepMark mark;             ///< What a column of epochs, steps, ... says.
    bool is_training = false;  ///< A cell says that it is of the training data.
    bool is_of_part = false;   ///< It is that of one class, of several.
  };

  /// Returns whether the next line belongs to a table, or may begin one, even
  /// if it has no metric's name. Pure.
  bool MayTake(std::string_view line) const;

  /// Takes the next line. `metrics` must be the same at every call.
  Row Take(std::string_view line, const std::vector<std::string>& metrics);

 private:
  // A column of the table: either a metric's, or one of `unit`.
  struct Column {
    std::optional<std::size_t> metric;
    std::optional<StepUnit> unit;
    std::size_t begin = 0;  // Of the name in its line.
    std::size_t end = 0;
  };

  static std::vector<Column> ColumnsOf(
      std::string_view line, const std::vector<std::string_view>& cells,
      const std::vector<std::string>& metrics);
  bool Begin(std::string_view line, std::vector<Column> columns, bool is_apart);
  void TakeRow(const std::vector<std::string_view>& cells, Row& row) const;
  bool TakePair(const std::vector<std::string_view>& cells,
                const std::vector<std::string>& metrics, Row& row) const;
  bool EndsTable(std::string_view line);
  bool FillGaps(std::string_view line,
                std::vector<std::string_view>& cells) const;
  bool IsBelow(std::string_view line, std::size_t column,
               std::string_view cell) const;
  bool SplitNarrow(std::string_view line,
                   std::vector<std::string_view>& cells) const;
  bool Align(std::string_view line, std::vector<std::string_view>& cells) const;
  bool IsRow(std::string_view line, std::vector<std::string_view>& cells,
             bool is_apart);

  std::vector<Column> columns_;
  std::string group_;              // Before the names of rows: "rollout/".
  bool is_indented_ = false;       // The line of names.
  bool is_drawn_ = false;          // The names stand between bars.
  bool has_single_words_ = false;  // No name has a blank.
  bool is_doubtful_ = false;       // A row must follow at once.
  bool may_end_ = false;           // A blank line stood behind the last row.
  bool names_parts_ = false;       // The first column has names of classes.
  // Of the rows; unset: not known yet.
  std::optional<bool> has_index_;
  std::optional<bool> begins_with_names_;
  bool has_row_of_all_ = false;  // A row was of "all", "total" or the like.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_PRINTED_TABLE_H_
