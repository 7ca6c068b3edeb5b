/** Memory of one GPU in GB, by prefix of the model name; several values if a model is sold in several sizes. Longer prefixes first. */
const MEMORY_GB: readonly (readonly [RegExp, readonly number[]])[] = [
  [/\bgb200\b|\bb200\b/, [180]],
  [/\bb300\b/, [288]],
  [/\bh200\b/, [141]],
  [/\bgh200\b/, [96]],
  [/\bh20\b/, [96]],
  [/\bh[18]00\b/, [80, 94]],
  [/\ba[18]00\b/, [40, 80]],
  [/\bv100\b/, [16, 32]],
  [/\bp100\b/, [12, 16]],
  [/\bp40\b|\bm40\b|\ba10g?\b|\ba30\b|\bl4\b/, [24]],
  [/\bl40s?\b|\bl20\b|\ba40\b|\ba6000\b|\b6000 ada\b/, [48]],
  [/\bpro 6000\b/, [96]],
  [/\ba5000\b|\ba5500\b/, [24]],
  [/\b5000 ada\b/, [32]],
  [/\ba4500\b|\b4000 ada\b/, [20]],
  [/\ba4000\b|\bt4\b|\ba16\b/, [16]],
  [/\bmi300x\b/, [192]],
  [/\bmi250x?\b/, [128]],
  [/\bmi210\b/, [64]],
  [/\b5090\b/, [32]],
  [/\b5080\b|\b5070 ti\b|\b4080\b|\b4070 ti super\b/, [16]],
  [/\b4090\b|\b3090\b/, [24]],
  [/\b5060 ti\b|\b4060 ti\b/, [8, 16]],
  [/\b5070\b|\b4070\b|\b3080 ti\b/, [12]],
  [/\b3080\b/, [10, 12]],
  [/\b3060\b/, [12, 8]],
  [/\b5060\b|\b4060\b|\b3070\b|\b2080\b|\b2070\b|\b2060 super\b|\b1080\b|\b1070\b/, [8]],
  [/\b3050\b/, [8, 6]],
  [/\b2060\b/, [6, 12]],
  [/\b1660\b/, [6]],
  [/\b1650\b/, [4]],
]
const SPECIAL: readonly (readonly [RegExp, number])[] = [
  [/\b2080 ti\b|\b1080 ti\b/, 11],
  [/\b3060 ti\b/, 8],
]

/** Possible memory sizes of one GPU of this model in GB, the most common first; empty for an unknown model. */
export function gpuMemoryChoices(model: string): readonly number[] {
  const name = model.toLowerCase().slice(0, 100)
  const special = SPECIAL.find(([pattern]) => pattern.test(name))
  return special ? [special[1]] : (MEMORY_GB.find(([pattern]) => pattern.test(name))?.[1] ?? [])
}

/** Memory of one GPU in GB: the size in the name, else the smallest of the model. Undefined for an unknown model. */
export function gpuMemoryGb(model: string): number | undefined {
  const said = /(?<![\d.])(\d{1,3})\s?gi?b\b/i.exec(model.slice(0, 100))?.[1]
  if (said !== undefined && Number(said) > 0) return Number(said)
  const choices = gpuMemoryChoices(model)
  return choices.length === 0 ? undefined : Math.min(...choices)
}
