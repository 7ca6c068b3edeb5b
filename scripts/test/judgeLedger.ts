import type { Ledger } from './Ledger.ts'

/** The problems of the ledger, one sentence each. `read` returns the text of a file of the checkout, undefined if there is none. */
export function judgeLedger(ledger: Ledger, read: (path: string) => string | undefined): string[] {
  const listed = ledger.points.flatMap((point) => point.ids)
  const known = new Set(listed)
  const present = new Set(ledger.rows.map((row) => row.id))
  const used = new Set(ledger.rows.flatMap((row) => row.decisions))
  return [
    ...ledger.open,
    ...ledger.points
      .filter(({ rows, ids }) => rows !== ids.length)
      .map(({ point, rows, ids }) => `point ${point} lists ${ids.length} ids and says ${rows}`),
    ...twice(listed).map((id) => `${id} is listed twice`),
    ...twice(ledger.rows.map((row) => row.id)).map((id) => `${id} has two rows`),
    ...listed.filter((id) => !present.has(id)).map((id) => `${id} has no row`),
    ...ledger.rows.filter((row) => !known.has(row.id)).map((row) => `${row.id} is not in the list of ids`),
    ...ledger.decisions.filter((id) => !used.has(id)).map((id) => `${id} explains no row`),
    ...ledger.rows.flatMap((row) => [
      ...(row.decisions.length === 0 && row.files.length === 0 ? [`${row.id} names no file`] : []),
      ...(row.decisions.length === 0 && row.tests.length === 0 ? [`${row.id} names no test`] : []),
      ...row.decisions
        .filter((id) => !ledger.decisions.includes(id))
        .map((id) => `${row.id} goes by ${id}, which is not explained`),
      ...row.files.filter((file) => read(file) === undefined).map((file) => `${row.id} names ${file}, which does not exist`),
      ...row.tests.flatMap((test) => wrongTest(test, read).map((problem) => `${row.id} names ${problem}`)),
    ]),
  ]
}

function wrongTest(test: string, read: (path: string) => string | undefined): string[] {
  const at = test.indexOf('#')
  if (at < 0) return [`the test ${test} without a title`]
  const path = test.slice(0, at)
  const text = read(path)
  if (text === undefined) return [`a test in ${path}, which does not exist`]
  if (!/(\.test\.tsx?|\.spec\.ts|\.t\.sol)$/.test(path)) return [`${path} as a test, which is none`]
  const title = test.slice(at + 1)
  const there = path.endsWith('.t.sol') ? new RegExp(`function \\w*${title}`).test(text) : text.includes(title)
  if (!there || title.length <= 4) return [`the test "${title}", which is not in ${path}`]
  return isLongWalk(text, title) ? [`the test "${title}" of ${path}, which rests in most runs`] : []
}

/** A row has to hold in every run, so it must not rely on a test that takes turns. */
function isLongWalk(text: string, title: string): boolean {
  const afterTitle = text.slice(text.indexOf(title) + title.length)
  return /^[^\n]*?['`],\s*\{\s*tag: '@long'/.test(afterTitle) || /\bwhyItRests\('/.test(text)
}

function twice(ids: readonly string[]): string[] {
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}
