import type { AppError } from '@rackfair/rules/errors/AppError'

/** Failures of a machine. An image of the catalogue is the market's, so its renter can cause none of them. */
const OF_MACHINE: readonly string[] = [
  'image_missing',
  'engine_unavailable',
  'isolation_unavailable',
  'gpu_unavailable',
  'node_oversold',
  'disk_full',
]

/**
 * Whether an application does not run for a cause that its provider answers for. Of an own image only what no image can bring about counts:
 * a broken GPU, and errors that say `machine` in their facts. How an engine fails on a stranger's image is up to that image; an engine that
 * fails on everything is noticed without it.
 */
export function isMachineFault({ code, facts }: Pick<AppError, 'code' | 'facts'>, kind: 'preset' | 'own'): boolean {
  return facts.machine === true || (kind === 'preset' ? OF_MACHINE.includes(code) : code === 'gpu_unavailable')
}
