import type { Counts } from './Step.ts'

/** Parses the last line `N passed, N failed, N skipped` of one of our commands, and why it skipped: the lines `skipped: why`. */
export function readCounts(output: string): Counts {
  const last = [...output.matchAll(/^(\d+) passed, (\d+) failed, (\d+) skipped$/gm)].at(-1)
  if (!last) throw new Error('no line with counts')
  const skips = [...output.matchAll(/^skipped: (.+)$/gm)].map(([, why]) => why as string)
  return { passed: Number(last[1]), failed: Number(last[2]), skipped: Number(last[3]), skips }
}
