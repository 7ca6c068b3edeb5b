import type { AppProblemCode } from '../AppSpec.ts'
import type { AppNoteCode } from './notes.ts'

/** What becomes of a setting: it has no effect and is noted, it is refused, or there is nothing to say about it. */
export type Fate = { note: AppNoteCode } | { refuse: AppProblemCode } | undefined

const note = (code: AppNoteCode): Fate => ({ note: code })
const refuse = (code: AppProblemCode): Fate => ({ refuse: code })

/** What every own application may do, and what Docker adds to it without being asked. */
const GRANTED =
  /^(?:CHOWN|DAC_OVERRIDE|FOWNER|FSETID|KILL|NET_BIND_SERVICE|SETGID|SETUID|SYS_CHROOT|SETPCAP|SETFCAP|MKNOD|AUDIT_WRITE|NET_RAW)$/
/** Programs work without them, slower or with less insight into other processes. */
const DISPENSABLE = /^(?:SYS_NICE|SYS_PTRACE|IPC_LOCK|SYS_RESOURCE|PERFMON|SYSLOG|LEASE|WAKE_ALARM|BLOCK_SUSPEND)$/
/** The order's GPUs are there without being named. */
const GPU_DEVICE = /^(?:\/dev\/(?:kfd|dri|nvidia|dxg)|nvidia\.com\/gpu|amd\.com\/gpu)/

/**
 * Settings by what they mean, whichever format they stand in and whatever it calls them: the same setting has the same fate in a compose
 * file, a `docker run` line, a Kubernetes file and an SDL file. A setting that is taken has a handler in the reader of its format.
 */
export const SETTINGS = {
  /** Names, labels, notes to people and to other programs. */
  label: () => note('no_effect'),
  /** How the command line that starts a container is connected to it. */
  attachment: () => note('no_effect'),
  logging: () => note('no_effect'),
  /** How names are resolved. */
  names: () => note('no_effect'),
  /** To which other containers there is a way. */
  network: () => note('no_effect'),
  stop: () => note('no_effect'),
  rollout: () => note('no_effect'),
  /** What only a developer's own machine does. */
  development: () => note('no_effect'),
  groups: () => note('no_effect'),
  scheduling: () => note('machine_decides'),
  resources: () => note('machine_decides'),
  platform: () => note('machine_decides'),
  pull: () => note('machine_decides'),
  restart: () => note('always_restarted'),
  once: () => note('runs_once'),
  health: () => note('probe_ignored'),
  walls: () => note('walls'),
  readOnly: () => note('writable'),
  copies: () => note('one_copy'),
  valuesFile: () => note('file_not_read'),
  hostPort: () => note('outside_port'),
  account: () => note('not_granted'),
  privilege: () => refuse('no_privilege'),
  otherContainer: () => refuse('one_service'),
  /** Settings, secrets and files that stand outside of what was pasted. */
  otherFile: () => refuse('other_file'),
  unsupported: () => refuse('unsupported'),
  capability: (name: string): Fate => {
    const capability = name.replace(/^CAP_/i, '').toUpperCase()
    if (GRANTED.test(capability)) return undefined
    return DISPENSABLE.test(capability) ? note('not_granted') : refuse('no_privilege')
  },
  device: (path: string): Fate => (GPU_DEVICE.test(path) ? note('machine_decides') : refuse('no_privilege')),
  /** Memory that processes share is the order's own; that of another container or of the host is not reachable. */
  ipc: (mode: string): Fate => {
    if (/^(?:|none|private|shareable)$/.test(mode)) return undefined
    return mode === 'host' ? note('machine_decides') : refuse('no_privilege')
  },
  namespace: (mode: string): Fate => {
    if (/^(?:|private)$/.test(mode)) return undefined
    // Users of an order are mapped to others anyway.
    return /^(?:keep-id|auto|nomap)(?::|$)/.test(mode) ? note('walls') : refuse('no_privilege')
  },
  networkMode: (mode: string): Fate => {
    if (/^(?:|default|bridge|slirp4netns|pasta|private)(?::|$)/.test(mode)) return undefined
    if (mode === 'none') return refuse('unsupported')
    return mode === 'host' || /^(?:container|service|ns):/.test(mode) ? refuse('no_privilege') : note('no_effect')
  },
  security: (option: string): Fate => {
    if (/^no-new-privileges(?:$|[:=](?:true|1)$)/.test(option)) return note('walls')
    // The filter of the order stays; a profile of one's own is not read.
    if (/^(?:no-new-privileges|seccomp|apparmor|label|mask|unmask)[:=]/.test(option)) return note('not_granted')
    return refuse('no_privilege')
  },
} satisfies Record<string, (value: string) => Fate>

export type Setting = keyof typeof SETTINGS
