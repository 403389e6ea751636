#include "cli/imports/table_file.h"

#include <cstddef>
#include <filesystem>
#include <utility>

#include "base/status_macros.h"
#include "cli/imports/csv_table.h"
#include "cli/imports/foreign_file.h"
#include "cli/imports/table_study.h"
#include "cli/submission/study_flags.h"
#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

constexpr std::size_t kLongestTable = std::size_t{256} << 20;
// Stands for the parameters of a study file that has none.
constexpr char kNoParameter[] = "none=0..1";

}  // namespace

// The flags mean what they mean to `vernier run`, so they are read as there.
absl::StatusOr<TableColumns> ColumnsFromFlags(const TableFlags& flags) {
  TableColumns columns;
  StudyFlags study{{}, flags.metrics, std::nullopt, std::nullopt};
  for (const std::string& flag : flags.parameters) {
    const bool has_values = flag.find('=') != std::string::npos;
    (has_values ? study.parameters : columns.inferred).push_back(flag);
  }
  if (flags.metrics.empty()) {
    return absl::InvalidArgumentError(
        "-m NAME:min or NAME:max is missing: which column has the metric?");
  }
  const bool has_given = !study.parameters.empty();
  if (!has_given) study.parameters = {kNoParameter};
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           StudyFileText(study, {"true"}, 1, std::nullopt));
  ParseJobOptions options;
  options.file_name = "the flags";
  options.require_job_id = false;
  VERNIER_ASSIGN_OR_RETURN(const ParsedJob job, ParseJob(text, options));
  StudySpec spec = StudySpecOf(job.spec);
  columns.metrics = std::move(spec.metrics);
  if (has_given) columns.given = std::move(spec.parameters);
  columns.id = flags.id;
  columns.state = flags.state;
  columns.started = flags.started;
  columns.ended = flags.ended;
  return columns;
}

absl::StatusOr<ForeignStudy> ReadTableFile(const std::string& path,
                                           const TableFlags& flags) {
  VERNIER_ASSIGN_OR_RETURN(const TableColumns columns, ColumnsFromFlags(flags));
  VERNIER_ASSIGN_OR_RETURN(const std::string text,
                           ReadForeignFile(path, kLongestTable));
  VERNIER_ASSIGN_OR_RETURN(const CsvTable table, ParseCsv(text, path));
  return StudyFromTable(table, columns, path,
                        std::filesystem::path(path).stem().string());
}

}  // namespace vernier
