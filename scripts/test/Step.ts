export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Worth saying beside the counts. */
  note?: string
  /** What failed, each by its name and the first lines of why. */
  failures?: readonly string[]
  /** Why tests were skipped. */
  skips?: readonly string[]
}

/** One command of the test run. `report` is the file it writes its counts to; without one the exit code is the single check. */
export interface Step {
  name: string
  command: readonly string[]
  cwd?: string
  report?: { file: string; kind: 'vitest' | 'playwright' }
  /** Reads the counts from what the command printed. */
  countOutput?: (output: string) => Counts
  env?: Readonly<Record<string, string>>
  /** Steps that have to end first, if they run. */
  after?: readonly string[]
  /** Steps that it stands on: they run with it and end first. */
  needs?: readonly string[]
  /** It makes what others need, and tests nothing: it counts only when it fails. */
  prepares?: true
}

export interface Result extends Counts {
  name: string
  seconds: number
  /** Of the processor, by the step and all that it started and waited for. */
  cpuSeconds: number
  output: string
  /** What was wrong beside single failed tests. */
  problem?: string
}
