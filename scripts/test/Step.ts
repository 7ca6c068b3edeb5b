export interface Counts {
  passed: number
  failed: number
  skipped: number
  /** Printed with the counts. */
  note?: string
  /** The failures, each with its name and the first lines of its error. */
  failures?: readonly string[]
  /** Why tests were skipped. */
  skips?: readonly string[]
}

/** One command of the test run. */
export interface Step {
  name: string
  command: readonly string[]
  cwd?: string
  /** `tests` counts what it ran, a `check` passes or fails, a `preparation` builds what others need and is counted only if it fails. */
  kind: 'tests' | 'check' | 'preparation'
  /** The file that tests write their counts to. */
  report?: { file: string; kind: 'vitest' | 'playwright' }
  /** Reads the counts from what the command printed. */
  countOutput?: (output: string) => Counts
  env?: Readonly<Record<string, string>>
  /** Files and folders that determine its result, relative to the root; without them it always runs. */
  inputs?: readonly string[]
  /** Approximate duration on two idle cores: the longest start first. */
  seconds: number
  /** Part of another step that covers everything: it only runs with `--only`. */
  onlyByName?: boolean
  /** Steps that have to end first, if they run. */
  after?: readonly string[]
  /** Steps it depends on: they run with it and end first. */
  needs?: readonly string[]
}

export interface Result extends Counts {
  name: string
  kind: Step['kind']
  seconds: number
  /** Processor time of the step and all the children it waited for. */
  cpuSeconds: number
  output: string
  /** What went wrong apart from single failed tests. */
  problem?: string
}
