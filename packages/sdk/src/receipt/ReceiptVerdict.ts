/** The parts of a receipt that are verified: parties and prices, the money of each event, every second, and what monitors reported. */
export type ReceiptPart = 'order' | 'money' | 'time' | 'downtime'

/** A figure of a receipt that disagrees with chain and evidence. */
export interface ReceiptDifference {
  /** The line or span of the receipt it is on, counted from 0; undefined if it concerns the whole receipt. */
  row: number | undefined
  field: string
  /** What the receipt says, and what was found instead. */
  said: string
  found: string
}

export interface ReceiptCheck {
  part: ReceiptPart
  /** How many figures, events, seconds or reports were compared. */
  compared: number
  differences: readonly ReceiptDifference[]
}

export interface ReceiptVerdict {
  /** No part has a difference. */
  agrees: boolean
  checks: readonly ReceiptCheck[]
}

/** Differences kept per part. */
const MAX_DIFFERENCES = 50

/** Compares the figures of one part and collects the differences. */
export function createCheck(part: ReceiptPart) {
  const differences: ReceiptDifference[] = []
  let compared = 0
  return {
    /** Compares as text, so that numbers, bigints and addresses of either case match. */
    same(field: string, said: unknown, found: unknown, row?: number): void {
      compared += 1
      const [one, other] = [textOf(said), textOf(found)]
      if (one !== other && differences.length < MAX_DIFFERENCES) differences.push({ row, field, said: one, found: other })
    },
    /** Adds comparisons made elsewhere. */
    counted(count: number): void {
      compared += count
    },
    done: (): ReceiptCheck => ({ part, compared, differences }),
  }
}
export type Check = ReturnType<typeof createCheck>

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–'
  const text = String(value)
  return text.startsWith('0x') ? text.toLowerCase() : text
}
