import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { foundryBinary } from './foundryBinary.ts'

const USAGE = `usage: node contracts/script/mutations.ts [--tests <path>] [name]

Breaks a copy of the contracts in one place at a time and expects the tests to notice. A rule that nobody misses when it is gone
is not tested. With a name only the mutations whose name holds it; --tests asks other tests than the mutation names, for example
'test/invariant/*'. Ends with the counts: passed are the mutations that were noticed.`

interface Mutation {
  name: string
  file: string
  find: string
  replace: string
  /** The tests that must miss it. */
  tests: string
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tests: { type: 'string' }, help: { type: 'boolean', default: false } },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}

const root = fileURLToPath(new URL('..', import.meta.url))
const mutations = (JSON.parse(readFileSync(join(root, 'script/mutations.json'), 'utf8')) as Mutation[]).filter(({ name }) =>
  name.includes(positionals[0] ?? ''),
)
const copy = mkdtempSync(join(tmpdir(), 'rackfair-mutations-'))
const contracts = join(copy, 'contracts')
process.once('exit', () => rmSync(copy, { recursive: true, force: true }))

for (const part of ['bin', 'src', 'test', 'foundry.toml', 'package.json'])
  cpSync(join(root, part), join(contracts, part), { recursive: true })
cpSync(join(root, '../packages/core/src/vectors'), join(copy, 'packages/core/src/vectors'), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(contracts, 'node_modules'))

const asked = [...new Set(mutations.map(({ tests }) => values.tests ?? tests))]
if (failingTests(`{${asked.join(',')}}`) > 0) throw new Error('the tests fail already when nothing is broken')

let survivors = 0
for (const mutation of mutations) {
  const failing = failingTestsUnder(mutation)
  if (failing === 0) survivors += 1
  console.log(`${failing === 0 ? 'SURVIVED' : 'noticed '} ${mutation.name} (${failing} tests failed)`)
}
console.log(`${mutations.length - survivors} passed, ${survivors} failed, 0 skipped`)
process.exit(survivors === 0 && mutations.length > 0 ? 0 : 1)

function failingTestsUnder({ name, file, find, replace, tests }: Mutation): number {
  const path = join(contracts, file)
  const source = readFileSync(path, 'utf8')
  if (source.split(find).length !== 2) throw new Error(`${name}: ${file} does not hold it exactly once`)
  writeFileSync(path, source.replace(find, replace))
  try {
    return failingTests(values.tests ?? tests)
  } finally {
    writeFileSync(path, source)
  }
}

function failingTests(tests: string): number {
  const run = spawnSync(foundryBinary('forge'), ['test', '--match-path', tests, '--json'], {
    cwd: contracts,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  if (!run.stdout.includes('test_results'))
    throw new Error(`forge did not test:\n${run.stdout.slice(-2000)}${run.stderr.slice(-2000)}`)
  return run.stdout.split('"status":"Failure"').length - 1
}
