import type { Step } from './Step.ts'

/**
 * Runs every step, `atOnce` at a time: of those that are ready, the longest first, so that no long one is left alone at the end. Resolves
 * when all have ended.
 */
export async function schedule(steps: readonly Step[], atOnce: number, run: (step: Step) => Promise<void>): Promise<void> {
  const waiting = steps.toSorted((a, b) => b.seconds - a.seconds)
  const running = new Map<string, Promise<void>>()
  const isReady = ({ after = [], needs = [] }: Step) =>
    [...after, ...needs].every((name) => !running.has(name) && !waiting.some((step) => step.name === name))
  while (waiting.length > 0 || running.size > 0) {
    const next = running.size < atOnce ? waiting.findIndex(isReady) : -1
    if (next < 0) {
      if (running.size === 0) throw new Error(`steps wait for each other: ${waiting.map(({ name }) => name).join(', ')}`)
      await Promise.race(running.values())
      continue
    }
    const [step] = waiting.splice(next, 1) as [Step]
    running.set(
      step.name,
      run(step).finally(() => running.delete(step.name)),
    )
  }
}
