import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { foundryBinary } from './foundryBinary.ts'

/**
 * Breaks a copy of the contracts in one place at a time and expects the tests to notice.
 * A rule that nobody misses when it is gone is not tested.
 */
interface Mutation {
  name: string
  file: string
  find: string
  replace: string
  /** The tests that must miss it. */
  tests: string
}

const root = fileURLToPath(new URL('..', import.meta.url))
const only = process.argv[2]
const mutations = (JSON.parse(readFileSync(join(root, 'script/mutations.json'), 'utf8')) as Mutation[]).filter(
  ({ name }) => only === undefined || name.includes(only),
)
const copy = mkdtempSync(join(tmpdir(), 'rackfair-mutations-'))
const contracts = join(copy, 'contracts')
process.once('exit', () => rmSync(copy, { recursive: true, force: true }))

for (const part of ['bin', 'src', 'test', 'foundry.toml', 'package.json'])
  cpSync(join(root, part), join(contracts, part), { recursive: true })
cpSync(join(root, '../packages/core/src/vectors'), join(copy, 'packages/core/src/vectors'), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(contracts, 'node_modules'))

let survivors = 0
for (const mutation of mutations) {
  const file = join(contracts, mutation.file)
  const source = readFileSync(file, 'utf8')
  if (source.split(mutation.find).length !== 2)
    throw new Error(`${mutation.name}: ${mutation.file} does not hold it exactly once`)
  writeFileSync(file, source.replace(mutation.find, mutation.replace))
  const failing = failingTests(mutation.tests)
  writeFileSync(file, source)
  if (failing === 0) survivors += 1
  console.log(`${failing === 0 ? 'SURVIVED' : 'killed  '} ${mutation.name}`)
}
console.log(`${mutations.length - survivors} of ${mutations.length} mutations killed`)
process.exit(survivors === 0 ? 0 : 1)

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
