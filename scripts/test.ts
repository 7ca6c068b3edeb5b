import { randomInt } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ensureSystemPackages } from './systemPackages.mjs'
import { whyNoNamespace } from './test/networkNamespace.ts'
import { runStep } from './test/runStep.ts'
import type { Result, Step } from './test/Step.ts'
import { allSteps } from './test/steps.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const AT_ONCE = 2

const { values } = parseArgs({
  options: {
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
const seed = process.env.RACKFAIR_SEED ?? String(randomInt(1, 2 ** 31))
console.log(`seed ${seed}${values.deep ? ', full counts' : ''}; the output of each step is kept in .rackfair/test`)

const sharedNetworks = whyNoNamespace()
if (sharedNetworks) console.log(`No network namespace here (${sharedNetworks}): browsers wait for what runs containers.`)
const steps = chosen(allSteps(root, logDir, { deep: values.deep, namespaces: sharedNetworks === undefined }), values.only)
const results: Result[] = []
const waiting = [...steps]
const running = new Map<string, Promise<void>>()
await Promise.all(Array.from({ length: AT_ONCE }, worker))

const sum = (key: 'passed' | 'failed' | 'skipped') => results.reduce((total, result) => total + result[key], 0)
const broken = results.filter((result) => result.failed > 0)
for (const { name, problem, failures } of broken) {
  console.log(`\n=== ${name} failed${problem ? ` (${problem})` : ''}`)
  for (const failure of failures ?? []) console.log(failure)
}
for (const { name, output } of broken) console.log(`\n=== the end of what ${name} printed\n${output.slice(-6000)}`)
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
process.exitCode = sum('failed') > 0 || sum('passed') === 0 ? 1 : 0

async function worker(): Promise<void> {
  while (waiting.length > 0) {
    const unfinished = new Set([...waiting.map(({ name }) => name), ...running.keys()])
    const ready = waiting.findIndex(({ after = [], needs = [] }) => ![...after, ...needs].some((name) => unfinished.has(name)))
    if (ready < 0) {
      await Promise.race(running.values())
      continue
    }
    const [step] = waiting.splice(ready, 1) as [Step]
    const { promise, resolve } = Promise.withResolvers<void>()
    running.set(step.name, promise)
    const env = {
      RACKFAIR_SEED: seed,
      FOUNDRY_FUZZ_SEED: `0x${BigInt(seed).toString(16)}`,
      ...(values.deep ? { RACKFAIR_DEEP: '1' } : {}),
    }
    const result = await runStep(step, { root, logDir, env })
    results.push(result)
    running.delete(step.name)
    resolve()
    const counts = `${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped`
    console.log(
      `${result.failed > 0 ? 'FAILED' : 'ok'.padEnd(6)} ${result.name.padEnd(18)} ${counts} (${result.seconds.toFixed(0)} s, processor ${result.cpuSeconds.toFixed(0)} s)${result.note ? ` ${result.note}` : ''}${result.problem ? ` ${result.problem.slice(0, 600)}` : ''}`,
    )
  }
}

function chosen(steps: ReturnType<typeof allSteps>, only: string | undefined) {
  if (only === undefined) return steps
  const names = only.split(',')
  const unknown = names.filter((name) => !steps.some((step) => step.name === name))
  if (unknown.length > 0) {
    console.error(`There is no step ${unknown.join(', ')}. The steps: ${steps.map((step) => step.name).join(', ')}`)
    process.exit(2)
  }
  const needed = steps.filter((step) => names.includes(step.name)).flatMap(({ needs = [] }) => needs)
  return steps.filter(({ name }) => names.includes(name) || needed.includes(name))
}
