import { isPlainValue } from '@rackfair/app-spec/plainText'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Preset } from './loadCatalog.ts'

/** The preset's defaults, overridden by the buyer's values. Only names that the catalogue lists, in the form it allows. */
export function checkEnv(preset: Preset, given: Readonly<Record<string, string>>): Record<string, string> {
  const env: Record<string, string> = {}
  for (const rule of preset.wire.env) if (rule.default !== '') env[rule.name] = rule.default
  for (const [name, value] of Object.entries(given)) {
    const rule = preset.wire.env.find((one) => one.name === name)
    if (!rule) throw refused(name, 'is not a setting of this application')
    if (value.length > rule.maxLength) throw refused(name, `is longer than ${rule.maxLength} characters`)
    if (!isPlainValue(value)) throw refused(name, 'holds a control character or half of one')
    if (!new RegExp(`^(?:${rule.pattern})$`, 'u').test(value)) throw refused(name, 'does not have the form asked for')
    if (value !== '') env[name] = value
  }
  return env
}

function refused(name: string, why: string): AppError {
  return new AppError('env_not_allowed', `${name.slice(0, 64)} ${why}`, { facts: { name: name.slice(0, 64) } })
}
