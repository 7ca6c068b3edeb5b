/** Dates of answers are whole seconds and arrive a moment late: below this a device's clock counts as right. */
const RIGHT_MS = 5000

let aheadMs = 0

/** Learns from the `Date` of an answer how far this device's clock is off. An answer that a cache kept for some time says nothing. */
export function noteServerDate(headers: Pick<Headers, 'get'>): void {
  const date = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(date) || Number(headers.get('age') ?? 0) > 0) return
  // The date was cut to a second.
  const off = Date.now() - (date + 500)
  aheadMs = Math.abs(off) < RIGHT_MS ? 0 : off
}

/**
 * The platform's time in unix seconds, as far as its answers have told it, else that of this device. Every text that is signed bears this
 * time: who verifies it does not know the clock of the device.
 */
export const serverSeconds = (): number => Math.floor((Date.now() - aheadMs) / 1000)

/** How many minutes this device's clock is ahead of the platform's, rounded; negative if it is behind, 0 if it is right. */
export const clockMinutesAhead = (): number => Math.round(aheadMs / 60_000) || 0
