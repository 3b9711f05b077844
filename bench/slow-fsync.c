/* A disk whose fsync takes 5 ms more. Preloaded into the server (LD_PRELOAD). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

#define EXTRA_US 5000

int fsync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  usleep(EXTRA_US);
  return real(file);
}

int fdatasync(int file) {
  static int (*real)(int);
  if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  usleep(EXTRA_US);
  return real(file);
}
