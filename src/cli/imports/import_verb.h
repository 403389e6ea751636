#ifndef VERNIER_CLI_IMPORTS_IMPORT_VERB_H_
#define VERNIER_CLI_IMPORTS_IMPORT_VERB_H_

namespace CLI {  // NOLINT(readability-identifier-naming): the library's.
class App;
}

namespace vernier {

class Invocation;

/// Declares `vernier import` below `app`, with a verb for each tool; parsing
/// one of them sets the invocation's action. `app` must not outlive
/// `invocation`.
void DeclareImportVerb(CLI::App& app, Invocation& invocation);

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_IMPORT_VERB_H_
