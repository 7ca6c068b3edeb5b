import type { Preset } from '@rackfair/rules/presets'
import {
  count,
  flag,
  from,
  group,
  into,
  listOf,
  malformed,
  object,
  oneOf,
  optional,
  seconds,
  text,
  textOf,
  unread,
  type WireOf,
} from './shape.ts'

export const MAX_PRESETS = 1000
const MAX_SETTINGS = 100
const MAX_PORTS = 16
const MAX_DESCRIPTION = 10_000
const MAX_YAML = 100_000
const MAX_URL = 300

const inBoth = (max: number) => object({ en: textOf(max), zh: textOf(max) })

/** A pattern that does not compile would break the form that uses it. */
const pattern = into(text, (read, name) => {
  try {
    new RegExp(read, 'u')
  } catch {
    throw malformed(name, 'a regular expression')
  }
  return read
})

/** A setting of a catalogue application. */
const setting = object({
  name: textOf(64, /^[A-Z][A-Z0-9_]{0,63}$/),
  label: inBoth(1000),
  default: text,
  /** A regular expression that has to match the whole value. */
  pattern,
  maxLength: count,
  secret: flag,
})

/** A TCP or UDP port of a catalogue application, beside its page. */
const port = object({ protocol: oneOf('tcp', 'udp'), port: count })

/** An application of the catalogue. */
export const preset = object({
  id: count,
  name: text,
  title: text,
  /** File name of its logo, served by the platform. */
  logo: text,
  /** Its Kubernetes file. */
  yaml: unread(textOf(MAX_YAML)),
  description: from('desc', inBoth(MAX_DESCRIPTION)),
  /** The recommended model, or an empty string, and how much memory each GPU must have, in GB; 0 where any is enough. */
  gpu: group({ model: from('gpu', text), count: from('nGPU', count), memoryGb: from('vram', count) }),
  cores: from('cpu', count),
  memoryGb: from('mem', count),
  diskGb: from('disk', count),
  /** Seconds from request to running that the preset's author expects if the image is present. */
  startSeconds: seconds,
  access: oneOf('public', 'owner'),
  /** False until this project has run the application itself. */
  tried: flag,
  settings: from('env', listOf(setting, MAX_SETTINGS)),
  image: text,
  /** Of an image that is built on the machine: how large it becomes. */
  imageMb: optional(count),
  ports: listOf(port, MAX_PORTS),
  /** Under which terms its authors give it away: its name, empty where they name none, and where they say so. */
  licence: object({ name: text, url: textOf(MAX_URL, /^https:\/\//) }),
})
export type PresetWire = WireOf<typeof preset>

/** `GET /v1/presets`: the catalogue. */
export const presetList = listOf(preset, MAX_PRESETS)

/**
 * `GET /v1/presets`, the catalogue.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export const readPresets = (json: unknown): readonly Preset[] => presetList(json, 'presets')
