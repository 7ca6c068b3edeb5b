import type { Preset, PresetSetting } from '@rackfair/rules/presets'
import { count, fieldsOf, flag, listOf, malformed, oneOf, type Read, seconds, text, textOf } from './fields.ts'

const MAX_PRESETS = 1000
const MAX_SETTINGS = 100
const MAX_DESCRIPTION = 10_000

/**
 * `GET /v1/presets`, the catalogue.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readPresets(json: unknown): readonly Preset[] {
  return listOf(preset, MAX_PRESETS)(json, 'presets')
}

const preset: Read<Preset> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    id: of('id', count),
    name: of('name', text),
    title: of('title', text),
    logo: of('logo', text),
    description: of('desc', inBoth(textOf(MAX_DESCRIPTION))),
    gpu: { model: of('gpu', text), count: of('nGPU', count) },
    cores: of('cpu', count),
    memoryGb: of('mem', count),
    diskGb: of('disk', count),
    startSeconds: of('startSeconds', seconds),
    access: of('access', oneOf('public', 'owner')),
    tried: of('tried', flag),
    settings: of('env', listOf(setting, MAX_SETTINGS)),
    image: of('image', text),
  }
}

const setting: Read<PresetSetting> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    name: of('name', text),
    label: of('label', inBoth(text)),
    default: of('default', text),
    pattern: of('pattern', pattern),
    maxLength: of('maxLength', count),
    secret: of('secret', flag),
  }
}

/** A pattern that does not compile would break the form that uses it. */
const pattern: Read<string> = (json, name) => {
  const read = text(json, name)
  try {
    new RegExp(read, 'u')
  } catch {
    throw malformed(name, 'a regular expression')
  }
  return read
}

const inBoth =
  (read: Read<string>): Read<{ en: string; zh: string }> =>
  (json, name) => {
    const of = fieldsOf(json, name)
    return { en: of('en', read), zh: of('zh', read) }
  }
