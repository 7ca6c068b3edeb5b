import { readFileSync } from 'node:fs'
import type { Counts } from './Step.ts'

/** The counts of a vitest or Playwright JSON report. Throws when there is none: a run without a report is not a passed run. */
export function readReport(file: string, kind: 'vitest' | 'playwright'): Counts & { skips: string[] } {
  const report = JSON.parse(readFileSync(file, 'utf8'))
  return kind === 'vitest' ? ofVitest(report) : ofPlaywright(report)
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numFailedTestSuites: number
  numPendingTests: number
  numTodoTests: number
  testResults: { status: string; assertionResults: { status: string; fullName: string }[] }[]
}

function ofVitest(report: VitestReport) {
  // A file that fails before its first test has no failed test of its own.
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((t) => t.status !== 'failed'),
  )
  const skips = report.testResults.flatMap((file) =>
    file.assertionResults.filter((t) => t.status === 'pending' || t.status === 'skipped').map((t) => t.fullName),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
    skips,
  }
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs?: { title: string; tests: { status: string; annotations: { type: string; description?: string }[] }[] }[]
}

function ofPlaywright(
  report: PlaywrightSuite & {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number }
    errors: unknown[]
  },
) {
  const { expected, unexpected, flaky, skipped } = report.stats
  return { passed: expected, failed: unexpected + flaky + report.errors.length, skipped, skips: skippedSpecs(report) }
}

function skippedSpecs(suite: PlaywrightSuite): string[] {
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === 'skipped')
      .map((test) => [spec.title, test.annotations.find((note) => note.type === 'skip')?.description].filter(Boolean).join(': ')),
  )
  return [...own, ...(suite.suites ?? []).flatMap(skippedSpecs)]
}
