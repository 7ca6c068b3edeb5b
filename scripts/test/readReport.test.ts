import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readReport } from './readReport.ts'

const folder = mkdtempSync(join(tmpdir(), 'rackfair-report-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('prints the last page of a failed browser test', () => {
  const file = join(folder, 'pages.json')
  const spec = (title: string, status: string) => ({
    title,
    ...{ file: 'a.spec.ts', line: 3 },
    tests: [
      {
        status,
        annotations: [{ type: 'last page', description: 'at http://127.0.0.1/\nNot sent: the name is taken' }],
        results: [{ errors: status === 'unexpected' ? [{ message: 'Error: \u001b[31mexpected true\u001b[39m' }] : [] }],
      },
    ],
  })
  const stats = { expected: 1, unexpected: 1, flaky: 0, skipped: 0 }
  const specs = [spec('buys', 'unexpected'), spec('sells', 'expected')]
  writeFileSync(file, JSON.stringify({ stats, errors: [], suites: [{ specs }] }))
  const counts = readReport(file, 'playwright')
  expect(counts).toMatchObject({ passed: 1, failed: 1, skipped: 0 })
  expect(counts.failures).toEqual([
    'a.spec.ts:3 buys\n    Error: expected true\n    at http://127.0.0.1/\n    Not sent: the name is taken',
  ])
})
