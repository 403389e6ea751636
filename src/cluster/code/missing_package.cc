#include "cluster/code/missing_package.h"

#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

// Names that programs import from this project's package; the other project's
// package has none of them.
constexpr std::string_view kNames[] = {
    "Categorical",  "Discrete",     "Float",      "Int",    "TrialPruned",
    "TrialStopped", "create_study", "load_study", "report", "run",
    "should_stop",  "submit",       "trial",
};

constexpr char kImport[] =
    "Vernier's Python package is imported as vernier_hpo (import vernier_hpo "
    "as vn)";

bool IsOfName(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' ||
         c == '.';
}

// Returns whether the log says "No module named 'NAME'", or the same without
// the quotes, as for `python -m NAME`.
bool Misses(std::string_view log, std::string_view name) {
  constexpr std::string_view kWords = "No module named ";
  for (std::size_t at = log.find(kWords); at != std::string_view::npos;
       at = log.find(kWords, at + 1)) {
    std::string_view rest = log.substr(at + kWords.size());
    if (!rest.empty() && rest.front() == '\'') rest.remove_prefix(1);
    if (!rest.starts_with(name)) continue;
    rest.remove_prefix(name.size());
    if (rest.empty() || !IsOfName(rest.front())) return true;
  }
  return false;
}

// Returns whether the program tried to import this project's names from the
// other project's package.
bool AsksTheOther(std::string_view log) {
  for (const std::string_view name : kNames) {
    for (const std::string& line :
         {absl::StrCat("module 'vernier' has no attribute '", std::string(name),
                       "'"),
          absl::StrCat("cannot import name '", std::string(name),
                       "' from 'vernier'")}) {
      if (log.find(line) != std::string_view::npos) return true;
    }
  }
  return Misses(log, "vernier.integration") || Misses(log, "vernier.errors");
}

}  // namespace

std::string MissingPackageText(std::string_view log) {
  if (AsksTheOther(log)) {
    return absl::StrCat(kImport,
                        "; the vernier that is installed is another "
                        "project's.");
  }
  if (Misses(log, "vernier")) return absl::StrCat(kImport, ".");
  if (Misses(log, "vernier_hpo") || Misses(log, "vernier_report")) {
    return "The Python that ran this has no such package: install it there "
           "(pip install vernier-hpo, or the path of its wheel), or let the "
           "program take vernier_report.py along, which is one file.";
  }
  return "";
}

}  // namespace vernier
