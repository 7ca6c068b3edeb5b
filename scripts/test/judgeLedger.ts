import type { Specification, SpecificationRow } from '../../apps/docs/src/readSpecification.ts'

const KEYS = new Set(['text', 'files', 'tests', 'departures'])

/** The problems of the specification, one sentence each. `read` returns the text of a file of the checkout, undefined if there is none. */
export function judgeLedger(
  { sections, departures }: Specification,
  read: (path: string) => string | undefined,
): { rows: number; problems: string[] } {
  const rows = sections.flatMap((section) => Object.entries(section.rows))
  const used = new Set(rows.flatMap(([, row]) => row.departures ?? []))
  const problems = [
    ...sections
      .filter((section) => section.count !== Object.keys(section.rows).length)
      .map(({ title, count, rows }) => `"${title.en}" has ${Object.keys(rows).length} rows instead of ${count}`),
    ...rows
      .map(([id]) => id)
      .filter((id, at, ids) => ids.indexOf(id) !== at)
      .map((id) => `${id} is in two sections`),
    ...Object.keys(departures)
      .filter((id) => !used.has(id))
      .map((id) => `${id} explains no row`),
    ...rows.flatMap(([id, row]) => [
      ...wrongRow(row, read).map((problem) => `${id} names ${problem}`),
      ...(row.departures ?? []).filter((one) => !departures[one]).map((one) => `${id} names ${one}, which is not explained`),
    ]),
  ]
  return { rows: rows.length, problems }
}

function wrongRow(row: SpecificationRow, read: (path: string) => string | undefined): string[] {
  const { files = [], tests = {}, departures } = row
  return [
    ...Object.keys(row)
      .filter((key) => !KEYS.has(key))
      .map((key) => `"${key}", which nothing reads`),
    ...(departures || files.length > 0 ? [] : ['no file']),
    ...(departures || Object.keys(tests).length > 0 ? [] : ['no test']),
    ...files.filter((file) => read(file) === undefined).map((file) => `${file}, which does not exist`),
    ...Object.entries(tests).flatMap(([path, titles]) => [titles].flat().flatMap((title) => wrongTest(path, title, read(path)))),
  ]
}

function wrongTest(path: string, title: string, text: string | undefined): string[] {
  if (text === undefined) return [`a test in ${path}, which does not exist`]
  if (!/(\.test\.tsx?|\.spec\.ts|\.t\.sol)$/.test(path)) return [`${path} as a test, which is none`]
  const there = path.endsWith('.t.sol') ? new RegExp(`function \\w*${title}`).test(text) : text.includes(title)
  if (!there || title.length <= 4) return [`the test "${title}", which is not in ${path}`]
  return isLongWalk(text, title) ? [`the test "${title}" of ${path}, which rests in most runs`] : []
}

/** A row has to hold in every run, so it must not rely on a test that takes turns. */
function isLongWalk(text: string, title: string): boolean {
  const afterTitle = text.slice(text.indexOf(title) + title.length)
  return /^[^\n]*?['`],\s*\{\s*tag: '@long'/.test(afterTitle) || /\bwhyItRests\('/.test(text)
}
