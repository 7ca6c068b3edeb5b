import { argon2, hash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ARGON_SETTINGS, argonInput } from '@rackfair/hardware/argon'
import { type HardwareClass, hardwareSize, makingLimitMs } from '@rackfair/hardware/classes'
import { type Hash, hashAll, isEqual, numberBelow } from '@rackfair/hardware/Hash'
import { ROUNDS, ROW_BYTES } from '@rackfair/hardware/product'
import { type Commitment, checkRows, checkWalk, firstSeed } from '@rackfair/hardware/proof'
import type { HardwareResultWire } from '@rackfair/hardware/record'
import type { HardwareOutcome } from '@rackfair/hardware/verification'
import {
  type HardwareCommitmentWire,
  type HardwareUse,
  hardwareOpened,
  hardwareStarted,
  hardwareWalked,
  MAX_HARDWARE_BYTES,
} from '@rackfair/hardware/wire'
import { MAX_PROBED_NODES } from '@rackfair/protocol/uptime'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { hardwareCommitmentData, hardwareCommitmentHash, hardwareQuestionData, hardwareResultData } from '@rackfair/sdk/uptime'
import { type Address, bytesToHex, type Hex, hexToBytes, isAddressEqual, type LocalAccount, recoverTypedDataAddress } from 'viem'
import { BusyError, postJson } from '../postJson.ts'
import type { FleetNode, FleetProvider } from '../readFleet.ts'

const sha256: Hash = (bytes) => hash('sha256', bytes, 'buffer')
const hashArgon = promisify(argon2)
/** Timeout of an answer that is not timed. */
const ANSWER_MS = 20_000
/** How long to wait beyond a limit, so that a late answer is recorded as late. */
const LATE_MS = 30_000
/** Pause before asking again where the answer was that it is busy. The time of a timed step runs on. */
const BUSY_MS = 1_000
/** Recorded if an agent answers that the test is gone: it has freed the memory for an order. */
const LET_GO: HardwareOutcome = 'in_use'
const USES = ['memory', 'disk'] as const

export interface HardwareContext {
  account: Pick<LocalAccount, 'address'>
  signer: LocalAccount
  chainId: number
  /** The contract `Monitors`. */
  monitors: Address
  epoch: number
  beacon: Hex
  hardwareClass: HardwareClass
  /** Allowed beyond every limit, where others keep the machine busy. */
  graceMs?: number
  /** Unix seconds. */
  now: () => number
}
type Provider = FleetProvider<FleetNode>

interface Tested {
  node: FleetNode
  outcome: HardwareOutcome | undefined
  commitment?: HardwareCommitmentWire
  makingMs: number
  walkMs: Record<HardwareUse, number>
}

/**
 * Tests all nodes of a provider at one beacon: their roots, then a walk over the memory of all in parallel, one over their files, and the
 * rows and steps that are drawn after that. Nodes that give no answer at all have no result; that is downtime.
 */
export async function testProvider(provider: Provider, context: HardwareContext): Promise<HardwareResultWire[]> {
  const { account, signer, chainId, monitors, epoch, beacon } = context
  const data = hardwareQuestionData(chainId, monitors, { provider: provider.address, epoch, beacon })
  const question = { monitor: account.address, epoch, beacon, signature: await signer.signTypedData(data) }
  const ask = await reach(provider)
  // A question has at most sixteen nodes; all nodes are asked before the first walk.
  const groups: FleetNode[][] = []
  for (let start = 0; start < provider.nodes.length; start += MAX_PROBED_NODES)
    groups.push(provider.nodes.slice(start, start + MAX_PROBED_NODES))
  const tested = (await Promise.all(groups.map((nodes) => start(provider, nodes, question, ask, context)))).flat()
  for (const use of USES) await walkAndCheck(tested, use, question, ask, context, provider)
  const results: HardwareResultWire[] = []
  for (const one of tested) if (one.outcome) results.push(await sign(provider, one, one.outcome, context))
  for (let first = 0; first < results.length; first += MAX_PROBED_NODES)
    await ask('result', { results: results.slice(first, first + MAX_PROBED_NODES) }, ANSWER_MS).catch(() => {})
  return results
}

type Ask = (step: string, body: unknown, timeoutMs: number) => Promise<unknown>
type Question = { monitor: Address; epoch: number; beacon: Hex; signature: Hex }

/** Without TLS and, if something else answers, with TLS; again while the answer is that it is busy. */
async function reach({ ip, port }: Provider): Promise<Ask> {
  const post = async (tls: boolean, step: string, body: unknown, timeoutMs: number): Promise<unknown> => {
    const began = performance.now()
    const limits = { timeoutMs, maxBytes: MAX_HARDWARE_BYTES }
    try {
      return await postJson({ ip, port, path: `/.rackfair/hardware/${step}`, tls }, body, limits)
    } catch (error) {
      if (!(error instanceof BusyError)) throw error
      await sleep(BUSY_MS)
      const leftMs = Math.floor(timeoutMs - (performance.now() - began))
      if (leftMs <= 0) throw error
      return post(tls, step, body, leftMs)
    }
  }
  let tls: boolean | undefined
  return async (step, body, timeoutMs) => {
    if (tls !== undefined) return post(tls, step, body, timeoutMs)
    const plain = await post(false, step, body, timeoutMs).catch((error: NodeJS.ErrnoException) => {
      if (
        error instanceof BusyError ||
        error.code === 'ECONNREFUSED' ||
        error.name === 'TimeoutError' ||
        error.name === 'AbortError'
      )
        throw error
    })
    tls = plain === undefined
    return plain ?? post(true, step, body, timeoutMs)
  }
}

async function start(
  provider: Provider,
  nodes: readonly FleetNode[],
  question: Question,
  ask: Ask,
  context: HardwareContext,
): Promise<Tested[]> {
  const { hardwareClass, chainId, monitors, beacon, graceMs = 0 } = context
  const limitOf = (node: FleetNode) => makingLimitMs(hardwareSize(hardwareClass, node)) + graceMs
  // The wait is that of the slowest node; each has its own limit.
  const longest = Math.max(...nodes.map(limitOf))
  const began = performance.now()
  const body = { ...question, hardwareClass: hardwareClass.id, nodes: nodes.map(({ id }) => String(id)) }
  const answer = hardwareStarted.parse(await ask('start', body, longest + LATE_MS))
  const makingMs = Math.round(performance.now() - began)
  const tested: Tested[] = []
  for (const one of answer.nodes) {
    const node = nodes.find(({ id }) => id === BigInt(one.nodeId))
    if (!node || tested.some((other) => other.node === node)) continue
    const found: Tested = { node, outcome: 'passed', makingMs, walkMs: { memory: 0, disk: 0 } }
    tested.push(found)
    if ('declined' in one) {
      found.outcome = one.declined
      continue
    }
    const facts = { provider: provider.address, nodeId: node.id, beacon, commitment: hardwareCommitmentHash(one.commitment) }
    const signer = await recoverTypedDataAddress({
      ...hardwareCommitmentData(chainId, monitors, facts),
      signature: one.signature as Hex,
    })
    // A man in the middle answered: nothing is known of the node.
    if (!isAddressEqual(signer, provider.operator) && !isAddressEqual(signer, provider.address)) found.outcome = undefined
    else if (!isWhole(one.commitment, node, hardwareClass)) found.outcome = 'wrong'
    else if (makingMs > limitOf(node)) found.outcome = 'late'
    else if (!(await isComputed(one.commitment, node, provider, context))) found.outcome = 'wrong'
    found.commitment = one.commitment
  }
  return tested
}

/** Whether it commits to as much as its class and its node require. */
function isWhole({ memory, disk, argon }: HardwareCommitmentWire, node: FleetNode, one: HardwareClass): boolean {
  const { memoryBytes, diskBytes, cores } = hardwareSize(one, node)
  const bytes = ({ rowsPerRound }: { rowsPerRound: number }) => rowsPerRound * ROUNDS * ROW_BYTES
  return bytes(memory) === memoryBytes && bytes(disk) === diskBytes && argon.length === cores
}

const seedOf = (provider: Provider, node: FleetNode, use: string, { chainId, beacon }: HardwareContext): Uint8Array =>
  firstSeed(sha256, { chainId, provider: provider.address, nodeId: node.id, beacon, use })

/** Recomputes the Argon2id of one core, which cannot be predicted. */
async function isComputed(
  { argon }: HardwareCommitmentWire,
  node: FleetNode,
  provider: Provider,
  context: HardwareContext,
): Promise<boolean> {
  const core = numberBelow(argon.length, randomBytes(6))
  const input = argonInput(sha256, seedOf(provider, node, 'memory', context), core)
  const expected = await hashArgon('argon2id', { ...input, ...ARGON_SETTINGS, memory: context.hardwareClass.argonKib })
  return isEqual(expected, hexToBytes(argon[core] as Hex))
}

async function walkAndCheck(
  tested: readonly Tested[],
  use: HardwareUse,
  question: Question,
  ask: Ask,
  context: HardwareContext,
  provider: Provider,
): Promise<void> {
  const { hardwareClass, graceMs = 0 } = context
  const steps = use === 'memory' ? hardwareClass.memorySteps : hardwareClass.diskSteps
  const limitMs = (use === 'memory' ? hardwareClass.memoryWalkMs : hardwareClass.diskWalkMs) + graceMs
  const walking = tested.filter(({ outcome }) => outcome === 'passed')
  const began = performance.now()
  // In parallel: memory shared by two nodes holds the rows of only one of them.
  const walks = await Promise.all(
    Array.from({ length: Math.ceil(walking.length / MAX_PROBED_NODES) }, async (_, group) => {
      const nodes = walking.slice(group * MAX_PROBED_NODES, (group + 1) * MAX_PROBED_NODES).map((one) => ({
        ...{ one, salt: bytesToHex(randomBytes(32)) },
      }))
      const body = { ...question, use, nodes: nodes.map(({ one, salt }) => ({ nodeId: String(one.node.id), salt })) }
      const answer = await ask('walk', body, limitMs + LATE_MS).catch(unansweredBy)
      const walkMs = Math.round(performance.now() - began)
      const walked = hardwareWalked.safeParse(answer)
      return nodes.map(({ one, salt }) => ({
        ...{ one, salt, walkMs },
        root: walked.data?.nodes.find(({ nodeId }) => BigInt(nodeId) === one.node.id)?.root,
        unanswered: isUnanswered(answer) ? answer : answer === undefined ? LET_GO : ('memory_taken' as const),
      }))
    }),
  )
  for (const { one, salt, walkMs, root, unanswered } of walks.flat()) {
    one.walkMs[use] = walkMs
    // Of one that was busy all along nothing is known.
    if (!root) one.outcome = unanswered === 'busy' ? undefined : unanswered
    else if (walkMs > limitMs) one.outcome = 'late'
    else
      one.outcome = await check(
        one,
        { use, start: hexToBytes(salt), root: hexToBytes(root as Hex), steps },
        question,
        ask,
        seedOf(provider, one.node, use, context),
      )
  }
}

async function check(
  { node, commitment }: Tested,
  walk: { use: HardwareUse; start: Uint8Array; root: Uint8Array; steps: number },
  question: Question,
  ask: Ask,
  first: Uint8Array,
): Promise<HardwareOutcome | undefined> {
  const { use } = walk
  const promised = commitment?.[use]
  // Drawn after the walk, so that none of its steps can be skipped.
  const salt = hashAll(sha256, randomBytes(32), walk.root)
  const answer = await ask('open', { ...question, use, nodeId: String(node.id), salt: bytesToHex(salt) }, ANSWER_MS).catch(
    unansweredBy,
  )
  if (answer === undefined) return LET_GO
  if (isUnanswered(answer)) return answer === 'late' ? answer : undefined
  const opened = hardwareOpened.safeParse(answer)
  if (!promised || !opened.success) return 'wrong'
  const roots: Commitment = { rowsPerRound: promised.rowsPerRound, roots: promised.roots.map((root) => hexToBytes(root as Hex)) }
  const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
  const problem =
    checkRows(sha256, roots, first, salt, bytes(opened.data.rows)) ??
    checkWalk(sha256, roots, walk, salt, bytes(opened.data.walk))
  return problem === undefined ? 'passed' : 'wrong'
}

type Unanswered = 'busy' | 'late'
const unansweredBy = (error: unknown): Unanswered => (error instanceof BusyError ? 'busy' : 'late')
const isUnanswered = (answer: unknown): answer is Unanswered => answer === 'busy' || answer === 'late'

async function sign(
  provider: Provider,
  { node, commitment, makingMs, walkMs }: Tested,
  outcome: HardwareOutcome,
  { account, signer, chainId, monitors, beacon, hardwareClass, graceMs = 0, now }: HardwareContext,
): Promise<HardwareResultWire> {
  const size = hardwareSize(hardwareClass, node)
  const measured = commitment ? size : { memoryBytes: 0, diskBytes: 0, cores: 0 }
  const facts = {
    ...{ provider: provider.address, nodeId: String(node.id), rev: node.rev, orderId: String(node.orderId) },
    ...{ beacon, hardwareClass: hardwareClass.id, outcome, ...measured },
    // GPU memory has no test yet.
    gpus: 0,
    ...{ makingMs, limitMs: makingLimitMs(size) + graceMs, memoryWalkMs: walkMs.memory, diskWalkMs: walkMs.disk, time: now() },
  }
  const signature = await signer.signTypedData(hardwareResultData(chainId, monitors, facts))
  return { monitor: lowerCaseAddress(account.address), ...facts, signature }
}
