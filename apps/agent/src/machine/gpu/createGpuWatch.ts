import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { runCommand } from '../../foundation/runCommand.ts'
import { singleFlight } from '../../foundation/singleFlight.ts'
import type { Gpu } from '../../runtime/Gpu.ts'
import {
  type GpuReading,
  HEALTH_FIELDS,
  judgeCard,
  parseGpuReadings,
  parseSlowdowns,
  parseXids,
  type Xid,
} from './readGpuHealth.ts'

const POLL_INTERVAL_MS = 10_000
const QUERY_MS = 10_000
/** A single failed poll may just be a busy moment. */
const LOOKS_IN_A_ROW = 3

export type GpuWatch = ReturnType<typeof createGpuWatch>

/** Watches the GPUs of this machine: what each is doing, and why one must not be used. */
export function createGpuWatch(options: { gpus: readonly Gpu[]; log: Log; onChange: () => void; lookMs?: number }) {
  const { gpus, log } = options
  const cards = [...new Set(gpus.filter((one) => one.vendor === 'nvidia').map((one) => one.card))]
  const first = new Map<string, GpuReading>()
  let latest = new Map<string, GpuReading>()
  const driver = createDriverErrors(log)
  let polls = 0
  /** Slowdown temperature by PCI bus: constant for as long as the driver runs. */
  let slowdowns = new Map<string, number>()
  /** By GPU id; permanent problems stay until the agent restarts and has tested the GPU. */
  const problems = new Map<string, string>()
  const lasting = new Set<string>()
  const suspected = new Map<string, number>()

  const set = (gpu: Gpu, problem: string | undefined) => {
    if (problems.get(gpu.id) === problem) return
    const facts = { gpu: gpu.device, model: gpu.model, id: gpu.id }
    const isNew = !problems.has(gpu.id)
    if (problem === undefined) problems.delete(gpu.id)
    else problems.set(gpu.id, problem)
    if (problem === undefined) log.info('a GPU works again', facts)
    else if (isNew)
      log.error('a GPU cannot be used; no order gets it, and its node is taken off the market', { ...facts, problem })
    options.onChange()
  }

  const poll = async (): Promise<void> => {
    if (cards.length === 0) return
    if (polls === 0) slowdowns = (await readSlowdowns()) ?? slowdowns
    const [readings] = await Promise.all([readGpus(cards), driver.read({ isFirst: polls === 0 })])
    polls += 1
    latest = new Map(readings.map((one) => [one.id, one]))
    for (const one of readings) if (!first.has(one.id)) first.set(one.id, one)
    for (const card of cards) {
      const problem = judgeCard(latest.get(card), driver.xids, first.get(card))
      const inARow = problem ? (suspected.get(card) ?? 0) + 1 : 0
      suspected.set(card, inARow)
      for (const gpu of gpus.filter((one) => one.card === card && !lasting.has(one.id))) {
        if (problem?.lasting) lasting.add(gpu.id)
        if (!problem) set(gpu, undefined)
        else if (problem.lasting || inARow >= LOOKS_IN_A_ROW) set(gpu, problem.text)
      }
    }
  }

  const pollOnce = singleFlight(poll)
  let timer: NodeJS.Timeout | undefined
  return {
    gpus,
    problemOf: (id: string): string | undefined => problems.get(id),
    readingOf: (gpu: Gpu): GpuReading | undefined => latest.get(gpu.card),
    /** The temperature at which the card throttles, in °C; undefined if its driver does not report it. */
    slowsAtOf: (gpu: Gpu): number | undefined => slowdowns.get(latest.get(gpu.card)?.bus ?? ''),
    /** Records that a GPU did not start in a container. */
    fault(gpu: Gpu, problem: string): void {
      lasting.add(gpu.id)
      set(gpu, problem)
    },
    poll,
    start(): void {
      if (cards.length === 0) return
      timer = setInterval(() => {
        pollOnce().catch((error: unknown) => log.warn('the GPUs cannot be checked', { reason: reasonOf(error) }))
      }, options.lookMs ?? POLL_INTERVAL_MS)
    },
    stop: () => clearInterval(timer),
  }
}

const query = (...more: string[]) =>
  runCommand('nvidia-smi', [...more, `--query-gpu=${HEALTH_FIELDS.join(',')}`, '--format=csv,noheader,nounits'], {
    timeoutMs: QUERY_MS,
  })

async function readGpus(cards: readonly string[]): Promise<GpuReading[]> {
  const all = await query()
  if (all.code === 0) return parseGpuReadings(all.stdout)
  // A single lost card makes the query for all of them fail.
  const each = await Promise.all(cards.map((card) => query('-i', card)))
  return each.flatMap((one) => (one.code === 0 ? parseGpuReadings(one.stdout) : []))
}

async function readSlowdowns(): Promise<Map<string, number> | undefined> {
  const { code, stdout } = await runCommand('nvidia-smi', ['-q', '-d', 'TEMPERATURE'], { timeoutMs: QUERY_MS })
  return code === 0 ? parseSlowdowns(stdout) : undefined
}

/** The errors that the NVIDIA driver logs. */
function createDriverErrors(log: Log) {
  let seenLines = new Set<string>()
  const xids: Xid[] = []
  return {
    xids: xids as readonly Xid[],
    /** Those logged before the first poll predate the test of this GPU. */
    async read({ isFirst }: { isFirst: boolean }): Promise<void> {
      const { code, stdout } = await runCommand('dmesg', [], { timeoutMs: QUERY_MS })
      if (code !== 0) return
      const all = parseXids(stdout)
      const before = seenLines
      seenLines = new Set(all.map((one) => one.line))
      if (isFirst) return
      for (const one of all) {
        // Tenants can cause any number of errors: each kind is logged and kept once.
        if (before.has(one.line) || xids.some((known) => known.bus === one.bus && known.xid === one.xid)) continue
        xids.push(one)
        log.warn('the NVIDIA driver reports an error', { xid: one.xid, bus: one.bus, line: one.line.slice(0, 300) })
      }
    },
  }
}
