/** What of a receipt is compared: who and for how much, the money of each event, every second, and what monitors reported. */
export type ReceiptPart = 'order' | 'money' | 'time' | 'downtime'

/** A figure of a receipt that is not what chain and evidence say. */
export interface ReceiptDifference {
  /** The line or span of the receipt that it stands in, counted from 0; undefined where it is about all of it. */
  row: number | undefined
  field: string
  /** What the receipt says, and what was found. */
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
  /** There is no difference in any part. */
  agrees: boolean
  checks: readonly ReceiptCheck[]
}

/** More differences of one part than anybody reads are not kept. */
const MAX_DIFFERENCES = 50

/** Compares figures of one part and keeps what differs. */
export function createCheck(part: ReceiptPart) {
  const differences: ReceiptDifference[] = []
  let compared = 0
  return {
    /** Compares as text, so that numbers, big numbers and addresses of either case are alike. */
    same(field: string, said: unknown, found: unknown, row?: number): void {
      compared += 1
      const [one, other] = [textOf(said), textOf(found)]
      if (one !== other && differences.length < MAX_DIFFERENCES) differences.push({ row, field, said: one, found: other })
    },
    /** Counts what was compared elsewhere. */
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
