import type { Preset } from '@rackfair/rules/presets'

/** The applications that do not run: those for the same reason together, so that it is read once. */
export function byReason<One extends Pick<Preset, 'title'>>(
  presets: readonly One[],
  whyNot: (preset: One) => string,
): Map<string, string[]> {
  const reasons = new Map<string, string[]>()
  for (const preset of presets) {
    const why = whyNot(preset)
    if (why !== '') reasons.set(why, [...(reasons.get(why) ?? []), preset.title])
  }
  return reasons
}
