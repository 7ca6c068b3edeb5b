import { APP_LIMITS } from '../AppSpec.ts'
import { readPublished, withUsualHttp } from './foreignPorts.ts'
import { type AppNoteCode, type Pasted, Reading } from './Reading.ts'
import { type ShellWord, shellWords } from './shellWords.ts'

/** Flags without a value: understood, refused as a privilege, or without effect here. */
const SWITCHES: Readonly<Record<string, AppNoteCode | 'no_privilege'>> = {
  '-d': 'name_ignored',
  '--detach': 'name_ignored',
  '-i': 'name_ignored',
  '--interactive': 'name_ignored',
  '-t': 'name_ignored',
  '--tty': 'name_ignored',
  '-q': 'name_ignored',
  '--quiet': 'name_ignored',
  '--rm': 'always_restarted',
  '--init': 'walls',
  '--privileged': 'no_privilege',
}

/** Flags with a value that is ignored. */
const VALUED: Readonly<Record<string, AppNoteCode | 'no_privilege' | 'host_path'>> = {
  '--name': 'name_ignored',
  '-h': 'name_ignored',
  '--hostname': 'name_ignored',
  '-l': 'name_ignored',
  '--label': 'name_ignored',
  '--pull': 'machine_decides',
  '--restart': 'always_restarted',
  '--gpus': 'machine_decides',
  '-m': 'machine_decides',
  '--memory': 'machine_decides',
  '--memory-swap': 'machine_decides',
  '-c': 'machine_decides',
  '--cpus': 'machine_decides',
  '--cpuset-cpus': 'machine_decides',
  '--shm-size': 'machine_decides',
  '--ulimit': 'machine_decides',
  '--platform': 'machine_decides',
  '--runtime': 'machine_decides',
  '--stop-timeout': 'machine_decides',
  '--health-cmd': 'probe_ignored',
  '--health-interval': 'probe_ignored',
  '--cap-drop': 'walls',
  '--cap-add': 'no_privilege',
  '--device': 'no_privilege',
  '--pid': 'no_privilege',
  '--ipc': 'no_privilege',
  '--net': 'no_privilege',
  '--network': 'no_privilege',
  '--userns': 'no_privilege',
  '--security-opt': 'no_privilege',
  '--sysctl': 'no_privilege',
  '--cgroup-parent': 'no_privilege',
  '--volumes-from': 'host_path',
}

const SHORT_OF_LONG: Readonly<Record<string, string>> = {
  '--env': '-e',
  '--publish': '-p',
  '--volume': '-v',
  '--user': '-u',
  '--workdir': '-w',
}
const MOUNT_OPTIONS = ['type', 'source', 'src', 'target', 'dst', 'destination']
const READ = ['-e', '-p', '-v', '-u', '-w', '--expose', '--entrypoint', '--mount']

/** Reads a `docker run` line (or podman's), including continuation lines. */
export function fromDockerRun(text: string): Pasted {
  const lineOf = new Map<string, number>()
  const reading = new Reading((path) => lineOf.get(String(path[0])))
  const { words, brokenAt } = text.length > APP_LIMITS.bytes ? { words: [], brokenAt: 1 } : shellWords(text)
  const at = (field: string, word: ShellWord) => {
    lineOf.set(field, word.line)
    return [field]
  }
  const run = words.findIndex(({ text: word }) => word === 'run')
  // A word may also only begin with "run", or go on in the next line.
  if (brokenAt !== undefined || run < 0) {
    lineOf.set('shell', brokenAt ?? 1)
    reading.refuse(['shell'], 'syntax')
    return reading.end('docker')
  }
  let next = run + 1
  for (; next < words.length && (words[next] as ShellWord).text.startsWith('-'); next += 1) {
    const word = words[next] as ShellWord
    let { flag, inline, rest } = splitFlag(word.text)
    // `-dp 80:80`: switches before a letter that takes a value.
    while (rest !== undefined && SWITCHES[flag] && ![...rest].every(isSwitchLetter)) {
      reading.note(at(flag, word), 'name_ignored')
      ;({ flag, inline, rest } = splitFlag(`-${rest}`))
    }
    const field = `${flag}${rest === undefined ? '' : rest}`
    const isSwitch = SWITCHES[flag]
    if (isSwitch) {
      if (inline === 'false') continue
      if (isSwitch === 'no_privilege') reading.refuse(at(field, word), isSwitch)
      else reading.note(at(field, word), isSwitch)
      continue
    }
    const known = VALUED[flag] ?? (READ.includes(flag) ? 'read' : undefined)
    const glued = inline ?? rest
    if (known === undefined) {
      reading.refuse(at(field, word), 'unsupported')
      // Whether the flag takes a value is unknown, so the next word might be mistaken for the image.
      return reading.end('docker')
    }
    if (glued === undefined) next += 1
    const holder = words[next]
    if (holder === undefined) {
      reading.refuse(at(flag, word), 'missing')
      break
    }
    const value = glued ?? holder.text
    const path = at(`${flag} ${value.slice(0, 80)}`, holder)
    if (known === 'read') readFlag(reading, flag, value, holder, path)
    else if (known === 'no_privilege' || known === 'host_path') reading.refuse(path, known)
    else reading.note(path, known)
  }
  const image = words[next]
  if (image) {
    if (image.variables.length > 0) reading.refuse(at('image', image), 'no_value')
    reading.take('image', image.text, at('image', image))
    const args = words.slice(next + 1)
    for (const word of args) if (word.variables.length > 0) reading.refuse(at(word.text.slice(0, 80), word), 'no_value')
    if (args.length > 0)
      reading.take(
        'args',
        args.map(({ text: word }) => word),
        at('args', args[0] as ShellWord),
      )
  }
  reading.draft.ports = withUsualHttp(reading.draft.ports) ?? []
  return reading.end('docker')
}

const isSwitchLetter = (letter: string): boolean => SWITCHES[`-${letter}`] !== undefined

/** `--env=A=1` is a flag with its value, `-p80:80` and `-it` a letter with what follows it. */
function splitFlag(word: string): { flag: string; inline?: string; rest?: string } {
  if (word.startsWith('--')) {
    const equals = word.indexOf('=')
    const long = equals < 0 ? word : word.slice(0, equals)
    return { flag: SHORT_OF_LONG[long] ?? long, ...(equals < 0 ? {} : { inline: word.slice(equals + 1) }) }
  }
  if (word[2] === '=') return { flag: word.slice(0, 2), inline: word.slice(3) }
  return { flag: word.slice(0, 2), ...(word.length > 2 ? { rest: word.slice(2) } : {}) }
}

function readFlag(reading: Reading, flag: string, value: string, word: ShellWord, path: string[]): undefined {
  if (flag === '-e') {
    const equals = value.indexOf('=')
    // Taken from the shell environment.
    if (equals < 0) return reading.addSecret(value, path)
    const name = value.slice(0, equals)
    const text = value.slice(equals + 1)
    const [variable] = word.variables
    if (variable !== undefined && (text === `$${variable}` || text === `\${${variable}}`)) return reading.addSecret(name, path)
    if (variable !== undefined) return reading.refuse(path, 'no_value')
    return reading.addEnv(name, text, path)
  }
  if (word.variables.length > 0) return reading.refuse(path, flag === '-v' || flag === '--mount' ? 'host_path' : 'no_value')
  if (flag === '-p' || flag === '--expose') {
    const port = readPublished(value)
    if (!port) return reading.refuse(path, 'invalid')
    if (port.outside) reading.note(path, 'outside_port')
    return reading.add('ports', { protocol: port.protocol, port: port.port }, path)
  }
  if (flag === '-v') {
    const [first = '', target, ...modes] = value.split(':')
    if (target !== undefined && !/^[a-zA-Z0-9][\w.-]*$/.test(first)) return reading.refuse(path, 'host_path')
    if (modes.some((mode) => mode !== 'rw')) return reading.refuse(path, 'unsupported')
    reading.note(path, 'one_disk')
    return reading.add('volumes', target ?? first, path)
  }
  if (flag === '--mount') {
    const parts = Object.fromEntries(value.split(',').map((part) => part.split('=') as [string, string]))
    const target = parts.target ?? parts.dst ?? parts.destination
    if (parts.type === 'bind') return reading.refuse(path, 'host_path')
    const others = Object.keys(parts).filter((name) => !MOUNT_OPTIONS.includes(name))
    if ((parts.type ?? 'volume') !== 'volume' || others.length > 0) return reading.refuse(path, 'unsupported')
    reading.note(path, 'one_disk')
    return reading.add('volumes', target, path)
  }
  if (flag === '-u') return reading.take('user', value, path)
  if (flag === '-w') return reading.take('workdir', value, path)
  reading.take('command', [value], path)
}
