#include "cli/display/revision_text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/counted_noun.h"
#include "base/json.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

/// Returns, for instance, "new code (version 2), command changed".
std::string WithVersion(const RevisionNews& news) {
  std::string text;
  for (const std::string& change : news.changes) {
    const bool is_first = text.empty();
    absl::StrAppend(&text, is_first ? "" : ", ", change);
    if (is_first) absl::StrAppend(&text, " (version ", news.version, ")");
  }
  return text;
}

/// Returns the consequences of the revision besides its changes, each after a
/// "; ".
std::string Consequences(const RevisionNews& news) {
  std::string text;
  if (news.restarted > 0) {
    absl::StrAppend(&text, "; ", Counted(news.restarted, "trial"),
                    news.restarted == 1 ? " starts again" : " start again");
  }
  if (news.made_up_trials > 0) {
    absl::StrAppend(&text, "; ", Counted(news.made_up_trials, "trial"),
                    " more, in place of as many that failed or were cancelled");
  }
  return text;
}

}  // namespace

bool RevisionNews::has_new_code() const {
  return is_replaced ||
         std::find(changes.begin(), changes.end(), "new code") != changes.end();
}

absl::StatusOr<RevisionNews> ReadRevision(std::string_view answer) {
  VERNIER_ASSIGN_OR_RETURN(const Json json, ParseJson(answer));
  RevisionNews news;
  for (const Json& change : json.value("changes", Json::array())) {
    news.changes.push_back(change.get<std::string>());
  }
  news.record =
      DumpJson(json.value("job", json.value("study", Json(Json::object()))));
  news.version = json.value("codeVersion", json.value("version", 1));
  news.is_replaced = json.value("isReplaced", false);
  news.has_more_trials = json.value("hasMoreTrials", false);
  news.restarted = json.value("restarted", 0);
  news.made_up_trials = json.value("madeUpTrials", 0);
  return news;
}

std::string GoesOnText(const std::string& job, const RevisionNews& news) {
  if (news.is_replaced) {
    return absl::StrCat("job ", job,
                        " had not run anything, and begins anew as it is now");
  }
  return absl::StrCat("job ", job, " goes on",
                      news.changes.empty()
                          ? "; nothing changed"
                          : absl::StrCat(": ", WithVersion(news)),
                      Consequences(news));
}

std::string RunsAlreadyText(const JobReference& job, const RevisionNews& news) {
  if (news.changes.empty()) {
    return absl::StrCat("job ", job.name, " runs; following it");
  }
  const bool is_code_only =
      news.changes.size() == 1 && news.changes[0] == "new code";
  return absl::StrCat(
      "job ", job.name, " runs as it was, and what you ask for differs: ",
      absl::StrJoin(news.changes, ", "),
      "; to apply it, add --restart, which also starts the running trials "
      "again",
      is_code_only
          ? absl::StrCat(", or, for the trials to come only: vernier jobs "
                         "update ",
                         job.name, job.flags, " --code DIR")
          : "");
}

std::string SucceededText(const JobReference& job, const RevisionNews& news) {
  if (news.changes.empty()) {
    return absl::StrCat("job ", job.name,
                        " has succeeded, and nothing changed since: these are "
                        "its results; for more trials: vernier jobs extend ",
                        job.name, job.flags, " --max-trials N");
  }
  return absl::StrCat(
      "job ", job.name, " has succeeded, and nothing was run; what differs: ",
      absl::StrJoin(news.changes, ", "),
      "; for more trials with it, add a larger --max-trials N; for a new "
      "search, another --name");
}

std::string WouldChangeText(const std::string& what, const RevisionNews& news) {
  if (news.changes.empty()) {
    return absl::StrCat(what, " is as you ask already");
  }
  return absl::StrCat(what, " stays as it is; the update would change: ",
                      absl::StrJoin(news.changes, ", "));
}

std::string UpdatedText(const std::string& what, const RevisionNews& news) {
  if (news.changes.empty()) {
    return absl::StrCat(what, " is as you ask already", Consequences(news));
  }
  return absl::StrCat(what, ", for the trials to come: ", WithVersion(news),
                      Consequences(news));
}

}  // namespace vernier
