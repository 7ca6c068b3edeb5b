import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { createMeasurement, type MeasurementJob, type Use } from './createMeasurement.ts'

/** Messages from the agent to the measuring process. */
export type MeasureQuestion = { job: MeasurementJob } | { step: 'walk' | 'open'; monitor: string; use: Use; salt: Uint8Array }
/** Exactly one answer per question, in order; `busyMs` is the processor time it took. */
export type MeasureAnswer = { busyMs: number } & ({ result: unknown } | { problem: string })

// Tenants come first: on the processor, and when memory runs out.
const priority = Number(process.argv[2] ?? 19)
setPriority(priority)
try {
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Without that file there is no score to set.
}
process.on('disconnect', () => process.exit())

let measurement: Awaited<ReturnType<typeof createMeasurement>> | undefined

async function answer(question: MeasureQuestion): Promise<unknown> {
  if ('job' in question) {
    measurement = await createMeasurement(question.job)
    return measurement.promised
  }
  if (!measurement) throw new Error('nothing is measured')
  // A walk takes a tenth of a second and is timed: a busy machine must not look like one without the memory.
  if (question.step === 'walk') trySetPriority(0)
  const result = measurement[question.step](question.monitor, question.use, question.salt)
  trySetPriority(priority)
  return result
}

/** Only root may raise a priority. */
function trySetPriority(value: number): void {
  try {
    setPriority(value)
  } catch {
    // The priority stays low.
  }
}

process.on('message', (question: MeasureQuestion) => {
  const began = process.cpuUsage()
  const send = (body: { result: unknown } | { problem: string }) => {
    const { user, system } = process.cpuUsage(began)
    process.send?.({ ...body, busyMs: Math.round((user + system) / 1000) } satisfies MeasureAnswer)
  }
  answer(question).then(
    (result) => send({ result }),
    (error: unknown) => send({ problem: String(error) }),
  )
})
