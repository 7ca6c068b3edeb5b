import { CPU_PRESETS, GPU_PRESETS, MAX_MODEL_BYTES } from '@rackfair/core'

/** `NVIDIA GeForce RTX 3080 Ti Laptop GPU` -> `RTX 3080 Ti`: the price list's name where there is one. */
export function gpuModelName(raw: string): string {
  const clean = squeeze(raw.replace(/\b(NVIDIA|GeForce|AMD|Radeon Pro|Corporation|GPU|Graphics)\b/gi, ' '))
  return matching(clean, GPU_PRESETS) ?? fit(clean || squeeze(raw))
}

/** `Intel(R) Xeon(R) Silver 4316 CPU @ 2.30GHz` -> `Xeon Silver 4316`. */
export function cpuModelName(raw: string): string {
  const clean = squeeze(
    raw
      .replace(/\((R|TM)\)|®|™/gi, ' ')
      .replace(/@.*$/, ' ')
      .replace(/\b(Intel|AMD|GenuineIntel|AuthenticAMD|CPU|Processor|\d+-Core)\b/gi, ' '),
  )
  return matching(clean, CPU_PRESETS) ?? fit(clean || squeeze(raw))
}

/** The longest preset name whose words all occur in order, so that `3080 Ti` is not mistaken for `3080`. */
function matching(text: string, presets: readonly { model: string }[]): string | undefined {
  const padded = ` ${text.toLowerCase()} `
  return presets
    .map(({ model }) => model)
    .filter((model) => padded.includes(` ${model.toLowerCase()} `))
    .sort((a, b) => b.length - a.length)[0]
}

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The chain stores at most 31 bytes. */
const fit = (text: string): string => cutToBytes(text, MAX_MODEL_BYTES)

export function cutToBytes(text: string, bytes: number): string {
  let short = text
  while (Buffer.byteLength(short) > bytes) short = short.slice(0, -1)
  return short.trim()
}
