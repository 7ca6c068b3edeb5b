import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { foundryBinary } from './foundryBinary.ts'
import { compile, contractsRoot as root, sourceOf } from './solc.ts'

const USAGE = `usage: node contracts/script/mutations.ts [--part <i>/<n>] [--tests <path>] [name]

Breaks a copy of the contracts in one place at a time and expects the tests to notice. A rule that nobody misses when it is gone
is not tested. With a name only the mutations whose name holds it, with --part 2/3 the second third of them; --tests asks other
tests than the mutation names, for example 'test/invariant/*'. Ends with the counts: passed are the mutations that were noticed.`

interface Mutation {
  name: string
  file: string
  find: string
  replace: string
  /** The tests that have to detect it. */
  tests: string
}

/** The optimizer takes most of a compilation, and no rule depends on it; the first 64 runs of a fuzz test find what any find here. */
const QUICK = { ...process.env, FOUNDRY_OPTIMIZER: 'false', FOUNDRY_FUZZ_RUNS: '64' }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { part: { type: 'string' }, tests: { type: 'string' }, help: { type: 'boolean', default: false } },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}

const mutations = asked(JSON.parse(readFileSync(join(root, 'script/mutations.json'), 'utf8')) as Mutation[])
const copy = mkdtempSync(join(tmpdir(), 'rackfair-mutations-'))
const contracts = join(copy, 'contracts')
process.once('exit', () => rmSync(copy, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

for (const part of ['bin', 'src', 'test', 'foundry.toml', 'package.json'])
  cpSync(join(root, part), join(contracts, part), { recursive: true })
cpSync(join(root, '../packages/rules/src/vectors'), join(copy, 'packages/rules/src/vectors'), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(contracts, 'node_modules'))

const paths = [...new Set(mutations.map(({ tests }) => values.tests ?? tests))]
if (mutations.length > 0 && isNoticed(`{${paths.join(',')}}`)) throw new Error('the tests fail already when nothing is broken')

let survivors = 0
for (const mutation of mutations) {
  const said = tried(mutation)
  if (said !== 'noticed') survivors += 1
  console.log(`${said.padEnd(8)} ${mutation.name}`)
}
console.log(`${mutations.length - survivors} passed, ${survivors} failed, 0 skipped`)
process.exit(survivors === 0 && mutations.length > 0 ? 0 : 1)

function asked(all: Mutation[]): Mutation[] {
  const named = all.filter(({ name }) => name.includes(positionals[0] ?? ''))
  const [part, parts] = (values.part ?? '1/1').split('/').map(Number)
  if (!part || !parts || part > parts) throw new Error('--part takes two numbers, as in 2/3')
  return named.slice(Math.floor(((part - 1) * named.length) / parts), Math.floor((part * named.length) / parts))
}

function brokenSource({ name, file, find, replace }: Mutation): string {
  const source = sourceOf(file)
  if (source.split(find).length !== 2) throw new Error(`${name}: ${file} does not hold it exactly once`)
  return source.replace(find, () => replace)
}

/** A mutation that no longer applies to the contracts counts as a survivor, without stopping the others. */
function tried(mutation: Mutation): string {
  try {
    return isMissed(mutation) ? 'noticed' : 'SURVIVED'
  } catch (error) {
    return `FAILED (${(error as Error).message})`
  }
}

/** Whether its tests detect the mutation. */
function isMissed(mutation: Mutation): boolean {
  const tests = values.tests ?? mutation.tests
  // A test that calls a library contains its code, and has to be compiled with it.
  return tests.startsWith('test/libraries/') ? isMissedAfterBuild(mutation, tests) : isMissedAfterPatch(mutation, tests)
}

/**
 * Tests deploy the shipped contracts from their artifacts. Only these are patched: the tests are not recompiled, and neither is a formula
 * that a test calls directly. That is a fifth of the work of a full build.
 */
function isMissedAfterPatch(mutation: Mutation, tests: string): boolean {
  const kept = new Map<string, string>()
  for (const [path, bytecode] of brokenArtifacts(mutation)) {
    const text = readFileSync(path, 'utf8')
    const artifact = JSON.parse(text) as { bytecode: { object: string } }
    kept.set(path, text)
    artifact.bytecode.object = `0x${bytecode}`
    writeFileSync(path, JSON.stringify(artifact))
  }
  try {
    return isNoticed(tests)
  } finally {
    for (const [path, text] of kept) writeFileSync(path, text)
  }
}

function isMissedAfterBuild(mutation: Mutation, tests: string): boolean {
  const path = join(contracts, mutation.file)
  writeFileSync(path, brokenSource(mutation))
  try {
    return isNoticed(tests)
  } finally {
    cpSync(join(root, mutation.file), path)
    // Otherwise the next test run would build, and overwrite the artifacts that the next mutation breaks.
    spawnSync(foundryBinary('forge'), ['build'], { cwd: contracts, env: QUICK })
  }
}

/** The artifacts of all contracts that contain the broken file, with their bytecode. */
function brokenArtifacts(mutation: Mutation): [path: string, bytecode: string][] {
  const shipped = globSync('src/*.sol', { cwd: root })
  const wanted = holding(shipped, mutation.file).map((file) => [file, { '*': ['evm.bytecode.object'] }])
  const settings = { outputSelection: Object.fromEntries(wanted) }
  const compiled = compile(shipped, settings, (file) => (file === mutation.file ? brokenSource(mutation) : sourceOf(file)))
  return Object.entries(compiled.contracts ?? {}).flatMap(([file, found]) =>
    Object.entries(found)
      .map(([name, { evm }]): [string, string] => [join(contracts, 'out', basename(file), `${name}.json`), evm.bytecode.object])
      .filter(([path, bytecode]) => bytecode !== '' && existsSync(path)),
  )
}

/** Those of `files` that import `target`, directly or indirectly. */
function holding(files: string[], target: string): string[] {
  const known = new Map<string, boolean>()
  const holds = (file: string): boolean => {
    if (file === target) return true
    if (!file.startsWith('src/')) return false
    const before = known.get(file)
    if (before !== undefined) return before
    known.set(file, false)
    const imports = [...sourceOf(file).matchAll(/from "(\.[^"]+)"/g)].map(([, path]) => join(file, '..', path as string))
    const found = imports.some(holds)
    known.set(file, found)
    return found
  }
  return files.filter(holds)
}

function isNoticed(tests: string): boolean {
  const run = spawnSync(foundryBinary('forge'), ['test', '--match-path', tests, '--fail-fast', '--json'], {
    cwd: contracts,
    env: QUICK,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  if (!run.stdout.includes('test_results'))
    throw new Error(`forge did not test:\n${run.stdout.slice(-2000)}${run.stderr.slice(-2000)}`)
  return run.stdout.includes('"status":"Failure"')
}
