import { isPlainValue } from '@rackfair/app-spec/plainText'
import type { PresetSetting } from '@rackfair/rules/presets'

/** Why a value is refused; the agent checks the same again. */
export function environmentProblem(rule: PresetSetting, value: string): 'form' | 'too_long' | undefined {
  if (value.length > rule.maxLength) return 'too_long'
  if (!isPlainValue(value)) return 'form'
  return new RegExp(`^(?:${rule.pattern})$`, 'u').test(value) ? undefined : 'form'
}

/** The values that are sent: only those that differ from the default, so that an untouched form signs nothing extra. */
export function environmentToSend(
  rules: readonly PresetSetting[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const changed = rules.filter((rule) => values[rule.name] !== undefined && values[rule.name] !== rule.default)
  return Object.fromEntries(changed.map((rule) => [rule.name, values[rule.name] ?? '']))
}

/** What the fields show before anybody has typed. */
export function environmentDefaults(rules: readonly PresetSetting[]): Record<string, string> {
  return Object.fromEntries(rules.map((rule) => [rule.name, rule.default]))
}

export function isEnvironmentWrong(rules: readonly PresetSetting[], values: Readonly<Record<string, string>>): boolean {
  return rules.some((rule) => environmentProblem(rule, values[rule.name] ?? '') !== undefined)
}
