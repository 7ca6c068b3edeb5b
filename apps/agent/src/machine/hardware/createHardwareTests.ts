import type { IncomingMessage, ServerResponse } from 'node:http'
import { type HardwareClass, hardwareClass, hardwareSize, MAX_MAKING_MS, rowsPerRoundOf } from '@rackfair/hardware/classes'
import {
  type HardwareOpen,
  type HardwareOpened,
  type HardwareResults,
  type HardwareStart,
  type HardwareStarted,
  type HardwareWalk,
  type HardwareWalked,
  hardwareOpen,
  hardwareResults,
  hardwareStart,
  hardwareWalk,
  MAX_HARDWARE_QUESTION_BYTES,
} from '@rackfair/hardware/wire'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { hardwareCommitmentData, hardwareCommitmentHash, hardwareQuestionData, hardwareResultData } from '@rackfair/sdk/uptime'
import { type Address, bytesToHex, type Hex, hexToBytes, type LocalAccount } from 'viem'
import type { ZodType } from 'zod'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { sendJson } from '../../foundation/sendJson.ts'
import { type Answered, type Asking, createMonitorQuestions, NOT_SIGNED } from '../../uptime/createMonitorQuestions.ts'
import type { KnownMonitors } from '../../uptime/knownMonitors.ts'
import type { Promised } from './createMeasurement.ts'
import { createSessions, type MeasuredNode, type SessionOptions } from './createSessions.ts'

/** How long the memory is held for further monitors with the same beacon. */
const HELD_MS = 30_000
/** Monitors that are drawn for a node. */
const ASSIGNED = 5

export interface HardwareTestsOptions extends SessionOptions {
  account: LocalAccount
  monitors: (keptMs?: number) => Promise<KnownMonitors>
  log: Log
  /** What one network may fail. */
  pace?: { burst: number; refillMs: number }
  /** The classes that it knows. */
  classOf?: (id: number) => HardwareClass | undefined
}

/**
 * Lets monitors measure this machine: all requested nodes at the same time, for one beacon, in processes of the lowest priority. One test
 * at a time; its memory is held until every monitor has walked over it, and released at once when a tenant arrives.
 */
export function createHardwareTests(options: HardwareTestsOptions) {
  const { chainId, provider } = options
  const questions = createMonitorQuestions(options)
  const sessions = createSessions(options)
  const start = createStart(options, sessions)
  const { walk, open } = createWalks(sessions)
  const result = createResult(options, sessions)

  /** A step that a monitor's signed question starts. */
  const step =
    <T extends Pick<HardwareStart, 'monitor' | 'epoch' | 'beacon' | 'signature'>>(
      shape: ZodType<T>,
      answer: (body: T, contract: Address) => Promise<Answered>,
    ) =>
    (request: IncomingMessage, response: ServerResponse) =>
      questions(request, response, {
        shape,
        maxBytes: MAX_HARDWARE_QUESTION_BYTES,
        askedBy: ({ monitor }) => [monitor],
        epochOf: ({ epoch }) => epoch,
        answer: async (body, { contract, isSigned }) => {
          const { monitor, epoch, beacon, signature } = body
          const question = hardwareQuestionData(chainId, contract, { provider, epoch, beacon: beacon as Hex })
          return (await isSigned(monitor, question, signature)) ? answer(body, contract) : NOT_SIGNED
        },
      })
  const steps = new Map([
    ['start', step(hardwareStart, start)],
    ['walk', step(hardwareWalk, walk)],
    ['open', step(hardwareOpen, open)],
    [
      'result',
      (request: IncomingMessage, response: ServerResponse) =>
        questions(request, response, {
          shape: hardwareResults,
          maxBytes: MAX_HARDWARE_QUESTION_BYTES,
          askedBy: ({ results }) => results.map(({ monitor }) => monitor),
          epochOf: () => undefined,
          answer: result,
        }),
    ],
  ])

  return {
    /** `POST /.rackfair/hardware/{step}` */
    async handle(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
      const answer = steps.get(name)
      if (answer) await answer(request, response)
      else sendJson(response, 404, { message: 'not found' })
    },
    /** Ends what runs, at once: a tenant needs the machine. */
    stop(): void {
      const current = sessions.current()
      if (current) sessions.end(current)
    },
  }
}

type Sessions = ReturnType<typeof createSessions>

/** Makes the memory of all requested nodes, and signs what it is. */
function createStart(options: HardwareTestsOptions, sessions: Sessions) {
  const { account, chainId, provider, log } = options
  return async (body: HardwareStart, contract: Address): Promise<Answered> => {
    const one = (options.classOf ?? hardwareClass)(body.hardwareClass)
    if (!one) return { status: 400, body: { message: 'this agent does not know the class' } }
    const beacon = body.beacon as Hex
    const current = sessions.open(beacon, one)
    if (!current) return { status: 409, body: { message: 'another test runs' } }
    sessions.endAfter(current, MAX_MAKING_MS)
    for (const nodeId of body.nodes) sessions.add(current, BigInt(nodeId))
    await Promise.allSettled([...current.measured.values()].map(({ promised }) => promised))
    sessions.endAfter(current, HELD_MS)
    const nodes: HardwareStarted['nodes'] = []
    for (const nodeId of body.nodes) {
      const declined = current.declined.get(BigInt(nodeId))
      if (declined) nodes.push({ nodeId, declined })
      const promised = await current.measured.get(BigInt(nodeId))?.promised.catch((error: unknown) => {
        // For example because a tenant's deploy stopped it, or the machine ran out of memory.
        log.info('a hardware test did not end', { nodeId, reason: reasonOf(error) })
        return undefined
      })
      if (!promised) {
        if (current.measured.has(BigInt(nodeId)))
          nodes.push({ nodeId, declined: options.node(BigInt(nodeId))?.inUse ? 'in_use' : 'memory_taken' })
        continue
      }
      const commitment = commitmentOf(promised, hardwareSize(one, options.node(BigInt(nodeId)) as MeasuredNode))
      const facts = { provider, nodeId: BigInt(nodeId), beacon, commitment: hardwareCommitmentHash(commitment) }
      const signature = await account.signTypedData(hardwareCommitmentData(chainId, contract, facts))
      nodes.push({ nodeId, commitment, signature })
    }
    return { status: 200, body: { nodes } satisfies HardwareStarted }
  }
}

/** Walks over the memory that was made, and opens some of its rows. */
function createWalks(sessions: Sessions) {
  const gone = { status: 410, body: { message: 'this test is over' } }
  const walk = async ({ monitor, beacon, use, nodes }: HardwareWalk): Promise<Answered> => {
    const current = sessions.current()
    const keyOf = ({ nodeId }: { nodeId: string }) => `${lowerCaseAddress(monitor)} ${use} ${nodeId}`
    // A monitor of many nodes asks for them in groups.
    const asked = nodes.filter((one) => current?.measured.has(BigInt(one.nodeId)) && !current.walked.has(keyOf(one)))
    if (current?.beacon !== beacon || asked.length === 0) return gone
    for (const one of asked) current.walked.add(keyOf(one))
    const walked = await Promise.all(
      asked.map(async ({ nodeId, salt }) => {
        const root = await current.measured
          .get(BigInt(nodeId))
          ?.walk(monitor, use, hexToBytes(salt as Hex))
          .catch(() => undefined)
        return root ? [{ nodeId, root: bytesToHex(root) }] : []
      }),
    )
    return { status: 200, body: { nodes: walked.flat() } satisfies HardwareWalked }
  }
  const open = async ({ monitor, beacon, use, nodeId, salt }: HardwareOpen): Promise<Answered> => {
    const current = sessions.current()
    const measuring = current?.beacon === beacon ? current.measured.get(BigInt(nodeId)) : undefined
    const opened = await measuring?.open(monitor, use, hexToBytes(salt as Hex)).catch(() => undefined)
    if (!opened) return gone
    const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
    return { status: 200, body: { rows: base64(opened.rows), walk: base64(opened.walk) } satisfies HardwareOpened }
  }
  return { walk, open }
}

/** The monitor's signed result for each node, kept if it verifies; a test ends with the last result. */
function createResult({ chainId, provider, records, log }: HardwareTestsOptions, sessions: Sessions) {
  return async ({ results }: HardwareResults, { contract, monitors, isSigned }: Asking): Promise<Answered> => {
    let kept = 0
    for (const one of results) {
      if (lowerCaseAddress(one.provider) !== provider) continue
      if (!(await isSigned(one.monitor, hardwareResultData(chainId, contract, one), one.signature))) return NOT_SIGNED
      if (records.keep(one)) kept += 1
      const current = sessions.current()
      if (current?.beacon === one.beacon) current.done.add(lowerCaseAddress(one.monitor))
      log.info('hardware tested', { nodeId: one.nodeId, outcome: one.outcome, monitor: one.monitor })
    }
    const current = sessions.current()
    if (current && current.done.size >= Math.min(ASSIGNED, monitors.size)) sessions.end(current)
    return { status: 200, body: { kept } }
  }
}

/** The agent's commitment for a node before it knows the challenge: the Merkle roots of all rounds. */
function commitmentOf(promised: Promised, { memoryBytes, diskBytes }: { memoryBytes: number; diskBytes: number }) {
  const hex = (hashes: readonly Uint8Array[]) => hashes.map((one) => bytesToHex(one))
  const size = (roots: readonly Uint8Array[], bytes: number) => ({ rowsPerRound: rowsPerRoundOf(bytes), roots: hex(roots) })
  return {
    memory: size(promised.memory, memoryBytes),
    disk: size(promised.disk, diskBytes),
    argon: hex(promised.argon),
  }
}
