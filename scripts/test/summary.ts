import type { Result, Step } from './Step.ts'

interface Unchanged {
  kind: Step['kind']
  /** How many passed when it last ran. */
  passed: number
}

/**
 * The end of a run: failures with their reasons, the checks, and the counts of the tests on a line of their own. Tests of steps that were
 * skipped because nothing has changed count as skipped; a failed check counts as a failure.
 */
export function summary(results: readonly Result[], unchanged: readonly Unchanged[]): { lines: string[]; failed: boolean } {
  const sum = (key: 'passed' | 'failed' | 'skipped') =>
    results.filter(({ kind }) => kind === 'tests').reduce((total, result) => total + result[key], 0)
  const broken = results.filter(({ failed }) => failed > 0)
  const checks = results.filter(({ kind }) => kind === 'check')
  const holding = checks.filter(({ failed }) => failed === 0).length
  const sameTests = unchanged.filter(({ kind }) => kind === 'tests').reduce((total, { passed }) => total + passed, 0)
  const sameChecks = unchanged.filter(({ kind }) => kind === 'check').length
  const failed = sum('failed') + broken.filter(({ kind }) => kind !== 'tests').length
  const nothingRan = sum('passed') + holding === 0 && unchanged.length === 0
  return {
    lines: [
      ...broken.flatMap(({ name, problem, failures = [] }) => [
        `\n=== ${name} failed${problem ? ` (${problem})` : ''}`,
        ...failures,
      ]),
      ...broken.map(({ name, output }) => `\n=== the end of what ${name} printed\n${output.slice(-6000)}`),
      '',
      ...(unchanged.length > 0
        ? [`${sameTests} tests and ${sameChecks} checks were not run again: nothing that they read has changed (--all runs them)`]
        : []),
      ...(checks.length > 0 ? [`${holding} of ${checks.length} checks of style, types and walls hold`] : []),
      `${sum('passed')} passed, ${failed} failed, ${sum('skipped') + sameTests} skipped`,
    ],
    failed: failed > 0 || nothingRan,
  }
}
