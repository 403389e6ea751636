#ifndef VERNIER_GLIBC_UNWIND_TABLE_H_
#define VERNIER_GLIBC_UNWIND_TABLE_H_

#include <dlfcn.h>

namespace vernier {

/// Finds the program or library whose code `address` is in, as _dl_find_object
/// of glibc 2.35 does, by the call that older releases have. 0: it is in
/// `found`; -1: there is none, or none that can be unwound. Takes the loader's
/// lock, so it must not be called by a signal handler.
int FindUnwindTable(const void* address, dl_find_object* found);

}  // namespace vernier

#endif  // VERNIER_GLIBC_UNWIND_TABLE_H_
