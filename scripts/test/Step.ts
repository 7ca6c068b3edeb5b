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

/** One command of the test run. */
export interface Step {
  name: string
  command: readonly string[]
  cwd?: string
  /** `tests` counts what it ran, a `check` holds or does not, a `preparation` makes what others need and counts only when it fails. */
  kind: 'tests' | 'check' | 'preparation'
  /** The file that tests write their counts to. */
  report?: { file: string; kind: 'vitest' | 'playwright' }
  /** Reads the counts from what the command printed. */
  countOutput?: (output: string) => Counts
  env?: Readonly<Record<string, string>>
  /** Files and folders that decide its result, from the root; without them it always runs. */
  inputs?: readonly string[]
  /** About how long it takes on two quiet cores: the longest start first. */
  seconds: number
  /** Part of what another step does for everything: it runs with `--only`. */
  onlyByName?: boolean
  /** Steps that have to end first, if they run. */
  after?: readonly string[]
  /** Steps that it stands on: they run with it and end first. */
  needs?: readonly string[]
}

export interface Result extends Counts {
  name: string
  kind: Step['kind']
  seconds: number
  /** Of the processor, by the step and all that it started and waited for. */
  cpuSeconds: number
  output: string
  /** What was wrong beside single failed tests. */
  problem?: string
}
