/** The start of the UTC day of a moment, unix seconds. */
export function dayOf(seconds: number): number {
  return seconds - (seconds % 86_400)
}
