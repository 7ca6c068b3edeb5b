import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type HardwareClass,
  hardwareClass,
  hardwareSize,
  lowerCaseAddress,
  MAX_MAKING_MS,
  networkOf,
  rowsPerRoundOf,
} from '@rackfair/core'
import {
  type HardwareOpened,
  type HardwareStart,
  type HardwareStarted,
  type HardwareWalked,
  hardwareOpen,
  hardwareResults,
  hardwareStart,
  hardwareWalk,
  MAX_HARDWARE_QUESTION_BYTES,
} from '@rackfair/core/wire'
import { hardwareCommitmentData, hardwareCommitmentHash, hardwareQuestionData, isSignedResult } from '@rackfair/sdk/uptime'
import { type Address, bytesToHex, type Hex, hexToBytes, isAddressEqual, type LocalAccount, recoverTypedDataAddress } from 'viem'
import type { ZodType } from 'zod'
import { readJson } from '../gateway/readJson.ts'
import { sendJson } from '../gateway/sendJson.ts'
import type { Log } from '../log.ts'
import type { KnownMonitors } from '../uptime/knownMonitors.ts'
import { createTokenBuckets } from '../verify/tokenBuckets.ts'
import type { Promised } from './createMeasurement.ts'
import { createSessions, type MeasuredNode, type SessionOptions } from './createSessions.ts'

/** How long the memory is held for further monitors with the same beacon. */
const HELD_MS = 30_000
const MAX_EPOCHS_OFF = 1
/** Monitors that are drawn for a node. */
const ASSIGNED = 5
const STEPS = ['start', 'walk', 'open', 'result'] as const

/**
 * Lets monitors measure this machine: all requested nodes at the same time, for one beacon, in processes of the lowest priority. One test
 * at a time; its memory is held until every monitor has walked over it, and released at once when a tenant arrives.
 */
export function createHardwareTests(
  options: SessionOptions & {
    account: LocalAccount
    monitors: () => Promise<KnownMonitors>
    log: Log
    pace?: { burst: number; refillMs: number }
    /** The classes that it knows. */
    classOf?: (id: number) => HardwareClass | undefined
  },
) {
  const { account, chainId, provider, records, log, now } = options
  const perNetwork = createTokenBuckets(options.pace ?? { burst: 60, refillMs: 1000 })
  const sessions = createSessions(options)

  const start = async (body: HardwareStart, contract: Address): Promise<{ status: number; body: object }> => {
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
        log.info('a hardware test did not end', { nodeId, reason: String(error) })
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

  const isAsked = async (
    { monitor, epoch, beacon, signature }: Pick<HardwareStart, 'monitor' | 'epoch' | 'beacon' | 'signature'>,
    contract: Address,
  ): Promise<boolean> => {
    const data = hardwareQuestionData(chainId, contract, { provider, epoch, beacon: beacon as Hex })
    const signer = await recoverTypedDataAddress({ ...data, signature: signature as Hex }).catch(() => undefined)
    return signer !== undefined && isAddressEqual(signer, monitor as Address)
  }

  const gone = { status: 410, body: { message: 'this test is over' } }
  const answers = {
    start: (body: unknown, contract: Address) => start(body as HardwareStart, contract),
    async walk(body: unknown) {
      const { monitor, beacon, use, nodes } = hardwareWalk.parse(body)
      const current = sessions.current()
      const key = `${monitor.toLowerCase()} ${use}`
      if (current?.beacon !== beacon || current.walked.has(key)) return gone
      current.walked.add(key)
      const walked = await Promise.all(
        nodes.map(async ({ nodeId, salt }) => {
          const root = await current.measured
            .get(BigInt(nodeId))
            ?.walk(monitor, use, hexToBytes(salt as Hex))
            .catch(() => undefined)
          return root ? [{ nodeId, root: bytesToHex(root) }] : []
        }),
      )
      return { status: 200, body: { nodes: walked.flat() } satisfies HardwareWalked }
    },
    async open(body: unknown) {
      const { monitor, beacon, use, nodeId, salt } = hardwareOpen.parse(body)
      const current = sessions.current()
      const measuring = current?.beacon === beacon ? current.measured.get(BigInt(nodeId)) : undefined
      const opened = await measuring?.open(monitor, use, hexToBytes(salt as Hex)).catch(() => undefined)
      if (!opened) return gone
      const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
      return { status: 200, body: { rows: base64(opened.rows), walk: base64(opened.walk) } satisfies HardwareOpened }
    },
  }

  /** The monitor's signed result for each node, kept if it verifies; a test ends with the last result. */
  const result = async (body: unknown, contract: Address, expected: number) => {
    let kept = 0
    for (const one of hardwareResults.parse(body).results) {
      if (lowerCaseAddress(one.provider) !== provider || !(await isSignedResult(chainId, contract, one))) continue
      if (records.keep(one)) kept += 1
      const current = sessions.current()
      if (current?.beacon === one.beacon) current.done.add(one.monitor.toLowerCase())
      log.info('hardware tested', { nodeId: one.nodeId, outcome: one.outcome, monitor: one.monitor })
    }
    const current = sessions.current()
    if (current && current.done.size >= expected) sessions.end(current)
    return { status: 200, body: { kept } }
  }

  const shapes: Record<Exclude<(typeof STEPS)[number], 'result'>, ZodType> = {
    start: hardwareStart,
    walk: hardwareWalk,
    open: hardwareOpen,
  }

  return {
    /** `POST /.rackfair/hardware/{step}` */
    async handle(request: IncomingMessage, response: ServerResponse, name: string): Promise<void> {
      const refuse = (status: number, message: string) => sendJson(response, status, { message })
      const step = STEPS.find((one) => one === name)
      if (!step) return refuse(404, 'not found')
      if (request.method !== 'POST') return refuse(405, 'POST only')
      if (!perNetwork.take(networkOf(request.socket.remoteAddress ?? ''))) return refuse(429, 'too many requests')
      const json = await readJson(request, MAX_HARDWARE_QUESTION_BYTES).catch(() => undefined)
      const body = (step === 'result' ? hardwareResults : shapes[step]).safeParse(json)
      if (!body.success) return refuse(400, 'malformed request')
      const { contract, accounts } = await options.monitors()
      if (contract === undefined) return refuse(404, 'this market has no monitors')
      const asking = step === 'result' ? hardwareResults.parse(body.data).results : [body.data as HardwareStart]
      if (!asking.every(({ monitor }) => accounts.has(lowerCaseAddress(monitor))))
        return refuse(403, 'not a monitor of this market')
      if (step === 'result') {
        const expected = Math.min(ASSIGNED, accounts.size)
        const { status, body: kept } = await result(body.data, contract.address, expected)
        return sendJson(response, status, kept)
      }
      const question = body.data as HardwareStart
      const epoch = contract.calendar.epochAt(now())
      if (Math.abs(question.epoch - epoch) > MAX_EPOCHS_OFF) return refuse(409, `this clock shows epoch ${epoch}`)
      if (!(await isAsked(question, contract.address))) return refuse(403, 'not signed by the monitor')
      const { status, body: answer } = await answers[step](question, contract.address)
      sendJson(response, status, answer)
    },
    /** Ends what runs, at once: a tenant needs the machine. */
    stop(): void {
      const current = sessions.current()
      if (current) sessions.end(current)
    },
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
