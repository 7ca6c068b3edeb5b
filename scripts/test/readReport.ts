import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Counts } from './Step.ts'

/** The annotation in which browser tests store the content of a failed page. */
const LAST_PAGE = 'last page'

/** The counts of a vitest or Playwright JSON report. Throws if there is none: a run without a report has not passed. */
export function readReport(file: string, kind: 'vitest' | 'playwright'): Counts {
  const report = JSON.parse(readFileSync(file, 'utf8'))
  return kind === 'vitest' ? ofVitest(report) : ofPlaywright(report)
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numFailedTestSuites: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

function ofVitest(report: VitestReport): Counts {
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
    failures: [
      ...brokenFiles.map((file) => failure(file.name, file.message)),
      ...report.testResults.flatMap((file) =>
        file.assertionResults
          .filter((t) => t.status === 'failed')
          .map((t) => failure(`${basename(file.name)} > ${t.fullName}`, t.failureMessages.join('\n'))),
      ),
    ],
  }
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs?: { title: string; file: string; line: number; tests: PlaywrightTest[] }[]
}

interface PlaywrightTest {
  status: string
  annotations: { type: string; description?: string }[]
  results: { errors: { message?: string }[] }[]
}

function ofPlaywright(
  report: PlaywrightSuite & {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number }
    errors: { message?: string }[]
  },
): Counts {
  const { expected, unexpected, flaky, skipped } = report.stats
  const tests = testsOf(report)
  return {
    passed: expected,
    failed: unexpected + flaky + report.errors.length,
    skipped,
    skips: tests
      .filter(({ status }) => status === 'skipped')
      .map(({ name, annotations }) =>
        [name, annotations.find((note) => note.type === 'skip')?.description].filter(Boolean).join(': '),
      ),
    failures: [
      ...report.errors.map((error) => failure('before any test', error.message ?? '')),
      ...tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ name, results, annotations }) =>
          [
            failure(name, results.flatMap(({ errors }) => errors.map(({ message = '' }) => message)).join('\n')),
            ...annotations.filter(({ type }) => type === LAST_PAGE).map(({ description = '' }) => indented(description)),
          ].join('\n'),
        ),
    ],
  }
}

function testsOf(suite: PlaywrightSuite): (PlaywrightTest & { name: string })[] {
  const own = (suite.specs ?? []).flatMap(({ title, file, line, tests }) =>
    tests.map((test) => ({ ...test, name: `${file}:${line} ${title}` })),
  )
  return [...own, ...(suite.suites ?? []).flatMap(testsOf)]
}

const indented = (text: string) =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')

/** A test's name with the first lines of its error, without ANSI colors. */
function failure(name: string, message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at .*(node_modules|<anonymous>)/.test(line))
  return [name, ...lines.slice(0, 14).map((line) => `    ${line.slice(0, 240)}`)].join('\n')
}
