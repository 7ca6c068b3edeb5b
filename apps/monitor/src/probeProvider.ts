import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_PROBE_BYTES, MAX_PROBED_NODES, probeAnswer } from '@rackfair/protocol/uptime'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { isPublicAddress } from '@rackfair/rules/network/isPublicAddress'
import {
  type Acknowledgement,
  acknowledgementData,
  attestationData,
  type KeptPromise,
  probeData,
  promiseData,
} from '@rackfair/sdk/uptime'
import { type Address, type Hex, isAddressEqual, type LocalAccount, recoverTypedDataAddress } from 'viem'
import type { Observation } from './openObservations.ts'
import { BusyError, postJson } from './postJson.ts'
import type { FleetProvider } from './readFleet.ts'
import type { Schedule } from './schedule.ts'

const ATTEMPTS = 3

export interface ProbeContext {
  account: Pick<LocalAccount, 'address'>
  signer: LocalAccount
  chainId: number
  /** The contract `Monitors`. */
  monitors: Address
  market: LowerCaseAddress
  epoch: number
  beacon: Hex
  schedule: Schedule
  /** Where else a provider may be asked: at the addresses of its registered name. */
  alsoAt?: (provider: FleetProvider) => Promise<readonly string[]>
}

/** What was seen of a node in an epoch, with its operator's promise for the running deployment. */
export type Probed = Observation & {
  promise?: KeptPromise
  /** It could not be asked: whoever answers for its provider is busy. That says nothing about the node. */
  isBusy?: true
  /** Where its answer came from, and whether with TLS. */
  from?: { ip: string; tls: boolean }
}

/**
 * Probes the nodes of a provider, with at most three attempts. A node is up if its operator attests it, healthy, for the order that the
 * chain names; it is down in any other case, and if the registered address is not public. Where nothing valid comes from
 * there, the addresses of the registered name are asked as well. One that is busy is not asked again here.
 */
export async function probeProvider(
  provider: FleetProvider,
  nodes: FleetProvider['nodes'],
  context: ProbeContext,
): Promise<Probed[]> {
  const observations = new Map<bigint, Probed>()
  const { epoch, market } = context
  for (const { id, orderId } of nodes)
    observations.set(id, { epoch, provider: provider.address, nodeId: id, market, orderId, isUp: false, attestation: undefined })
  if (!mayConnect(provider, context.chainId)) return [...observations.values()]
  const deadline = performance.now() + context.schedule.providerMs
  let isBusy = false
  /** Where the last answer came from. */
  let ip = provider.ip
  for (let attempt = 0; attempt < ATTEMPTS && !isBusy && performance.now() < deadline; attempt += 1) {
    if (attempt > 0) await sleep(context.schedule.retryMs)
    const missing = nodes.filter(({ id }) => !observations.get(id)?.isUp)
    if (missing.length === 0) break
    for (let start = 0; start < missing.length && !isBusy && performance.now() < deadline; start += MAX_PROBED_NODES) {
      const asked = missing.slice(start, start + MAX_PROBED_NODES)
      const up = await askAround({ ...provider, ip }, asked, context, deadline).catch((error: unknown) => {
        isBusy = error instanceof BusyError
        return []
      })
      for (const one of up) observations.set(one.nodeId, one)
      ip = up[0]?.from?.ip ?? provider.ip
    }
  }
  return [...observations.values()].map((one) => (isBusy && !one.isUp ? { ...one, isBusy } : one))
}

/** Whether a provider's address is public; on a development chain any address is accepted. */
export const mayConnect = ({ ip, port }: FleetProvider, chainId: number): boolean =>
  port > 0 && port < 65_536 && (chainId === DEVELOPMENT_CHAIN_ID ? /^[\da-f.:]+$/i.test(ip) : isPublicAddress(ip))

/** Asks at an address and, where no node is attested from there, at those of the registered name, until one answers for some. */
async function askAround(
  provider: FleetProvider,
  nodes: FleetProvider['nodes'],
  context: ProbeContext,
  deadline: number,
): Promise<Probed[]> {
  const askAt = (ip: string) =>
    ask({ ...provider, ip }, nodes, context).catch((error: unknown): Probed[] => {
      if (error instanceof BusyError) throw error
      return []
    })
  const up = await askAt(provider.ip)
  if (up.length > 0) return up
  for (const ip of (await context.alsoAt?.(provider)) ?? []) {
    if (ip === provider.ip || performance.now() >= deadline) continue
    const found = await askAt(ip)
    if (found.length > 0) return found
  }
  return []
}

async function ask(provider: FleetProvider, nodes: FleetProvider['nodes'], context: ProbeContext): Promise<Probed[]> {
  const { account, signer, chainId, monitors, epoch, beacon } = context
  const signature = await signer.signTypedData(probeData(chainId, monitors, { provider: provider.address, epoch }))
  const question = { monitor: account.address, epoch, beacon, nodes: nodes.map(({ id }) => String(id)), signature }
  const { tls, answer } = await reach(provider, question, context.schedule)
  const isOperator = (signer: Address) => isAddressEqual(signer, provider.operator) || isAddressEqual(signer, provider.address)
  const up: Probed[] = []
  for (const one of probeAnswer.parse(answer).attestations) {
    const { nodeId, orderId, market, healthy } = one
    const node = nodes.find(({ id }) => id === BigInt(nodeId))
    if (!node || !healthy || BigInt(orderId) !== node.orderId) continue
    const facts = {
      market: lowerCaseAddress(market),
      orderId: node.orderId,
      provider: provider.address,
      nodeId: node.id,
      epoch,
      beacon,
      healthy,
      monitor: account.address,
      deployment: one.deployment as Hex,
      image: one.image as Hex,
    }
    const signature = one.signature as Hex
    if (!isOperator(await recoverTypedDataAddress({ ...attestationData(chainId, monitors, facts), signature }))) continue
    const { deployment, image } = facts
    const seen = { ...facts, isUp: true, from: { ip: provider.ip, tls }, attestation: { beacon, deployment, image, signature } }
    const promise = one.promise && ({ ...one.promise, market: facts.market, orderId: node.orderId } as KeptPromise)
    const isPromised =
      promise?.deployment === deployment &&
      isOperator(await recoverTypedDataAddress({ ...promiseData(chainId, monitors, promise), signature: promise.signature }))
    up.push(isPromised ? { ...seen, promise } : seen)
  }
  return up
}

/** Without TLS and, if the answer is not an attestation, with TLS. */
async function reach({ ip, port }: FleetProvider, question: unknown, { answerMs }: Schedule) {
  const limits = { timeoutMs: answerMs, maxBytes: MAX_PROBE_BYTES }
  const path = '/.rackfair/attestation'
  const answer = await postJson({ ip, port, path, tls: false }, question, limits).catch((error: NodeJS.ErrnoException) => {
    // If nothing answers, or something that is busy, TLS will not help.
    if (error instanceof BusyError) throw error
    if (error.code === 'ECONNREFUSED' || error.name === 'TimeoutError' || error.name === 'AbortError') throw error
  })
  if (answer !== undefined) return { tls: false, answer }
  return { tls: true, answer: await postJson({ ip, port, path, tls: true }, question, limits) }
}

/**
 * Sends the agent its defence: signed acknowledgements of the nodes that were up. Nothing is acknowledged that is not on disk as up, so that
 * nothing else can ever be reported of it. If the agent does not accept it, that is its own loss: the answer counts anyway.
 */
export async function acknowledge(provider: FleetProvider, up: readonly Probed[], context: ProbeContext): Promise<void> {
  const { account, signer, chainId, monitors, epoch, schedule } = context
  const deadline = performance.now() + schedule.providerMs
  for (let start = 0; start < up.length && performance.now() < deadline; start += MAX_PROBED_NODES) {
    const group = up.slice(start, start + MAX_PROBED_NODES)
    const acknowledgements = await Promise.all(
      group.map(async ({ market, orderId, nodeId }) => {
        const facts: Acknowledgement = { market, orderId, provider: provider.address, nodeId, epoch }
        const signature = await signer.signTypedData(acknowledgementData(chainId, monitors, facts))
        return { nodeId: String(nodeId), orderId: String(orderId), market, signature }
      }),
    )
    const { ip = provider.ip, tls = false } = group[0]?.from ?? {}
    const target = { ip, port: provider.port, path: '/.rackfair/acknowledgement', tls }
    const body = { monitor: account.address, epoch, acknowledgements }
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (attempt > 0) await sleep(schedule.retryMs)
      const error = await postJson(target, body, { timeoutMs: schedule.answerMs, maxBytes: 4_096 }).catch((why: unknown) => why)
      if (!(error instanceof BusyError)) break
    }
  }
}
