#include "cluster/gang/package_installation.h"

#include <fcntl.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/process_environment.h"
#include "base/regular_file.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"
#include "cluster/code/package_pin.h"
#include "cluster/gang/gang_run.h"
#include "cluster/process/interruptible_lock.h"
#include "cluster/program_search.h"

namespace vernier {
namespace {

// Packages are installed once per job, into a virtual environment that all of
// its attempts share. A file lock lets one attempt install while the others
// wait; the file `installed`, written after everything else is synced, marks
// success, and `failed` stores a failure for the same packages. The installer
// runs as a gang of one replica, so that a stop or a crash leaves no process
// behind.

namespace fs = std::filesystem;

// The installer, run by the job's interpreter (any Python from 3.5 on). Its
// arguments are the environment's folder and the packages.
constexpr char kInstaller[] = R"py(
import os, site, subprocess, sys, venv

target, packages = sys.argv[1], sys.argv[2:]
venv.create(target, system_site_packages=True, symlinks=True)
python = os.path.join(target, 'bin', 'python3')
if sys.prefix != sys.base_prefix:
    # This interpreter is an environment itself, whose packages a new one would
    # not see. addsitedir, and not the folder alone: it runs the folder's own
    # .pth files, which are how editable installs and import hooks work.
    folder = subprocess.check_output(
        [python, '-c', 'import sysconfig; print(sysconfig.get_path("purelib"))'],
        universal_newlines=True).strip()
    with open(os.path.join(folder, 'runtime.pth'), 'w') as file:
        for base in site.getsitepackages():
            file.write('import site; site.addsitedir(%r)\n' % base)
if subprocess.call([python, '-m', 'pip', '--version']) != 0:
    subprocess.check_call([python, '-m', 'ensurepip'])
install = [python, '-m', 'pip', 'install', '--disable-pip-version-check',
           '--no-input']
folders = []
for package in packages:
    folders += ['--find-links', os.path.dirname(package)]
print('Installing with what this machine has.', flush=True)
offline = subprocess.Popen(
    install + ['--no-index', '--no-build-isolation'] + folders + packages,
    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
output = []
for line in offline.stdout:
    output.append(line)
    print(line, end='', flush=True)
if offline.wait() == 0:
    sys.exit(0)
lacks = ('No matching distribution', 'Could not find a version',
         'BackendUnavailable', 'Cannot import', 'No module named',
         "invalid command 'bdist_wheel'")
if not any(word in line for line in output for word in lacks):
    sys.exit(1)
print('Something is missing here; asking the package index.', flush=True)
sys.exit(subprocess.call(install + ['--retries', '1'] + packages))
)py";

absl::Status Stopped() {
  return absl::CancelledError("stopped while its packages were installed");
}

std::string Contents(const PackageInstallation& installation) {
  std::string contents = installation.python + "\n";
  for (const PackageFile& package : installation.packages) {
    absl::StrAppend(&contents, package.sha256, " ", package.uri, "\n");
  }
  return contents;
}

std::string FilesDir(const std::string& dir) { return dir + "/files"; }

absl::Status NotAsSubmitted(const PackageFile& package,
                            const std::string& hash) {
  return absl::FailedPreconditionError(absl::StrCat(
      "trainingInput.packageUris: ", package.uri,
      package.sha256.empty()
          ? std::string(" was not pinned when the job was submitted, so that "
                        "nobody knows what it was")
          : absl::StrCat(" is not what it was when the job was submitted: its "
                         "SHA-256 was ",
                         package.sha256, " and is ", hash),
      "; submit the job again to use what is there now"));
}

// Copies the packages to files that nobody else writes, and checks their
// hashes.
absl::StatusOr<std::vector<std::string>> TakePackages(
    const PackageInstallation& installation) {
  const std::string folder = FilesDir(installation.dir);
  std::error_code error;
  fs::remove_all(folder, error);
  std::vector<std::string> files;
  for (const PackageFile& package : installation.packages) {
    const RegularFile source = OpenRegularFile(package.path, O_RDONLY);
    if (!source.fd.is_open()) {
      return absl::ErrnoToStatus(source.error, package.path);
    }
    const std::string file =
        PinnedPackagePath(folder, absl::StrCat(files.size()), package.uri);
    VERNIER_RETURN_IF_ERROR(MakeDirectories(fs::path(file).parent_path()));
    VERNIER_ASSIGN_OR_RETURN(
        const std::string hash,
        CopyHashed(source.fd.get(), file, kMaxPackageBytes));
    if (hash != package.sha256) return NotAsSubmitted(package, hash);
    files.push_back(file);
  }
  return files;
}

absl::StatusOr<ExitRecord> RunInstaller(const PackageInstallation& installation,
                                        const std::vector<std::string>& files,
                                        const Clock& clock) {
  ReplicaProgram program;
  program.environment = installation.environment;
  VERNIER_ASSIGN_OR_RETURN(
      program.path, FindProgram(installation.python,
                                program.environment["PATH"], installation.dir));
  program.argv = {installation.python, "-c", kInstaller,
                  PackageEnvironmentDir(installation.dir)};
  program.argv.insert(program.argv.end(), files.begin(), files.end());
  GangRun::Options options;
  options.attempt_dir = installation.dir;
  options.work_dir = installation.dir;
  return GangRun(std::move(options), clock).Run({program});
}

// Returns the message without its first line, which says which replica ended
// how.
std::string LastLines(const ExitRecord& record) {
  const std::size_t end = record.message.find('\n');
  return record.launch_failed || end == std::string::npos
             ? record.message
             : record.message.substr(end + 1);
}

absl::Status Failed(const std::string& why) {
  return absl::FailedPreconditionError(
      "The packages of packageUris could not be installed:\n" + why);
}

}  // namespace

absl::Status InstallPackages(const PackageInstallation& installation,
                             const Clock& clock) {
  const std::string& dir = installation.dir;
  VERNIER_RETURN_IF_ERROR(MakeDirectories(dir + "/logs"));
  // This waits while another process installs the same packages.
  const absl::StatusOr<UniqueFd> lock = LockInterruptibly(dir + "/lock");
  if (absl::IsCancelled(lock.status())) return Stopped();
  VERNIER_RETURN_IF_ERROR(lock.status());
  const std::string contents = Contents(installation);
  const auto done = ReadSmallFile(dir + "/installed");
  if (done.ok() && *done == contents) return absl::OkStatus();
  // Other trials may be using the environment even if its marker cannot be
  // read.
  if (!done.ok() && !absl::IsNotFound(done.status())) {
    return absl::UnavailableError(std::string(done.status().message()));
  }
  const auto failed = ReadSmallFile(dir + "/failed");
  if (failed.ok() && failed->rfind(contents, 0) == 0) {
    return Failed(failed->substr(contents.size()));
  }
  // An interrupted installation may have left a part of the environment.
  std::error_code error;
  fs::remove_all(PackageEnvironmentDir(dir), error);
  VERNIER_ASSIGN_OR_RETURN(const std::vector<std::string> files,
                           TakePackages(installation));
  VERNIER_ASSIGN_OR_RETURN(const ExitRecord record,
                           RunInstaller(installation, files, clock));
  fs::remove_all(FilesDir(dir), error);
  if (record.stopped_by_request) return Stopped();
  const bool is_installed =
      record.deciding && record.ends[*record.deciding].is_success();
  if (!is_installed) {
    const std::string why = LastLines(record);
    // The waiting trials then fail at once instead of trying again.
    ReplaceFile(dir + "/failed", contents + why, Durability::kVolatile)
        .IgnoreError();
    return Failed(why);
  }
  // Everything must be on disk before the marker says so.
  VERNIER_RETURN_IF_ERROR(SyncFileSystem(dir));
  return ReplaceFile(dir + "/installed", contents, Durability::kSynced);
}

Environment InstallerEnvironment(const char* const* environ,
                                 const JobSpec& spec,
                                 const Environment& secrets) {
  Environment environment = InheritedEnvironment(spec, environ);
  for (auto& [name, value] : ParseEnvironment(environ)) {
    if (name.starts_with("PIP_")) environment[name] = std::move(value);
  }
  environment.emplace("PATH", "/usr/local/bin:/usr/bin:/bin");
  environment["PYTHONUNBUFFERED"] = "1";
  for (const Environment* own : {&spec.vernier.environment, &secrets}) {
    for (const auto& [name, value] : *own) environment[name] = value;
  }
  return environment;
}

}  // namespace vernier
