import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureSystemPackages } from './systemPackages.mjs'
import { endOnSignal } from './test/endOnSignal.ts'
import { whyNoNamespace } from './test/networkNamespace.ts'
import { runStep } from './test/runStep.ts'
import type { Result, Step } from './test/Step.ts'
import { schedule } from './test/schedule.ts'
import { allSteps } from './test/steps.ts'
import { summary } from './test/summary.ts'
import { openPassed } from './test/unchanged.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Two more than the cores of a small machine: steps with containers mostly wait. */
const AT_ONCE = 4

const { values } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    deep: { type: 'boolean', default: false },
    only: { type: 'string' },
    'no-install': { type: 'boolean', default: false },
  },
})
const logDir = join(root, '.rackfair', 'test')
mkdirSync(logDir, { recursive: true })

const system = await ensureSystemPackages({ purpose: 'test', install: !values['no-install'] })
if (!system.ok) console.log(`Without system packages (${system.reason}); what needs them is skipped.`)

if (values.deep) process.env.RACKFAIR_DEEP = '1'
const seed = process.env.RACKFAIR_SEED ?? (values.deep ? undefined : seedOfCommit()) ?? String(randomInt(1, 2 ** 31))
console.log(`seed ${seed}${values.deep ? ', full counts' : ''}; the output of each step is kept in .rackfair/test`)
const env = {
  RACKFAIR_SEED: seed,
  // Hundreds of short processes load the same sources.
  NODE_COMPILE_CACHE: join(logDir, 'compiled'),
  FOUNDRY_FUZZ_SEED: `0x${BigInt(seed).toString(16)}`,
  ...(values.deep ? { RACKFAIR_DEEP: '1' } : {}),
  // Long walks take turns in whole runs; a step requested by name runs all of its own.
  ...(values.deep || values.only !== undefined ? {} : { RACKFAIR_TURN: seed }),
}

const sharedNetworks = whyNoNamespace()
if (sharedNetworks) console.log(`No network namespace here (${sharedNetworks}): browsers wait for what runs containers.`)
const steps = chosen(allSteps(root, logDir, { deep: values.deep, namespaces: sharedNetworks === undefined }), values.only)
const runsAll = values.all || values.deep || values.only !== undefined || Boolean(process.env.CI)
const passed = openPassed(root, join(logDir, 'passed.json'), values.deep ? 'deep' : 'short')
const unchanged = runsAll ? [] : steps.filter((step) => passed.before(step) !== undefined)
for (const step of unchanged) console.log(`same   ${step.name.padEnd(18)} nothing that it reads has changed since it passed`)

const ended = endOnSignal()
const results: Result[] = []
await schedule(
  steps.filter((step) => !unchanged.includes(step)),
  AT_ONCE,
  async (step) => {
    if (ended.aborted) return
    const result = await runStep(step, { root, logDir, env })
    results.push(result)
    passed.note(step, result)
    console.log(lineOf(result))
    // Printed immediately: if the run is interrupted or its output cut, this is what remains.
    for (const failure of result.failures ?? []) console.log(failure)
  },
)
const { lines, failed } = summary(
  results,
  unchanged.map((step) => ({ kind: step.kind, passed: passed.before(step) ?? 0 })),
)
for (const line of lines) console.log(line)
process.exitCode = ended.aborted ? ended.reason : failed ? 1 : 0

/** Every commit uses another seed, and reruns of it the same one; the deep run, and a folder that is not a clone, draw a random one. */
function seedOfCommit(): string | undefined {
  const { stdout, status } = spawnSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? String(Number.parseInt(stdout.trim().slice(0, 7), 16) + 1) : undefined
}

function lineOf({ kind, name, passed, failed, skipped, seconds, cpuSeconds, note, problem }: Result): string {
  const counts = kind === 'tests' ? `${passed} passed, ${failed} failed, ${skipped} skipped` : failed > 0 ? 'fails' : 'holds'
  const time = `(${seconds.toFixed(0)} s, processor ${cpuSeconds.toFixed(0)} s)`
  return [failed > 0 ? 'FAILED' : 'ok    ', name.padEnd(18), counts, time, note, problem?.slice(0, 600)].filter(Boolean).join(' ')
}

function chosen(all: readonly Step[], only: string | undefined): readonly Step[] {
  if (only === undefined) return all.filter(({ onlyByName }) => !onlyByName)
  const names = only.split(',')
  const unknown = names.filter((name) => !all.some((step) => step.name === name))
  if (unknown.length > 0) {
    console.error(`There is no step ${unknown.join(', ')}. The steps: ${all.map((step) => step.name).join(', ')}`)
    process.exit(2)
  }
  const needed = all.filter((step) => names.includes(step.name)).flatMap(({ needs = [] }) => needs)
  return all.filter(({ name }) => names.includes(name) || needed.includes(name))
}
