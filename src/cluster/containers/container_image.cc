#include "cluster/containers/container_image.h"

#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"
#include "cluster/process/command_run.h"
#include "cluster/process/interruptible_lock.h"

namespace vernier {
namespace {

// An image is looked up by name first and pulled only if the engine does not
// have it. An archive does not state its image's name without being loaded, so
// a small file beside the lock file remembers which image an archive of that
// path, size and time contains. One lock file per image lets a single process
// get it while the others wait.

using Words = std::vector<std::string>;

constexpr std::chrono::seconds kInspectLimit{60};
constexpr std::chrono::hours kPullLimit{12};
constexpr char kImageMark[] = "vernier-image ";

struct Cause {
  const char* text;  // In lower case.
  absl::StatusCode code;
  const char* meaning;
};

// The engines' wordings of possible failures; the first one that matches
// counts.
constexpr Cause kCauses[] = {
    {"no space left", absl::StatusCode::kResourceExhausted,
     "there is no space left for it"},
    {"disk quota", absl::StatusCode::kResourceExhausted,
     "there is no space left for it"},
    {"unauthorized", absl::StatusCode::kPermissionDenied,
     "its registry wants other credentials, or has no such image"},
    {"authentication required", absl::StatusCode::kPermissionDenied,
     "its registry wants other credentials, or has no such image"},
    {"denied", absl::StatusCode::kPermissionDenied,
     "its registry wants other credentials, or has no such image"},
    {"manifest unknown", absl::StatusCode::kNotFound, "there is no such image"},
    {"name unknown", absl::StatusCode::kNotFound, "there is no such image"},
    {"not found", absl::StatusCode::kNotFound, "there is no such image"},
    {"did not resolve to an alias", absl::StatusCode::kNotFound,
     "this machine has no such image, and the name says no registry"},
    {"invalid reference", absl::StatusCode::kNotFound,
     "this is no name of an image"},
    {"no such host", absl::StatusCode::kUnavailable,
     "its registry cannot be reached"},
    {"connection refused", absl::StatusCode::kUnavailable,
     "its registry cannot be reached"},
    {"timeout", absl::StatusCode::kUnavailable,
     "its registry cannot be reached"},
    {"server misbehaving", absl::StatusCode::kUnavailable,
     "its registry cannot be reached"},
    {"network is unreachable", absl::StatusCode::kUnavailable,
     "its registry cannot be reached"},
    {"pinging container registry", absl::StatusCode::kUnavailable,
     "its registry cannot be reached"},
};

std::string ArchivePath(const std::string& uri) {
  for (const char* prefix : {"docker-archive:", "oci-archive:"}) {
    if (absl::StartsWith(uri, prefix)) return uri.substr(std::strlen(prefix));
  }
  return uri;
}

// Forwards the newest line of an engine's output as progress.
class LastLine {
 public:
  LastLine(std::string begin, const ImageProgress& progress)
      : begin_(std::move(begin)), progress_(progress) {}

  void Hear(const std::string& piece) {
    heard_ += piece;
    if (heard_.size() > 4096) heard_.erase(0, heard_.size() - 4096);
    Tell(LastLineOf(heard_));
  }
  void Tell(const std::string& line) {
    if (!progress_) return;
    progress_(line.empty() ? begin_ : absl::StrCat(begin_, " (", line, ")"));
  }

 private:
  const std::string begin_;
  const ImageProgress& progress_;
  std::string heard_;
};

class Images {
 public:
  Images(const ContainerEngine& engine, const ContainerSettings& settings,
         const Environment& environment)
      : engine_(engine), settings_(settings), environment_(environment) {}

  // Returns NOT_FOUND if the engine has no image of this name.
  absl::StatusOr<ContainerImage> Find(const std::string& name) const {
    // The engine would take the name for an option. It may come from an
    // archive, which states its image's name.
    if (absl::StartsWith(name, "-")) {
      return absl::InvalidArgumentError(
          absl::StrCat("an image's name cannot begin with \"-\": ", name));
    }
    VERNIER_ASSIGN_OR_RETURN(
        const CommandEnd end,
        Run({"image", "inspect", "--format",
             absl::StrCat(kImageMark,
                          "{{.Id}} {{if .Config.Entrypoint}}entry{{end}} "
                          "{{if .Config.Cmd}}command{{end}}"),
             name},
            kInspectLimit, nullptr));
    for (const auto line : absl::StrSplit(end.output, '\n')) {
      const std::string text(line);
      if (text.rfind(kImageMark, 0) != 0) continue;
      const std::vector<std::string> fields =
          absl::StrSplit(text.substr(sizeof(kImageMark) - 1), ' ');
      if (fields.size() < 3 || fields[0].empty()) break;
      return ContainerImage{fields[0], !fields[1].empty(), !fields[2].empty()};
    }
    const std::string said = LastLineOf(end.output);
    for (const char* absent : {"no such image", "image not known",
                               "No such image", "invalid reference"}) {
      if (absl::StrContains(said, absent)) return absl::NotFoundError(said);
    }
    return absl::FailedPreconditionError(
        absl::StrCat("the image ", name, " cannot be looked up: ",
                     end.is_timed_out ? "the engine does not answer" : said));
  }

  absl::StatusOr<ContainerImage> Pull(const std::string& uri,
                                      const ImageProgress& progress) const {
    LastLine line(absl::StrCat("pulling the image ", uri), progress);
    line.Tell("");
    VERNIER_ASSIGN_OR_RETURN(
        const CommandEnd end,
        Run({"pull", uri}, kPullLimit,
            [&](const std::string& piece) { line.Hear(piece); }));
    if (!end.is_success()) return ImageError(uri, end.output);
    return Find(uri);
  }

  absl::StatusOr<ContainerImage> Load(const std::string& uri,
                                      const ImageProgress& progress) const {
    const std::string path = ArchivePath(uri);
    VERNIER_ASSIGN_OR_RETURN(const std::string record, RecordOf(path));
    if (!record.empty()) {
      const auto known = ReadSmallFile(record);
      if (known.ok()) {
        absl::StatusOr<ContainerImage> image = Find(*known);
        if (!absl::IsNotFound(image.status())) return image;
      }
    }
    LastLine line(absl::StrCat("loading the image ", uri), progress);
    line.Tell("");
    VERNIER_ASSIGN_OR_RETURN(
        const CommandEnd end,
        Run({"load", "--input", path}, kPullLimit,
            [&](const std::string& piece) { line.Hear(piece); }));
    if (!end.is_success()) return ImageError(uri, end.output);
    // "Loaded image: NAME", "Loaded image ID: sha256:..." or "Loaded image(s)".
    const std::string said = LastLineOf(end.output);
    const std::size_t colon = said.find(": ");
    if (said.rfind("Loaded image", 0) != 0 || colon == std::string::npos) {
      return ImageError(uri, end.output);
    }
    VERNIER_ASSIGN_OR_RETURN(ContainerImage image,
                             Find(said.substr(colon + 2)));
    if (!record.empty()) {
      ReplaceFile(record, image.id, Durability::kVolatile).IgnoreError();
    }
    return image;
  }

  // Returns the path of the file that remembers the image of an archive; "" if
  // there is no state folder. NOT_FOUND if there is no such archive.
  absl::StatusOr<std::string> RecordOf(const std::string& path) const {
    struct stat file = {};
    if (::stat(path.c_str(), &file) != 0) {
      return absl::ErrnoToStatus(errno, absl::StrCat("the image ", path));
    }
    if (settings_.state_dir.empty()) return std::string();
    return FileOf(absl::StrCat(path, " ", file.st_size, " ",
                               file.st_mtim.tv_sec, " ", file.st_mtim.tv_nsec),
                  ".archive");
  }

  std::string FileOf(const std::string& what, const char* ending) const {
    return absl::StrCat(settings_.state_dir, "/image-",
                        absl::Hex(std::hash<std::string>()(what)), ending);
  }

 private:
  absl::StatusOr<CommandEnd> Run(
      const Words& words, std::chrono::milliseconds limit,
      std::function<void(const std::string&)> on_output) const {
    Command command;
    command.path = engine_.path;
    command.argv = {std::string(ToString(engine_.kind))};
    command.argv.insert(command.argv.end(), engine_.global_options.begin(),
                        engine_.global_options.end());
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    command.environment = environment_;
    command.time_limit = limit;
    command.on_output = std::move(on_output);
    return RunCommand(command, OnStop::kCancel);
  }

  const ContainerEngine& engine_;
  const ContainerSettings& settings_;
  const Environment& environment_;
};

}  // namespace

bool IsArchive(const std::string& uri) {
  return absl::StartsWith(ArchivePath(uri), "/");
}

absl::StatusOr<ContainerImage> GetImage(const std::string& uri,
                                        const ContainerEngine& engine,
                                        const ContainerSettings& settings,
                                        const Environment& environment,
                                        const ImageProgress& progress) {
  const Images images(engine, settings, environment);
  if (!IsArchive(uri)) {
    absl::StatusOr<ContainerImage> here = images.Find(uri);
    if (!absl::IsNotFound(here.status())) return here;
  }
  UniqueFd lock;
  if (!settings.state_dir.empty()) {
    VERNIER_RETURN_IF_ERROR(MakeDirectories(settings.state_dir));
    if (progress) progress(absl::StrCat("waiting for the image ", uri));
    VERNIER_ASSIGN_OR_RETURN(lock,
                             LockInterruptibly(images.FileOf(uri, ".lock")));
  }
  if (IsArchive(uri)) return images.Load(uri, progress);
  // The process that held the lock before may have pulled the image.
  absl::StatusOr<ContainerImage> here = images.Find(uri);
  if (!absl::IsNotFound(here.status())) return here;
  return images.Pull(uri, progress);
}

absl::Status ImageError(const std::string& uri, const std::string& output) {
  const std::string said = LastLineOf(output);
  const std::string lower = absl::AsciiStrToLower(said);
  for (const Cause& cause : kCauses) {
    if (!absl::StrContains(lower, cause.text)) continue;
    return absl::Status(cause.code,
                        absl::StrCat("the image ", uri, " cannot be had: ",
                                     cause.meaning, ": ", said));
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "the image ", uri,
      " cannot be had: ", said.empty() ? "the engine gave no reason" : said));
}

}  // namespace vernier
