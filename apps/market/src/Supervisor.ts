import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Print } from './print.ts'

export interface ProcessSpec {
  name: string
  command: string
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  cwd?: string
  /** True once the process is ready. Polled, also after each restart. */
  isReady: () => Promise<boolean>
  /** Runs before every start, the first one included. */
  beforeStart?: () => Promise<void>
  readyWithinMs?: number
  /** How long it may take to exit when everything is stopped; then it is killed. */
  stopWithinMs?: number
  /** Runs when everything is stopped, if the process had to be killed or had exited before. */
  cleanUp?: () => Promise<void>
}

interface Running {
  spec: ProcessSpec
  child: ChildProcess | undefined
  exited: Promise<void>
}

const STOP_WITHIN_MS = 10_000
const MAX_BACKOFF_MS = 5_000
const STABLE_MS = 30_000
/** The exit code (EX_CONFIG of sysexits.h) with which a process says that restarting it would not help. */
const EX_CONFIG = 78

/** Supervises processes: starts them in order, prefixes their output, restarts those that exit, and stops all in reverse order. */
export class Supervisor {
  readonly #running: Running[] = []
  readonly #print: Print
  readonly #onPids: (pids: number[]) => void
  #stopping = false

  constructor(print: Print, onPids: (pids: number[]) => void) {
    this.#print = print
    this.#onPids = onPids
  }

  /** True until the first process was started. */
  get isEmpty(): boolean {
    return this.#running.length === 0
  }

  /** Starts and supervises a process, and waits until it is ready. */
  async start(spec: ProcessSpec): Promise<void> {
    const running: Running = { spec, child: undefined, exited: Promise.resolve() }
    this.#running.push(running)
    await spec.beforeStart?.()
    this.#spawn(running)
    let firstExit: string | undefined
    running.child?.once('exit', (code, signal) => {
      firstExit = signal ?? `exit code ${code}`
    })
    const until = Date.now() + (spec.readyWithinMs ?? 60_000)
    while (!(await spec.isReady().catch(() => false))) {
      if (this.#stopping) return
      if (firstExit !== undefined)
        throw new Error(`${spec.name} ended before it was ready (${firstExit}); its lines above say why.`)
      if (Date.now() > until) throw new Error(`${spec.name} was not ready in time; its lines above say why.`)
      await sleep(50)
    }
    void this.#keepAlive(running)
  }

  /** Ends a process as `stop` does. It is then started again, as one that exited by itself. */
  async restart(name: string): Promise<void> {
    const running = this.#running.find(({ spec }) => spec.name === name)
    if (running?.child) await this.#end(running, running.child)
  }

  /** Stops everything in reverse start order. A process that does not exit in time is killed. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const running of [...this.#running].reverse()) {
      if (running.child && !(await this.#end(running, running.child))) await running.spec.cleanUp?.()
    }
    this.#onPids([])
  }

  /** Returns whether the process exited when it was asked to. */
  async #end({ spec, exited }: Running, child: ChildProcess): Promise<boolean> {
    if (child.exitCode !== null || child.signalCode !== null) return false
    child.kill('SIGTERM')
    const timer = sleep(spec.stopWithinMs ?? STOP_WITHIN_MS).then(() => false)
    if (await Promise.race([exited.then(() => true), timer])) return true
    this.#print.line(spec.name, 'does not stop; ending it')
    child.kill('SIGKILL')
    await exited
    return false
  }

  #spawn(running: Running): void {
    const { spec } = running
    const child = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      env: { ...process.env, ...spec.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own process group: Ctrl-C in the terminal reaches this program alone, which then stops the others in order.
      detached: true,
    })
    running.child = child
    running.exited = new Promise((resolve) => {
      child.once('exit', () => resolve())
      child.once('error', (error) => {
        this.#print.line(spec.name, `could not be started: ${error.message}`)
        resolve()
      })
    })
    this.#print.stream(spec.name, child.stdout)
    this.#print.stream(spec.name, child.stderr)
    this.#onPids(this.#running.flatMap(({ child: { pid } = {} as ChildProcess }) => (pid === undefined ? [] : [pid])))
  }

  async #keepAlive(running: Running): Promise<void> {
    let pause = 100
    let startedAt = Date.now()
    for (;;) {
      await running.exited
      if (this.#stopping) return
      if (running.child?.exitCode === EX_CONFIG) {
        this.#print.line(running.spec.name, 'ended for good; its lines above say why')
        return
      }
      const how = running.child?.signalCode ?? `exit code ${running.child?.exitCode}`
      if (Date.now() - startedAt > STABLE_MS) pause = 100
      this.#print.line(running.spec.name, `ended (${how}); starting it again`)
      await sleep(pause)
      if (this.#stopping) return
      pause = Math.min(pause * 2, MAX_BACKOFF_MS)
      startedAt = Date.now()
      try {
        await running.spec.beforeStart?.()
      } catch (error) {
        this.#print.line(running.spec.name, `cannot be started: ${error instanceof Error ? error.message : error}`)
        continue
      }
      this.#spawn(running)
      void this.#announceReady(running)
    }
  }

  async #announceReady(running: Running): Promise<void> {
    const child = running.child
    while (child?.exitCode === null && child.signalCode === null && !this.#stopping) {
      if (await running.spec.isReady().catch(() => false)) {
        this.#print.line(running.spec.name, 'is back')
        return
      }
      await sleep(200)
    }
  }
}
