import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSpecification } from '../../apps/docs/src/readSpecification.ts'
import { judgeLedger } from './judgeLedger.ts'

/**
 * Checks `docs/specification.yaml`: every row has a file that implements it and a test that shows it, or a departure, and all of them exist.
 * Also runs on a broken one, because a checker that accepts it would be worthless.
 */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const { rows, problems } = judgeLedger(readSpecification(), read)

const broken = {
  title: { en: 'Broken', zh: '' },
  count: 2,
  rows: { '1.a': { text: '', files: ['no/such/file.ts'], tests: { 'scripts/test.ts': 'no such title' }, departures: ['D2'] } },
}
const found = judgeLedger({ sections: [broken], departures: { D1: { text: '', reason: '' } } }, read).problems
if (found.length !== 5) problems.push(`a broken specification has ${found.length} problems instead of 5: ${found.join('; ')}`)

console.log(`${rows} rows, ${problems.length} problems`)
for (const problem of problems) console.log(`  ${problem}`)
process.exitCode = problems.length > 0 || rows < 100 ? 1 : 0

function read(path: string): string | undefined {
  try {
    return statSync(join(root, path)).isFile() ? readFileSync(join(root, path), 'utf8') : undefined
  } catch {
    return undefined
  }
}
