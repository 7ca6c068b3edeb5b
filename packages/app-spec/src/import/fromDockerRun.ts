import type { Beside } from './Beside.ts'
import { type Flag, givenFlags } from './dockerFlags.ts'
import { readPublished, withUsualHttp } from './foreignPorts.ts'
import { isHostPath, readMemoryMount, readMount, takeMount } from './foreignVolumes.ts'
import type { Path } from './paths.ts'
import { type Pasted, Reading } from './Reading.ts'
import { type ShellCommand, type ShellWord, shellCommands } from './shellCommands.ts'
import { asWritten, fillIn, isUnknown, variablesOf } from './unknownValue.ts'

const ENGINE = /^(?:docker|podman|nerdctl)$/
/** Programs that run the command behind them. */
const WRAPPER = /^(?:sudo|doas|env|command|exec|nohup|time|winpty)$/
/** What looks at containers and changes none. */
const HARMLESS = /^(?:logs|ps|exec|stop|start|inspect|attach|port|stats|images|top|version|info|wait|cp)$/

/** Reads a `docker run` line (or podman's, or nerdctl's) with what stands around it in documentation. */
export function fromDockerRun(text: string, beside: Beside = {}): Pasted {
  const lineOf = new Map<string, number>()
  const reading = new Reading((path) => lineOf.get(String(path[0])), { beside })
  const at = (field: string, line: number): Path => {
    lineOf.set(field, line)
    return [field]
  }
  const { commands, brokenAt } = shellCommands(text, new Set(Object.keys(beside.variables ?? {})))
  const index = commands.findIndex((command) => engineWords(command, /^(?:run|create)$/) !== undefined)
  const command = commands[index]
  // What is not closed may hide the end of the command.
  if (brokenAt !== undefined || !command) {
    reading.refuse(at('shell', brokenAt ?? 1), 'syntax')
    return reading.end('docker')
  }
  for (const { words, line } of commands.slice(0, index)) reading.note(at(shown(words), line), 'not_run')
  readRun(reading, engineWords(command, /^(?:run|create)$/) ?? [], at)
  readRest(reading, command, commands.slice(index + 1), at)
  reading.draft.ports = withUsualHttp(reading.draft.ports) ?? []
  return reading.end('docker')
}

/** Whether a text contains a command that starts a container. */
export function hasDockerRun(text: string): boolean {
  return /(?:^|[\s;&|(])(?:docker|podman|nerdctl)\s+(?:\S+\s+){0,6}?(?:run|create)(?:["'`\s\\]|$)/m.test(
    text.replace(/^\s*#.*$/gm, ''),
  )
}

const shown = (words: readonly ShellWord[]): string =>
  words
    .map(({ text }) => text)
    .join(' ')
    .slice(0, 80)

/** The words behind `docker run`, or behind another command of an engine; undefined for another program. */
function engineWords({ words }: ShellCommand, command: RegExp): ShellWord[] | undefined {
  let at = 0
  if (/^[$%>]$/.test(words[0]?.text ?? '')) at += 1
  while (WRAPPER.test(words[at]?.text ?? '')) {
    at += 1
    while (/^-|^[A-Za-z_]\w*=/.test(words[at]?.text ?? '')) at += 1
  }
  if (!ENGINE.test(words[at]?.text ?? '')) return undefined
  at += 1
  while (words[at]?.text.startsWith('-'))
    at += /^(?:-H|--host|--context|-c|-l|--log-level|--config|-n|--namespace)$/.test(words[at]?.text ?? '') ? 2 : 1
  if (words[at]?.text === 'container') at += 1
  return command.test(words[at]?.text ?? '') ? words.slice(at + 1) : undefined
}

/** What follows the command may look at the container; whatever else it does, this page would not do. */
function readRest(
  reading: Reading,
  run: ShellCommand,
  others: readonly ShellCommand[],
  at: (field: string, line: number) => Path,
) {
  let { operator, operatorLine = 1 } = run
  for (const other of others) {
    if (operator !== ';' && operator !== '&&') break
    if (engineWords(other, /^(?:run|create)$/)) {
      reading.refuse(at(shown(other.words), other.line), 'one_service')
      return
    }
    if (!engineWords(other, HARMLESS)) {
      reading.refuse(at('shell', other.line), 'syntax')
      return
    }
    reading.note(at(shown(other.words), other.line), 'not_run')
    ;({ operator, operatorLine = 1 } = other)
  }
  if (operator !== undefined && operator !== ';') reading.refuse(at('shell', operatorLine), 'syntax')
}

function readRun(reading: Reading, words: readonly ShellWord[], at: (field: string, line: number) => Path): undefined {
  let next = 0
  const known = (text: string, path: Path): string => filled(reading, text, path)
  for (; words[next]?.text.startsWith('-') && words[next]?.text !== '--'; next += 1) {
    const word = words[next] as ShellWord
    for (const { name, flag, value } of givenFlags(word.text)) {
      if (!flag) {
        reading.refuse(at(asWritten(name).slice(0, 80), word.line), 'unsupported')
        // Whether the flag takes a value is unknown. With an image behind the next word, it does.
        if (value === undefined && isImageBehind(words, next + 1)) next += 1
        continue
      }
      if (flag.takes === 'switch') {
        if (value !== undefined && /^(?:false|0|f)$/i.test(value)) continue
        readSwitch(reading, flag, name, at(name, word.line))
        continue
      }
      if (value === undefined) next += 1
      const holder = words[next]
      if (!holder) {
        reading.refuse(at(name, word.line), 'missing')
        break
      }
      const given = value ?? holder.text
      const path = at(`${name} ${asWritten(given).slice(0, 80)}`.trim(), holder.line)
      if (flag.does === 'read') readValue(reading, name, name === '-e' ? given : known(given, path), path)
      else reading.settle(flag.does, given, path)
    }
  }
  if (words[next]?.text === '--') next += 1
  const image = words[next]
  if (!image) return
  // A shell may make several words of it, and flags as well.
  if (image.isOpen && /^\0(?:\$\(|`)/.test(image.text)) return reading.refuse(at('shell', image.line), 'syntax')
  reading.take('image', known(image.text, at('image', image.line)), at('image', image.line))
  const args = words.slice(next + 1).map((word) => {
    const path = at(asWritten(word.text).slice(0, 80), word.line)
    return isUnknown(word.text) ? { ...word, text: known(word.text, path) } : word
  })
  for (const word of args) if (isUnknown(word.text)) reading.lacks(word.text, at(asWritten(word.text).slice(0, 80), word.line))
  const [first] = args
  if (first && !args.some(({ text }) => isUnknown(text)))
    reading.take(
      'args',
      args.map(({ text }) => text),
      at('args', first.line),
    )
}

/** A text with the variables that were given filled in; that they were is said. */
function filled(reading: Reading, text: string, path: Path): string {
  const { variables = {} } = reading.beside
  for (const name of variablesOf(text)) if (Object.hasOwn(variables, name)) reading.want('variable', name, path)
  return fillIn(text, variables)
}

/** Whether a word is more likely the value of an unknown flag than the image: it is none, and another flag or a name is behind it. */
function isImageBehind(words: readonly ShellWord[], index: number): boolean {
  const [word, behind] = [words[index]?.text, words[index + 1]?.text]
  if (word === undefined || behind === undefined || word.startsWith('-')) return false
  return behind.startsWith('-') ? !/[/:]/.test(word) : /[/:]/.test(behind) && !/[/:]/.test(word)
}

function readSwitch(reading: Reading, flag: Flag, name: string, path: Path): undefined {
  if (flag.does !== 'read') return reading.settle(flag.does, name, path)
  // Which ports the image names is known where it is run only.
  reading.note(path, 'name_ports')
}

function readValue(reading: Reading, name: string, value: string, path: Path): undefined {
  switch (name) {
    case '-e': {
      const equals = value.indexOf('=')
      // Without a value, it is taken from the shell environment.
      if (equals < 0) return reading.addSecret(value, path)
      const text = value.slice(equals + 1)
      const known = fillIn(text, reading.beside.variables ?? {})
      if (known !== text && !isUnknown(known)) reading.filled.set(text, known)
      return reading.addEnv(value.slice(0, equals), text, path)
    }
    case '--env-file':
      return reading.addValuesFile(value, path, true)
    case '-p': {
      const ports = readPublished(value)
      if (ports === 'unknown') return reading.lacks(value, path)
      if (!ports) return reading.refuse(path, 'invalid')
      for (const { protocol, port, closed } of ports) if (!closed) reading.addPort({ protocol, port }, path)
      if (ports[0]?.closed) reading.note(path, 'closed_port')
      else if (ports[0]?.outside) reading.note(path, 'outside_port')
      return
    }
    case '--expose': {
      const ports = readPublished(value)
      if (ports === 'unknown') return reading.lacks(value, path)
      return ports ? reading.note(path, 'closed_port') : reading.refuse(path, 'invalid')
    }
    case '-v': {
      const mount = readMount(value)
      return mount ? takeMount(reading, mount, path) : reading.refuse(path, 'invalid')
    }
    case '--tmpfs':
      return takeMount(reading, readMemoryMount(value), path)
    case '--shm-size':
      return reading.takeSharedMemory(value, 1024, path)
    case '--mount':
      return readMountOptions(reading, value, path)
    case '-u':
      return reading.take('user', value, path)
    case '-w':
      return reading.take('workdir', value, path)
    default:
      // Without one, the words behind the image are the command.
      return reading.take('command', value === '' ? [] : [value], path)
  }
}

function readMountOptions(reading: Reading, value: string, path: Path): undefined {
  const parts = new Map(
    value.split(',').map((part): [string, string] => {
      const equals = part.indexOf('=')
      return equals < 0 ? [part, 'true'] : [part.slice(0, equals), part.slice(equals + 1)]
    }),
  )
  const first = (...names: string[]) => names.map((name) => parts.get(name)).find((one) => one !== undefined) ?? ''
  const type = parts.get('type') ?? 'volume'
  const source = first('source', 'src')
  const isReadOnly = /^(?:true|1)$/.test(first('readonly', 'ro'))
  if (!/^(?:volume|bind|tmpfs)$/.test(type) || parts.has('volume-driver')) return reading.refuse(path, 'unsupported')
  const isHost = type === 'bind' || isHostPath(source)
  const isPart = parts.has('volume-subpath')
  const size = { text: first('tmpfs-size'), thousands: 1024 } as const
  takeMount(
    reading,
    { source, target: first('target', 'dst', 'destination'), isHost, isReadOnly, isPart, isMemory: type === 'tmpfs', size },
    path,
  )
}
