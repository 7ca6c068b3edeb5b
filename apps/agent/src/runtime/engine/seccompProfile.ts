/** Refused with EPERM whatever the engine's own default says: the ways out of a namespace and into the kernel. */
const DENIED = [
  'add_key',
  'bpf',
  'fanotify_init',
  'fsconfig',
  'fsmount',
  'fsopen',
  'fspick',
  'io_uring_enter',
  'io_uring_register',
  'io_uring_setup',
  'kcmp',
  'kexec_file_load',
  'kexec_load',
  'keyctl',
  'lookup_dcookie',
  'mount',
  'mount_setattr',
  'move_mount',
  'move_pages',
  'name_to_handle_at',
  'open_by_handle_at',
  'open_tree',
  'perf_event_open',
  'personality',
  'pidfd_getfd',
  'pivot_root',
  'process_madvise',
  'process_vm_readv',
  'process_vm_writev',
  'ptrace',
  'quotactl',
  'request_key',
  'setns',
  'umount',
  'umount2',
  'unshare',
  'userfaultfd',
  'vmsplice',
] as const

const ALLOWED = `
accept accept4 access alarm arch_prctl bind brk capget capset chdir chmod chown chroot clock_getres clock_gettime clock_gettime64
clock_nanosleep close close_range connect copy_file_range creat dup dup2 dup3 epoll_create epoll_create1 epoll_ctl epoll_pwait
epoll_pwait2 epoll_wait eventfd eventfd2 execve execveat exit exit_group faccessat faccessat2 fadvise64 fadvise64_64 fallocate
fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl fcntl64 fdatasync fgetxattr flistxattr flock fork fremovexattr fsetxattr
fstat fstat64 fstatat64 fstatfs fstatfs64 fsync ftruncate ftruncate64 futex futex_waitv futimesat get_robust_list
get_thread_area getcpu getcwd getdents getdents64 getegid geteuid getgid getgroups getitimer getpeername getpgid getpgrp getpid
getppid getpriority getrandom getresgid getresuid getrlimit getrusage getsid getsockname getsockopt gettid gettimeofday getuid
getxattr inotify_add_watch inotify_init inotify_init1 inotify_rm_watch ioctl ioprio_get ioprio_set ipc kill landlock_add_rule
landlock_create_ruleset landlock_restrict_self lchown lgetxattr link linkat listen listxattr llistxattr _llseek lremovexattr
lseek lsetxattr lstat lstat64 madvise membarrier memfd_create mincore mkdir mkdirat mknod mknodat mlock mlock2 mlockall mmap
mmap2 mprotect mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink mremap msgctl msgget msgrcv msgsnd msync
munlock munlockall munmap nanosleep newfstatat _newselect open openat openat2 pause pidfd_open pidfd_send_signal pipe pipe2
pkey_alloc pkey_free pkey_mprotect poll ppoll prctl pread64 preadv preadv2 prlimit64 pselect6 pwrite64 pwritev pwritev2 read
readahead readlink readlinkat readv recv recvfrom recvmmsg recvmsg remap_file_pages removexattr rename renameat renameat2
restart_syscall rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait
rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getattr sched_getparam
sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield seccomp
select semctl semget semop semtimedop send sendfile sendfile64 sendmmsg sendmsg sendto set_robust_list set_thread_area
set_tid_address setfsgid setfsuid setgid setgroups setitimer setpgid setpriority setregid setresgid setresuid setreuid setrlimit
setsid setsockopt setuid setxattr shmat shmctl shmdt shmget shutdown sigaltstack signalfd signalfd4 sigprocmask sigreturn
socketpair splice stat stat64 statfs statfs64 statx symlink symlinkat sync sync_file_range syncfs sysinfo tee tgkill time
timer_create timer_delete timer_getoverrun timer_gettime timer_gettime64 timer_settime timer_settime64 timerfd_create
timerfd_gettime timerfd_gettime64 timerfd_settime timerfd_settime64 times tkill truncate truncate64 ugetrlimit umask uname
unlink unlinkat utime utimensat utimes vfork wait4 waitid waitpid write writev
`
  .trim()
  .split(/\s+/)

/** All CLONE_NEW* bits: with any of them `clone` makes a namespace. */
const NAMESPACE_BITS = 0x7e020000
const AF_ALG = 38
const AF_VSOCK = 40
const EPERM = 1
const ENOSYS = 38

/**
 * The syscalls a stranger's program may make, as the OCI runtime reads them. What is not named does not exist (ENOSYS, so that
 * libraries fall back); `clone3` too, because its flags cannot be looked into. A 32-bit call ends the program: there `socketcall`
 * hides which socket is asked for.
 *
 * runsc answers EPERM to all that is not named, upon which libraries do not fall back: without `clone3` a program has no threads. That
 * call comes to gVisor's own kernel, which has none, or makes namespaces of its own.
 */
export function seccompProfile({ sandboxed = false } = {}) {
  return {
    defaultAction: 'SCMP_ACT_ERRNO',
    defaultErrnoRet: ENOSYS,
    archMap: [
      { architecture: 'SCMP_ARCH_X86_64', subArchitectures: [] },
      { architecture: 'SCMP_ARCH_AARCH64', subArchitectures: [] },
    ],
    syscalls: [
      { names: sandboxed ? [...ALLOWED, 'clone3'] : ALLOWED, action: 'SCMP_ACT_ALLOW', args: [] },
      {
        names: ['clone'],
        action: 'SCMP_ACT_ALLOW',
        args: [{ index: 0, value: NAMESPACE_BITS, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }],
      },
      // Families above AF_ALG are left out: kernel crypto and the hypervisor's sockets are no business of a tenant.
      { names: ['socket'], action: 'SCMP_ACT_ALLOW', args: [{ index: 0, value: AF_ALG, valueTwo: 0, op: 'SCMP_CMP_LT' }] },
      { names: ['socket'], action: 'SCMP_ACT_ALLOW', args: [{ index: 0, value: AF_VSOCK, valueTwo: 0, op: 'SCMP_CMP_GT' }] },
      { names: [...DENIED], action: 'SCMP_ACT_ERRNO', errnoRet: EPERM, args: [] },
    ],
  }
}
