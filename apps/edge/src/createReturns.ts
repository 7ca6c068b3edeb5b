import type { Socket } from 'node:net'
import type { Control } from './createControls.ts'
import type { Refusal } from './createMetrics.ts'

export type Returns = ReturnType<typeof createReturns>

/**
 * Waits for agents that are away: one that was updated, whose address has changed, or whose edge was restarted, is back in a moment. Who
 * waits counts as a stranger, or as a visitor, elsewhere.
 */
export function createReturns(awayMs: number) {
  const waiting = new Set<() => void>()
  return {
    /** Calls `done` with what `find` finds: at once, or when it is back, or with `away` after `awayMs`. Not if the visitor has gone. */
    await(find: () => Control | Refusal, visitor: Socket, done: (found: Control | Refusal) => void): void {
      const end = (found: Control | Refusal) => {
        leave()
        visitor.off('close', leave)
        done(found)
      }
      const again = (isLast = false) => {
        const found = find()
        if (found !== 'away' || isLast) end(found)
      }
      const timer = setTimeout(again, awayMs, true).unref()
      const leave = () => {
        clearTimeout(timer)
        waiting.delete(again)
      }
      waiting.add(again)
      visitor.once('close', leave)
      again()
    },
    /** An agent has come. */
    came(): void {
      for (const again of [...waiting]) again()
    },
  }
}
