import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { foundryBinary } from './foundryBinary.ts'

/**
 * Measures the coverage of src/ by unit tests, exploits and scenarios and fails if a line, statement, branch or function of a file is not
 * covered, unless script/coverageExceptions.json names it with a reason. Ends with the counts: passed are the files that are fully covered.
 */
const KINDS = ['lines', 'statements', 'branches', 'functions'] as const
/**
 * Reach by thousands of calls what a unit test reaches by one: they would hide a missing one, and are two thirds of the time when they are
 * traced. Limits of gas hold for optimized code only. The step `solidity` runs them.
 */
const REPEATING = [
  'gas/*',
  'invariant/*',
  'incentives/*',
  'libraries/Vectors.t.sol',
  'scenarios/Purses.t.sol',
  'scenarios/Views.t.sol',
]
type Missed = Record<(typeof KINDS)[number], number>

const root = fileURLToPath(new URL('..', import.meta.url))
const exceptions = JSON.parse(readFileSync(join(root, 'script/coverageExceptions.json'), 'utf8')) as {
  file: string
  missed: Missed
  reason: string
}[]

const run = spawnSync(
  foundryBinary('forge'),
  [
    ...['coverage', '--report', 'summary', '--no-match-coverage', 'test/', '--no-match-path', `test/{${REPEATING.join(',')}}`],
    // Nor are they compiled.
    ...['--skip', `test/{${REPEATING.join(',')}}`],
    ...['--out', 'cache/coverage/out', '--cache-path', 'cache/coverage'],
  ],
  // Coverage does not depend on the number of fuzz runs.
  { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, env: { ...process.env, FOUNDRY_FUZZ_RUNS: '32' } },
)
if (run.status !== 0) fail(`forge coverage exited with ${run.status}:\n${run.stdout.slice(-3000)}${run.stderr.slice(-3000)}`)

const measured = new Map(
  [...run.stdout.matchAll(/^\| (src\/\S+)\s*\|(.*)\|$/gm)].map((row) => [row[1] as string, missedIn(row[2] as string)]),
)
let failed = 0
for (const file of sources()) {
  const missed = measured.get(file)
  const exception = exceptions.find((one) => one.file === file)
  const expected = exception?.missed ?? { lines: 0, statements: 0, branches: 0, functions: 0 }
  const ok = missed !== undefined && KINDS.every((kind) => missed[kind] <= expected[kind])
  if (!ok) failed += 1
  const found = missed ? KINDS.map((kind) => `${missed[kind]} ${kind}`).join(', ') : 'not measured'
  const allowed = exception ? ` (expected, ${exception.reason})` : ''
  if (!ok) console.log(`FAILED ${file}: ${found} missed, expected ${KINDS.map((kind) => expected[kind]).join(', ')}`)
  else console.log(`ok     ${file}${exception ? `: ${found} missed${allowed}` : ''}`)
}
console.log(`${sources().length - failed} passed, ${failed} failed, 0 skipped`)
process.exit(failed === 0 ? 0 : 1)

/** Every file of src/ that contains code; interfaces and types do not. */
function sources(): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sol') && !/^(interfaces|types)\//.test(file))
    .map((file) => `src/${file}`)
    .sort()
}

function missedIn(cells: string): Missed {
  const counts = [...cells.matchAll(/\((\d+)\/(\d+)\)/g)].map((cell) => Number(cell[2]) - Number(cell[1]))
  if (counts.length !== KINDS.length) fail(`a row of forge's summary cannot be read: ${cells}`)
  return Object.fromEntries(KINDS.map((kind, index) => [kind, counts[index]])) as Missed
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
