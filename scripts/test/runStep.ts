import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { readReport } from './readReport.ts'
import type { Counts, Result, Step } from './Step.ts'

/** Timeout of any step: one that hangs becomes a failure instead of an endless run. */
const limitMs = () => (process.env.RACKFAIR_DEEP ? 240 : 40) * 60_000

/** Runs a step to its end. Its full output is kept in `logDir`. Never throws. */
export async function runStep(
  step: Step,
  options: { root: string; logDir: string; env: Record<string, string> },
): Promise<Result> {
  const startedAt = Date.now()
  if (step.report) rmSync(step.report.file, { force: true })
  const { code, output, cpuSeconds } = await execute(step, options)
  writeFileSync(join(options.logDir, `${step.name}.log`), output)
  const done = (counts: Counts, problem?: string): Result => ({
    name: step.name,
    kind: step.kind,
    ...counts,
    seconds: (Date.now() - startedAt) / 1000,
    cpuSeconds,
    output,
    ...(problem === undefined ? {} : { problem }),
  })
  try {
    const counts = countsOf(step, code, output)
    if (code !== 0 && counts.failed === 0)
      return done({ ...counts, failed: 1, failures: [outsideTests(output)] }, `exit code ${code}`)
    if (step.kind === 'tests' && counts.passed + counts.failed + counts.skipped === 0)
      return done({ ...counts, failed: 1 }, 'no test was run')
    const skips = [...new Set(counts.skips)]
    return done(counts, skips.length > 0 ? `skipped: ${skips.join('; ')}` : undefined)
  } catch (error) {
    return done(
      { passed: 0, failed: 1, skipped: 0 },
      `no counts (exit code ${code}): ${error instanceof Error ? error.message : error}`,
    )
  }
}

/** Vitest fails a run in which every test passed if there was an uncaught error. */
function outsideTests(output: string): string {
  const plain = stripVTControlCharacters(output)
  const unhandled = plain.indexOf('Unhandled Error')
  return unhandled < 0 ? plain.slice(-1500) : plain.slice(unhandled, unhandled + 2500)
}

function countsOf(step: Step, code: number, output: string): Counts {
  if (step.report) return readReport(step.report.file, step.report.kind)
  if (step.countOutput) return step.countOutput(output)
  return { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 }
}

const running = new Set<ChildProcess>()

/** Signals every process of the steps that are running, also those in namespaces of their own. */
export function signalSteps(signal: NodeJS.Signals): void {
  for (const child of running) signalGroup(child, signal)
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

interface Execution {
  code: number
  output: string
  cpuSeconds: number
}

function execute(step: Step, options: { root: string; env: Record<string, string> }): Promise<Execution> {
  const [command = '', ...args] = step.command
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let cpuSeconds = 0
    const child = spawn(command, args, {
      cwd: join(options.root, step.cwd ?? '.'),
      env: { ...process.env, ...options.env, ...step.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, which can be signalled as a whole.
      detached: true,
    })
    running.add(child)
    const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), limitMs())
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', (error) => chunks.push(Buffer.from(`${error.message}\n`)))
    child.on('exit', () => {
      cpuSeconds = newlyEnded()
    })
    child.on('close', (code) => {
      running.delete(child)
      clearTimeout(timer)
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8'), cpuSeconds })
    })
  })
}

let accounted = 0
/**
 * Processor seconds of the children that ended since the last call: the kernel adds a child with all its own children when it has ended.
 */
function newlyEnded(): number {
  if (!existsSync('/proc/self/stat')) return 0
  // In clock ticks of 10 ms; the name before them may contain spaces.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const total = (Number(fields[13]) + Number(fields[14])) / 100
  const seconds = total - accounted
  accounted = total
  return seconds
}
