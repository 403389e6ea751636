// How a program starts changed with glibc 2.34. Before it, the program ran its
// own constructors, in a function that its start code passed to the library;
// since, the library runs them, and the start code passes none. This program
// has the start code of a newer release and calls the older entry, which every
// release has: that one runs the function if there is one. The linker's --wrap
// puts this between the two.

namespace {

using Main = int (*)(int, char**, char**);
using Constructor = void (*)(int, char**, char**);

}  // namespace

extern "C" {

// Named by the linker and by the compiler's start files.
extern Constructor __init_array_start[] __attribute__((visibility("hidden")));
extern Constructor __init_array_end[] __attribute__((visibility("hidden")));
void _init();

int __real___libc_start_main(Main main, int argc, char** argv,
                             Constructor constructors, void (*destructors)(),
                             void (*loader_end)(), void* stack_end);

static void RunConstructors(int argc, char** argv, char** environment) {
  _init();
  for (Constructor* each = __init_array_start; each != __init_array_end;
       ++each) {
    (*each)(argc, argv, environment);
  }
}

// Destructors are the loader's in every release.
int __wrap___libc_start_main(Main main, int argc, char** argv, Constructor,
                             void (*)(), void (*loader_end)(),
                             void* stack_end) {
  return __real___libc_start_main(main, argc, argv, RunConstructors, nullptr,
                                  loader_end, stack_end);
}

}  // extern "C"
