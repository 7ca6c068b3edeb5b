/** The buckets (5 min, 1 h, 1 d) that a moment falls into, each with its start time. */
export function statSteps(seconds: number): { step: number; time: number }[] {
  return [300, 3_600, 86_400].map((step) => ({ step, time: seconds - (seconds % step) }))
}
