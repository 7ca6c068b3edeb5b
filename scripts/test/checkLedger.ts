import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { judgeLedger } from './judgeLedger.ts'
import { readLedger } from './readLedger.ts'

/**
 * Checks `docs/specification.md`: every row has a file that implements it and a test that shows it, or a decision, and all of them exist.
 * Also runs on a broken ledger, because a checker that accepts it would be worthless.
 */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const ledger = readLedger(readFileSync(join(root, 'docs', 'specification.md'), 'utf8'))
const problems = judgeLedger(ledger, read)

const broken = judgeLedger(
  {
    points: [{ point: '1', rows: 3, ids: ['1.a', '1.b'] }],
    rows: [{ id: '1.a', files: ['no/such/file.ts'], tests: ['scripts/test.ts#no such title'], decisions: [] }],
    decisions: ['D1'],
    open: [],
  },
  read,
)
if (broken.length !== 5)
  problems.push(`a broken ledger is judged with ${broken.length} problems instead of 5: ${broken.join('; ')}`)

console.log(`${ledger.rows.length} rows, ${ledger.decisions.length} departures, ${problems.length} problems`)
for (const problem of problems) console.log(`  ${problem}`)
process.exitCode = problems.length > 0 || ledger.rows.length < 100 ? 1 : 0

function read(path: string): string | undefined {
  try {
    return statSync(join(root, path)).isFile() ? readFileSync(join(root, path), 'utf8') : undefined
  } catch {
    return undefined
  }
}
