import { fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { MeasurementJob, Promised, Use } from './createMeasurement.ts'
import type { MeasureAnswer, MeasureQuestion } from './measureProcess.ts'

/** A measurement of one node in a process of its own. */
export interface Measuring {
  promised: Promise<Promised>
  walk: (monitor: string, use: Use, salt: Uint8Array) => Promise<Uint8Array>
  open: (monitor: string, use: Use, salt: Uint8Array) => Promise<{ rows: Uint8Array; walk: Uint8Array }>
  /** Processor time used so far, in milliseconds. */
  busyMs: () => number
  /** Ends it at once and frees its memory. Pending requests fail. */
  stop: () => void
}

/** Starts measuring, by default at the lowest priority, as the first process to be killed if the machine runs out of memory. */
export function startMeasuring(job: MeasurementJob, priority = 19): Measuring {
  const child = fork(fileURLToPath(new URL('./measureProcess.ts', import.meta.url)), [String(priority)], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=1'],
    env: { ...process.env, UV_THREADPOOL_SIZE: String(Math.min(1024, Math.max(4, job.cores))) },
  })
  const waiting: { resolve: (result: unknown) => void; reject: (error: Error) => void }[] = []
  let [busy, ended] = [0, false]
  const end = (reason: string) => {
    ended = true
    for (const { reject } of waiting.splice(0)) reject(new Error(reason))
  }
  child.on('message', (answer: MeasureAnswer) => {
    busy += answer.busyMs
    const next = waiting.shift()
    if ('result' in answer) next?.resolve(answer.result)
    else next?.reject(new Error(answer.problem))
  })
  child.on('error', (error) => end(error.message))
  child.on('exit', (code, signal) => end(`the measuring process ended with ${signal ?? code}`))
  const ask = <T>(question: MeasureQuestion): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (ended) return reject(new Error('the measuring process has ended'))
      waiting.push({ resolve: resolve as (result: unknown) => void, reject })
      child.send(question)
    })
  return {
    promised: ask<Promised>({ job }),
    walk: (monitor, use, salt) => ask({ step: 'walk', monitor, use, salt }),
    open: (monitor, use, salt) => ask({ step: 'open', monitor, use, salt }),
    busyMs: () => busy,
    stop() {
      end('the measurement was stopped')
      child.kill('SIGKILL')
      rmSync(job.file, { force: true })
    },
  }
}
