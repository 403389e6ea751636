"""A training program that computes on one GPU, with nothing but its driver.

Adds two vectors with a kernel of its own and reports how wrong the sum is.
--hold MB: holds so much of the GPU's memory for --seconds.
--orphan: leaves a process behind that holds that memory, and is killed.
"""

import argparse
import ctypes
import json
import os
import signal
import sys
import time

KERNEL = b"""
.version 6.0
.target sm_30
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
  .reg .pred %p<2>;
  .reg .b32 %r<6>;
  .reg .f32 %f<4>;
  .reg .b64 %rd<11>;
  ld.param.u64 %rd1, [a];
  ld.param.u64 %rd2, [b];
  ld.param.u64 %rd3, [c];
  ld.param.u32 %r2, [n];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.s32 %r1, %r3, %r4, %r5;
  setp.ge.u32 %p1, %r1, %r2;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd4, %rd1;
  cvta.to.global.u64 %rd5, %rd2;
  cvta.to.global.u64 %rd6, %rd3;
  mul.wide.u32 %rd7, %r1, 4;
  add.s64 %rd8, %rd4, %rd7;
  add.s64 %rd9, %rd5, %rd7;
  add.s64 %rd10, %rd6, %rd7;
  ld.global.f32 %f1, [%rd8];
  ld.global.f32 %f2, [%rd9];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%rd10], %f3;
DONE:
  ret;
}
"""


class Cuda:
    """The calls of the driver that are needed, each checked."""

    def __init__(self):
        self.library = ctypes.CDLL(os.environ.get("VERNIER_CUDA_LIBRARY", "libcuda.so.1"))
        self.call("cuInit", 0)
        self.device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(self.device), 0)
        self.context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), self.device)
        self.call("cuCtxSetCurrent", self.context)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            text = ctypes.c_char_p()
            self.library.cuGetErrorName(status, ctypes.byref(text))
            sys.exit(f"{name}: {text.value.decode() if text.value else status}")

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
        return pointer

    def memory(self):
        """Free and all bytes of the GPU."""
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value, total.value

    def largest_error_of_a_sum(self, count=1 << 16):
        """What adding two vectors on the GPU gets wrong at most."""
        vector = ctypes.c_float * count
        a = vector(*range(count))
        b = vector(*(2 * i for i in range(count)))
        c = vector()
        size = ctypes.sizeof(vector)
        pointers = [self.allocate(size) for _ in range(3)]
        for pointer, values in zip(pointers, (a, b)):
            self.call("cuMemcpyHtoD_v2", pointer, values, ctypes.c_size_t(size))
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), KERNEL)
        self.call("cuModuleGetFunction", ctypes.byref(function), module, b"add")
        parameters = [*pointers, ctypes.c_uint32(count)]
        addresses = (ctypes.c_void_p * len(parameters))(
            *(ctypes.cast(ctypes.pointer(each), ctypes.c_void_p) for each in parameters))
        self.call("cuLaunchKernel", function, (count + 255) // 256, 1, 1, 256, 1, 1, 0,
                  None, addresses, None)
        self.call("cuCtxSynchronize")
        self.call("cuMemcpyDtoH_v2", c, pointers[2], ctypes.c_size_t(size))
        for pointer in pointers:
            self.call("cuMemFree_v2", pointer)
        return max(abs(c[i] - 3 * i) for i in range(0, count, 997))


def leave_an_orphan(megabytes):
    """A process that nobody waits for, and this one is killed."""
    ready, done = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            cuda = Cuda()
            cuda.allocate(megabytes << 20)
            cuda.largest_error_of_a_sum()
            os.write(done, b"x")
            time.sleep(600)
        os._exit(0)
    os.read(ready, 1)
    os.kill(os.getpid(), signal.SIGKILL)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--notes", required=True, help="a folder for what was seen")
    parser.add_argument("--hold", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--orphan", action="store_true")
    options, _ = parser.parse_known_args()
    restarts = int(os.environ.get("VERNIER_RESTART_COUNT", "0"))
    if options.orphan and restarts == 0:
        leave_an_orphan(options.hold)
    cuda = Cuda()
    free, total = cuda.memory()
    error = cuda.largest_error_of_a_sum()
    notes = {"trial": os.environ.get("CLOUD_ML_TRIAL_ID", ""), "kernel_at": time.time(),
             "gpu": os.environ.get("CUDA_VISIBLE_DEVICES", ""), "free": free,
             "total": total, "restarts": restarts}
    if options.hold and not options.orphan:
        cuda.allocate(options.hold << 20)
    time.sleep(options.seconds)
    print(f"loss={error}", flush=True)
    notes["end_at"] = time.time()
    path = os.path.join(options.notes, f"{notes['trial']}.{restarts}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(notes, file)


if __name__ == "__main__":
    main()
