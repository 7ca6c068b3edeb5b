import type { Path } from './paths.ts'
import type { Reading } from './Reading.ts'
import { isUnknown } from './unknownValue.ts'

export interface ForeignMount {
  /** What is mounted: the name of a volume, a path of the host, nothing for a volume without a name. */
  source: string
  target: string
  isHost: boolean
  isReadOnly: boolean
  /** In memory, and gone at the end. */
  isMemory?: boolean
  /** Of what lies in memory: its size, as written, and what a `G` of it counts in. */
  size?: { text: string; thousands: 1000 | 1024 } | undefined
  /** A part of a volume instead of the whole. */
  isPart?: boolean
}

/** What the host tells its containers about the time, which here is UTC. */
const TIME = /^\/etc\/(?:localtime|timezone)$/
/** Folders that every application has as they are. */
const USUAL_MEMORY = /^\/(?:tmp|run|var\/run|var\/tmp|dev\/shm)$/
/** The engine, the kernel and the devices of a host. */
const OF_HOST = /^\/(?:proc|sys|dev|boot|lib\/modules)(?:\/|$)|\/(?:docker|podman|containerd)\.sock$|^\/$/
const FILE =
  /\.(?:ya?ml|json5?|toml|ini|conf|cfg|config|cnf|env|properties|xml|html?|css|m?js|ts|py|sh|sql|lua|rb|php|go|md|txt|list|csv|log|db|sqlite3?|pem|crt|cer|key|pub|cert|htpasswd|htaccess|service|rules|acl|gz|tgz|zip|tar|jar|war|so|sock|bin|exe|template|tmpl|tpl|j2|lock)$/i
const FILE_NAMES =
  /^(?:Caddyfile|Dockerfile|Makefile|Corefile|Procfile|hosts|passwd|group|shadow|crontab|resolv\.conf|hostname|\.env|\.\w+rc)$/

/** Whether a path names one file rather than a folder, by what such paths look like. */
export const isFilePath = (path: string): boolean => {
  const name = path.split('/').at(-1) ?? ''
  return FILE.test(name) || FILE_NAMES.test(name)
}

/**
 * Takes a mount: a folder becomes a volume on the order's disk, whatever it was before. A folder of the user's machine begins as what the
 * image has in its place; the text of a single file of that machine is asked for.
 */
export function takeMount(reading: Reading, mount: ForeignMount, at: Path): undefined {
  const { source, target, isHost, isReadOnly, isMemory, isPart, size } = mount
  if (isUnknown(target)) return reading.lacks(target, at)
  if (TIME.test(target)) return reading.note(at, 'no_effect')
  if (target === '/dev/shm' && size && size.text !== '') return reading.takeSharedMemory(size.text, size.thousands, at)
  if (isMemory && USUAL_MEMORY.test(target)) return reading.note(at, 'no_effect')
  if (target === '/dev/shm') return reading.note(at, 'machine_decides')
  if (isHost && OF_HOST.test(source)) return reading.refuse(at, 'host_path')
  const isFile = isFilePath(target) || (isHost && source !== '' && reading.want('folder', source, at) !== undefined)
  if ((isHost || isPart) && isFile) return reading.takeFile(source === '' ? target : source, target, at)
  reading.addVolume(target, at, source)
  reading.note(at, isHost ? 'empty_folder' : 'one_disk')
  if (isReadOnly) reading.note(at, 'writable')
}

/** Parses a folder in memory as compose and docker run write it: `/scratch:size=1g,mode=1777`. */
export function readMemoryMount(text: string): ForeignMount {
  const [target = '', options = ''] = text.split(':')
  const size = /(?:^|,)size=([^,]*)/.exec(options)?.[1] ?? ''
  return { source: '', target, isHost: false, isReadOnly: false, isMemory: true, size: { text: size, thousands: 1024 } }
}

/** Whether the source of a mount is a path of the host and no name of a volume. */
export const isHostPath = (source: string): boolean => source !== '' && !/^[a-zA-Z0-9][\w.-]*$/.test(source)

/** Parses a mount as compose and docker run write it: `/data`, `data:/data`, `./data:/data:ro`. Undefined for what is none. */
export function readMount(text: string): ForeignMount | undefined {
  // The path of a Windows machine begins with a letter and a colon, and a variable may hold one.
  const match = /^(?:((?:[a-zA-Z]:(?:\\|\/(?=[^:]*:\/)))?(?:\0[^\0]*\0|[^:\0])*):)?((?:\0[^\0]*\0|[^:\0])*)(?::([\w,=]*))?$/.exec(
    text,
  )
  if (!match) return undefined
  const [, source, target = '', modes = ''] = match
  if (source === '') return undefined
  if (source === undefined) return { source: '', target, isHost: false, isReadOnly: false }
  const list = modes.split(',').filter((mode) => mode !== '')
  if (list.some((mode) => !MODES.test(mode))) return undefined
  return { source, target, isHost: isHostPath(source), isReadOnly: list.includes('ro') }
}
const MODES =
  /^(?:rw|ro|z|Z|nocopy|copy|cached|delegated|consistent|U|O|r?(?:shared|private|slave)|exec|noexec|suid|nosuid|dev|nodev|idmap(?:=.*)?)$/
