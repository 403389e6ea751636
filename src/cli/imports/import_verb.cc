#include "cli/imports/import_verb.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/counted_noun.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/invocation.h"
#include "cli/imports/foreign_study.h"
#include "cli/imports/import_plan.h"
#include "cli/imports/import_text.h"
#include "cli/imports/mlflow_runs.h"
#include "cli/imports/optuna_file.h"
#include "cli/imports/optuna_records.h"
#include "cli/imports/optuna_study.h"
#include "cli/imports/ray_folder.h"
#include "cli/imports/study_writer.h"
#include "cli/imports/table_file.h"
#include "cli/text/console.h"
#include "client/client_connection.h"
#include "study/job_id.h"

namespace vernier {
namespace {

/// What every source has.
struct ImportFlags {
  std::string path;
  std::string name;  ///< Of the study here; empty: its own.
  bool is_agreed = false;
};

std::shared_ptr<ImportFlags> DeclareImportFlags(CLI::App& verb,
                                                Invocation& invocation,
                                                const char* source,
                                                const char* what) {
  auto flags = std::make_shared<ImportFlags>();
  verb.add_option(source, flags->path, what)->required();
  verb.add_option("--as", flags->name,
                  "Name of the study here (default: its own)");
  verb.add_flag("-y,--yes", flags->is_agreed,
                "Do it; without, only say what would come");
  invocation.DeclareJobFlags(verb);
  return flags;
}

absl::Status CheckNames(const std::vector<ForeignStudy>& studies,
                        const ImportFlags& flags) {
  if (!flags.name.empty() && studies.size() > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("--as names one study, and there are ", studies.size(),
                     ": choose one with --study NAME"));
  }
  std::set<std::string> names;
  for (const ForeignStudy& study : studies) {
    if (names.insert(StudyNameHere(study.name)).second) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "two studies would be called \"", ShowText(StudyNameHere(study.name)),
        "\" here: import one after the other with --study NAME --as NAME"));
  }
  return absl::OkStatus();
}

absl::Status OnlyHere() {
  return absl::UnauthenticatedError(
      "a service takes imports by its unix socket only: run vernier import on "
      "the machine of the service, as its user, without --endpoint HOST:PORT");
}

// Plans all before anything is written, so that a mistake in the last study
// does not leave the first one there.
absl::StatusOr<std::vector<PlannedImport>> PlanAll(
    const StudyWriter& writer, std::vector<ForeignStudy> studies,
    const ImportFlags& flags) {
  VERNIER_RETURN_IF_ERROR(CheckNames(studies, flags));
  std::vector<PlannedImport> imports;
  const bool is_only = studies.size() == 1;
  for (ForeignStudy& study : studies) {
    if (study.spec.parameters.empty() && !is_only) {
      PrintTo(stderr,
              "vernier: note: study %s is left out: it has no parameter\n",
              ShowText(study.name));
      continue;
    }
    const std::string name =
        flags.name.empty() ? StudyNameHere(study.name) : flags.name;
    const auto present = writer.Read(name);
    if (absl::IsUnauthenticated(present.status())) return OnlyHere();
    VERNIER_RETURN_IF_ERROR(present.status());
    VERNIER_ASSIGN_OR_RETURN(ImportPlan plan,
                             PlanImport(study, name, *present));
    imports.push_back({std::move(study), std::move(plan)});
  }
  return imports;
}

void PrintDetails(const std::vector<PlannedImport>& imports, bool is_table) {
  for (const PlannedImport& one : imports) {
    if (is_table) {
      PrintTo(stdout, "\n%s searches\n%s", one.plan.name,
              SpaceLines(one.plan.spec.parameters));
    }
    for (const std::string& note : one.plan.notes) {
      PrintTo(stderr, "vernier: note: %s: %s\n", one.plan.name, note);
    }
  }
}

absl::Status WriteAll(const StudyWriter& writer,
                      const std::vector<PlannedImport>& imports) {
  for (const PlannedImport& one : imports) {
    VERNIER_RETURN_IF_ERROR(writer.Write(one.plan));
    const std::size_t added = one.plan.to_add.size();
    PrintTo(
        stderr, "Study [%s] has %s.\n", one.plan.name,
        added == 0 ? std::string("nothing new") : Counted(added, "new trial"));
  }
  return absl::OkStatus();
}

absl::StatusOr<int> Import(Invocation& invocation, const ImportFlags& flags,
                           std::vector<ForeignStudy> studies) {
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  const StudyWriter writer(*client,
                           SplitJobId(invocation.WholeJobName("any")).project);
  VERNIER_ASSIGN_OR_RETURN(const std::vector<PlannedImport> imports,
                           PlanAll(writer, std::move(studies), flags));
  if (flags.is_agreed) {
    VERNIER_RETURN_IF_ERROR(WriteAll(writer, imports));
  }
  VERNIER_RETURN_IF_ERROR(invocation.Print(ImportJson(imports, flags.is_agreed),
                                           ImportTable(imports)));
  PrintDetails(imports, invocation.wants_table());
  if (!flags.is_agreed) {
    PrintTo(stderr, "Nothing was written: --yes does it.\n");
  }
  return kExitDone;
}

absl::StatusOr<int> ImportOne(Invocation& invocation, const ImportFlags& flags,
                              ForeignStudy study) {
  std::vector<ForeignStudy> studies;
  studies.push_back(std::move(study));
  return Import(invocation, flags, std::move(studies));
}

// Returns those that the user asks for; all by default.
absl::StatusOr<std::vector<ForeignStudy>> ReadOptuna(
    const std::string& path, const std::vector<std::string>& wanted) {
  VERNIER_ASSIGN_OR_RETURN(const std::vector<OptunaStudy> all,
                           ReadOptunaFile(path));
  std::vector<ForeignStudy> studies;
  std::set<std::string> missing(wanted.begin(), wanted.end());
  for (const OptunaStudy& study : all) {
    const bool is_wanted =
        wanted.empty() ||
        std::find(wanted.begin(), wanted.end(), study.name) != wanted.end();
    if (!is_wanted) continue;
    missing.erase(study.name);
    VERNIER_ASSIGN_OR_RETURN(studies.emplace_back(), FromOptuna(study, path));
  }
  if (!missing.empty()) {
    std::string known;
    for (const OptunaStudy& study : all) {
      if (known.size() > 500) break;
      absl::StrAppend(&known, known.empty() ? "" : ", ", ShowText(study.name));
    }
    return absl::NotFoundError(
        absl::StrCat(path, ": has no study \"", ShowText(*missing.begin()),
                     "\", but ", known.empty() ? "none at all" : known));
  }
  if (studies.empty()) {
    return absl::NotFoundError(absl::StrCat(path, ": has no study"));
  }
  return studies;
}

void DeclareImportOptuna(CLI::App& import, Invocation& invocation) {
  CLI::App* verb = import.add_subcommand(
      "optuna", "Studies of a SQLite file or a journal of Optuna 3 to 5");
  const auto flags = DeclareImportFlags(*verb, invocation, "FILE",
                                        "SQLite file or journal file");
  auto wanted = std::make_shared<std::vector<std::string>>();
  verb->add_option("--study", *wanted,
                   "Only the study of this name; may be repeated")
      ->allow_extra_args(false);
  verb->callback([&invocation, flags, wanted] {
    invocation.set_action(
        [&invocation, flags, wanted]() -> absl::StatusOr<int> {
          VERNIER_ASSIGN_OR_RETURN(std::vector<ForeignStudy> studies,
                                   ReadOptuna(flags->path, *wanted));
          return Import(invocation, *flags, std::move(studies));
        });
  });
}

// Declares what a search needs to know, whatever holds the trials.
void DeclareSearchFlags(CLI::App& verb, TableFlags* flags) {
  verb.add_option("-m,--metric", flags->metrics,
                  "NAME:min or NAME:max: the metric; several are several "
                  "objectives")
      ->allow_extra_args(false);
  verb.add_option("-p,--parameter", flags->parameters,
                  "NAME, or NAME=VALUES as for vernier run: a parameter "
                  "(default: all else)")
      ->allow_extra_args(false);
}

void DeclareTableFlags(CLI::App& verb, TableFlags* flags) {
  DeclareSearchFlags(verb, flags);
  verb.add_option("--id", flags->id,
                  "Column that tells the rows apart (default: their number)");
  verb.add_option("--state", flags->state,
                  "Column of states, such as finished, failed or running");
  verb.add_option("--started", flags->started, "Column of times of start");
  verb.add_option("--ended", flags->ended, "Column of times of end");
}

void DeclareImportCsv(CLI::App& import, Invocation& invocation) {
  CLI::App* verb = import.add_subcommand(
      "csv", "A table with a header and a row for each trial");
  const auto flags = DeclareImportFlags(*verb, invocation, "FILE", "CSV file");
  auto columns = std::make_shared<TableFlags>();
  DeclareTableFlags(*verb, columns.get());
  verb->callback([&invocation, flags, columns] {
    invocation.set_action(
        [&invocation, flags, columns]() -> absl::StatusOr<int> {
          VERNIER_ASSIGN_OR_RETURN(ForeignStudy study,
                                   ReadTableFile(flags->path, *columns));
          return ImportOne(invocation, *flags, std::move(study));
        });
  });
}

void DeclareImportRay(CLI::App& import, Invocation& invocation) {
  CLI::App* verb =
      import.add_subcommand("ray", "The folder of an experiment of Ray Tune");
  const auto flags = DeclareImportFlags(*verb, invocation, "FOLDER",
                                        "Folder of one experiment");
  auto columns = std::make_shared<TableFlags>();
  DeclareSearchFlags(*verb, columns.get());
  verb->callback([&invocation, flags, columns] {
    invocation.set_action(
        [&invocation, flags, columns]() -> absl::StatusOr<int> {
          VERNIER_ASSIGN_OR_RETURN(ForeignStudy study,
                                   ReadRayFolder(flags->path, *columns));
          return ImportOne(invocation, *flags, std::move(study));
        });
  });
}

void DeclareImportMlflow(CLI::App& import, Invocation& invocation) {
  CLI::App* verb = import.add_subcommand(
      "mlflow", "The runs of an experiment of an MLflow server");
  const auto flags = DeclareImportFlags(
      *verb, invocation, "URL", "Server, such as http://127.0.0.1:5000");
  auto columns = std::make_shared<TableFlags>();
  DeclareSearchFlags(*verb, columns.get());
  auto experiment = std::make_shared<std::string>();
  verb->add_option("--experiment", *experiment, "Name of the experiment")
      ->required();
  verb->callback([&invocation, flags, columns, experiment] {
    invocation.set_action(
        [&invocation, flags, columns, experiment]() -> absl::StatusOr<int> {
          VERNIER_ASSIGN_OR_RETURN(
              ForeignStudy study,
              ReadMlflowRuns(CallsOfMlflow(flags->path), flags->path,
                             *experiment, *columns));
          return ImportOne(invocation, *flags, std::move(study));
        });
  });
}

}  // namespace

void DeclareImportVerb(CLI::App& app, Invocation& invocation) {
  CLI::App* import = app.add_subcommand(
      "import", "Bring studies of another tool along, with their trials");
  import->require_subcommand(1);
  DeclareImportOptuna(*import, invocation);
  DeclareImportCsv(*import, invocation);
  DeclareImportRay(*import, invocation);
  DeclareImportMlflow(*import, invocation);
}

}  // namespace vernier
