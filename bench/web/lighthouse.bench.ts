import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { freePort } from '@rackfair/testkit'
import { installPeer } from '../installPeer.ts'
import { percentile, table } from '../platform/table.ts'
import { openBrowser } from './openBrowser.ts'
import { PUBLIC_PAGES } from './publicPages.ts'
import { withMachines } from './withMachines.ts'

/**
 * Lighthouse on the production build as a phone on a slow connection (its mobile settings), the median of three runs per page. Goals: 100
 * in all four categories, no layout shift.
 */
const RUNS = 3
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const FIGURES = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'speed-index',
  'cumulative-layout-shift',
] as const

/** What is read of Lighthouse's result. */
interface Report {
  categories: Partial<Record<string, { score: number | null }>>
  audits: Record<
    string,
    { id: string; title: string; score: number | null; scoreDisplayMode: string; numericValue?: number | undefined }
  >
  runtimeError?: { message: string } | undefined
}
type Lighthouse = (url: string, flags: object) => Promise<{ lhr: Report } | undefined>

const { home, missing } = installPeer('web/lighthouse')
if (missing) throw new Error(`Lighthouse could not be installed: ${missing}`)
const lighthouse = await import(pathToFileURL(join(home, 'node_modules/lighthouse/core/index.js')).href).then(
  (module: { default: Lighthouse }) => module.default,
)

await withMachines(async (market) => {
  const debugPort = await freePort()
  const browser = await openBrowser({ debugPort })
  const rows: (string | number)[][] = []
  const findings = new Set<string>()
  for (const { name, path } of PUBLIC_PAGES) {
    const runs: Report[] = []
    for (let run = 0; run < RUNS; run += 1) {
      runs.push(await audit(market.url + path, debugPort))
    }
    const median = (values: (number | null | undefined)[]) =>
      percentile(
        values.map((value) => value ?? 0),
        0.5,
      )
    const scores = CATEGORIES.map((key) => Math.round(median(runs.map((run) => run.categories[key]?.score)) * 100))
    const figures = FIGURES.map((key) => median(runs.map((run) => run.audits[key]?.numericValue)))
    rows.push([name, ...scores, ...figures.slice(0, 4).map((ms) => Math.round(ms)), (figures[4] ?? 0).toFixed(3)])
    for (const run of runs)
      for (const { id, title, score, scoreDisplayMode } of Object.values(run.audits))
        if (score !== null && score < 0.9 && scoreDisplayMode !== 'informative') findings.add(`${name}: ${title} (${id})`)
  }
  await browser.close()
  table(['page', 'performance', 'accessibility', 'practices', 'SEO', 'FCP ms', 'LCP ms', 'TBT ms', 'SI ms', 'CLS'], rows)
  if (findings.size > 0) console.log(`\nWhat Lighthouse would improve:\n${[...findings].map((line) => `- ${line}`).join('\n')}`)
})

/** On a busy machine the browser's trace may begin too late: then it is repeated. */
async function audit(url: string, port: number, again = 3): Promise<Report> {
  const result = await lighthouse(url, { port, logLevel: 'error', onlyCategories: [...CATEGORIES] })
  const problem = result ? result.lhr.runtimeError : { message: 'no result' }
  if (result && !problem) return result.lhr
  if (again > 0) return audit(url, port, again - 1)
  throw new Error(`Lighthouse: ${problem?.message}`)
}
