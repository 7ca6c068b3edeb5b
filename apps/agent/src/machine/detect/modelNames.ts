import { cpuModelOf, gpuModelOf, isGpu } from '@rackfair/rules/gpu/gpuName'
import { MAX_MODEL_BYTES } from '@rackfair/rules/limits'
import { CPU_PRESETS, GPU_PRESETS } from '@rackfair/rules/presets'

/** `NVIDIA GeForce RTX 4090` -> `RTX 4090`: the price list's name where there is one. A laptop's card is another one, with less memory. */
export function gpuModelName(raw: string): string {
  const listed = GPU_PRESETS.find(({ model }) => isGpu(raw, model))
  const clean = squeeze(raw.replace(/\b(NVIDIA|GeForce|AMD|Radeon Pro|Corporation|GPU|Graphics)\b/gi, ' '))
  const isLong = Buffer.byteLength(clean) > MAX_MODEL_BYTES
  return listed?.model ?? fit((isLong ? gpuModelOf(raw) : clean) || squeeze(raw))
}

/** `Intel(R) Xeon(R) Silver 4316 CPU @ 2.30GHz` -> `Xeon Silver 4316`. */
export function cpuModelName(raw: string): string {
  const clean = cpuModelOf(raw)
  const padded = ` ${clean.toLowerCase()} `
  const listed = CPU_PRESETS.map(({ model }) => model).filter((model) => padded.includes(` ${model.toLowerCase()} `))
  return listed.sort((a, b) => b.length - a.length)[0] ?? fit(clean || squeeze(raw))
}

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The chain stores at most 31 bytes. */
const fit = (text: string): string => cutToBytes(text, MAX_MODEL_BYTES)

export function cutToBytes(text: string, bytes: number): string {
  let short = text
  while (Buffer.byteLength(short) > bytes) short = short.slice(0, -1)
  return short.trim()
}
