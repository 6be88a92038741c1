// SPDX-License-Identifier: MIT
// The system calls of a locked-down runner, by what happens to them. Names that an architecture
// does not have are accepted by libseccomp and never match. Private to lockdown.cpp.
#pragma once

#include <fcntl.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>

#include <cstdint>

namespace convkit {

// Nobody writes these by accident.
inline constexpr int kTrapped[] = {SCMP_SYS(socket),
                                   SCMP_SYS(connect),
                                   SCMP_SYS(bind),
                                   SCMP_SYS(listen),
                                   SCMP_SYS(accept),
                                   SCMP_SYS(accept4),
                                   SCMP_SYS(process_vm_readv),
                                   SCMP_SYS(process_vm_writev),
                                   SCMP_SYS(pidfd_open),
                                   SCMP_SYS(pidfd_getfd),
                                   SCMP_SYS(pidfd_send_signal),
                                   SCMP_SYS(tkill),
                                   SCMP_SYS(mount),
                                   SCMP_SYS(umount2),
                                   SCMP_SYS(pivot_root),
                                   SCMP_SYS(chroot),
                                   SCMP_SYS(unshare),
                                   SCMP_SYS(setns),
                                   SCMP_SYS(bpf),
                                   SCMP_SYS(perf_event_open),
                                   SCMP_SYS(userfaultfd),
                                   SCMP_SYS(io_uring_setup),
                                   SCMP_SYS(kexec_load),
                                   SCMP_SYS(init_module),
                                   SCMP_SYS(finit_module),
                                   SCMP_SYS(delete_module),
                                   SCMP_SYS(reboot),
                                   SCMP_SYS(keyctl),
                                   SCMP_SYS(add_key),
                                   SCMP_SYS(request_key),
                                   SCMP_SYS(open_by_handle_at)};

inline constexpr int kTrappedUnlessSanitizer[] = {SCMP_SYS(ptrace), SCMP_SYS(execve),
                                                  SCMP_SYS(execveat)};

// Refused without a fuss. Scheduling is among them so that a thread cannot leave the CPU its speed
// is measured on.
inline constexpr int kHarmless[] = {SCMP_SYS(sched_setaffinity),
                                    SCMP_SYS(sched_setscheduler),
                                    SCMP_SYS(sched_setparam),
                                    SCMP_SYS(sched_setattr),
                                    SCMP_SYS(setpriority),
                                    SCMP_SYS(setrlimit),
                                    SCMP_SYS(setsid),
                                    SCMP_SYS(setpgid),
                                    SCMP_SYS(setuid),
                                    SCMP_SYS(setgid),
                                    SCMP_SYS(setreuid),
                                    SCMP_SYS(setregid),
                                    SCMP_SYS(setresuid),
                                    SCMP_SYS(setresgid),
                                    SCMP_SYS(setgroups),
                                    SCMP_SYS(capset),
                                    SCMP_SYS(personality),
                                    SCMP_SYS(creat),
                                    SCMP_SYS(unlink),
                                    SCMP_SYS(unlinkat),
                                    SCMP_SYS(rename),
                                    SCMP_SYS(renameat),
                                    SCMP_SYS(renameat2),
                                    SCMP_SYS(mkdir),
                                    SCMP_SYS(mkdirat),
                                    SCMP_SYS(rmdir),
                                    SCMP_SYS(link),
                                    SCMP_SYS(linkat),
                                    SCMP_SYS(symlink),
                                    SCMP_SYS(symlinkat),
                                    SCMP_SYS(mknod),
                                    SCMP_SYS(mknodat),
                                    SCMP_SYS(chmod),
                                    SCMP_SYS(fchmod),
                                    SCMP_SYS(fchmodat),
                                    SCMP_SYS(chown),
                                    SCMP_SYS(fchown),
                                    SCMP_SYS(lchown),
                                    SCMP_SYS(fchownat),
                                    SCMP_SYS(truncate),
                                    SCMP_SYS(ftruncate),
                                    SCMP_SYS(utime),
                                    SCMP_SYS(utimes),
                                    SCMP_SYS(utimensat),
                                    SCMP_SYS(setxattr),
                                    SCMP_SYS(fsetxattr),
                                    SCMP_SYS(shmget),
                                    SCMP_SYS(shmat),
                                    SCMP_SYS(msgget),
                                    SCMP_SYS(semget),
                                    SCMP_SYS(mq_open),
                                    SCMP_SYS(sendmsg),
                                    SCMP_SYS(sendmmsg),
                                    SCMP_SYS(memfd_create)};

inline constexpr int kAllowed[] = {
    // memory
    SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(munmap), SCMP_SYS(mremap),
    SCMP_SYS(mprotect), SCMP_SYS(madvise), SCMP_SYS(msync), SCMP_SYS(mincore), SCMP_SYS(mlock),
    SCMP_SYS(mlock2), SCMP_SYS(munlock), SCMP_SYS(mbind), SCMP_SYS(get_mempolicy),
    SCMP_SYS(set_mempolicy), SCMP_SYS(pkey_alloc), SCMP_SYS(pkey_mprotect), SCMP_SYS(pkey_free),
    SCMP_SYS(membarrier), SCMP_SYS(arch_prctl),
    // threads
    SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(get_robust_list), SCMP_SYS(rseq),
    SCMP_SYS(set_tid_address), SCMP_SYS(gettid), SCMP_SYS(getpid), SCMP_SYS(getppid),
    SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam),
    SCMP_SYS(sched_getscheduler), SCMP_SYS(sched_get_priority_max),
    SCMP_SYS(sched_get_priority_min), SCMP_SYS(getpriority), SCMP_SYS(getcpu), SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    // time
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(nanosleep),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times), SCMP_SYS(getrusage),
    // No timer_create: its signal may be SIGCONT, and end a stop while another is timed.
    SCMP_SYS(getitimer), SCMP_SYS(setitimer), SCMP_SYS(alarm),
    // its own signals; handlers have their own rules
    SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigpending),
    SCMP_SYS(rt_sigtimedwait), SCMP_SYS(rt_sigsuspend), SCMP_SYS(sigaltstack), SCMP_SYS(pause),
    SCMP_SYS(restart_syscall),
    // what is open, and looking at files; opening has its own rules
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv), SCMP_SYS(preadv2),
    SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(pwrite64), SCMP_SYS(pwritev), SCMP_SYS(pwritev2),
    SCMP_SYS(lseek), SCMP_SYS(_llseek), SCMP_SYS(close), SCMP_SYS(close_range), SCMP_SYS(dup),
    SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(eventfd2),
    SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(select), SCMP_SYS(pselect6), SCMP_SYS(epoll_create1),
    SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait), SCMP_SYS(recvfrom),
    SCMP_SYS(recvmsg), SCMP_SYS(shutdown), SCMP_SYS(fsync), SCMP_SYS(fdatasync), SCMP_SYS(stat),
    SCMP_SYS(fstat), SCMP_SYS(lstat), SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(statfs),
    SCMP_SYS(fstatfs), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2),
    SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getdents64), SCMP_SYS(getcwd),
    SCMP_SYS(chdir), SCMP_SYS(fadvise64),
    // questions
    SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(getresuid),
    SCMP_SYS(getresgid), SCMP_SYS(getgroups), SCMP_SYS(getpgid), SCMP_SYS(getpgrp),
    SCMP_SYS(getsid), SCMP_SYS(capget), SCMP_SYS(getrlimit), SCMP_SYS(uname), SCMP_SYS(sysinfo),
    SCMP_SYS(getrandom), SCMP_SYS(umask),
    // children there are none of
    SCMP_SYS(wait4), SCMP_SYS(waitid)};

// Not F_SETOWN and F_SETSIG: they send signals elsewhere.
inline constexpr uint64_t kAllowedFcntl[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL,
                                             F_SETFL, F_GETLK,         F_SETLK, F_SETLKW};

// Is it a terminal, how wide, how much is there to read.
inline constexpr uint64_t kAllowedIoctl[] = {TCGETS, TIOCGWINSZ, FIONREAD};

constexpr uint64_t kNameMemory = 0x53564d41;  // PR_SET_VMA, newer than some headers
inline constexpr uint64_t kAllowedPrctl[] = {
    PR_SET_NAME,    PR_GET_NAME,         PR_GET_DUMPABLE,     PR_CAPBSET_READ,
    PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS, PR_SET_NO_NEW_PRIVS, kNameMemory};

}  // namespace convkit
