import type { IncomingMessage, ServerResponse } from 'node:http'
import { lowerCaseAddress, networkOf } from '@rackfair/core'
import { acknowledgementRequest, type ImagePromise, MAX_PROBE_BYTES, type ProbeAnswer, probeRequest } from '@rackfair/core/wire'
import { acknowledgementData, attestationData, probeData } from '@rackfair/sdk/uptime'
import { type Address, type Hex, type LocalAccount, recoverTypedDataAddress, zeroHash } from 'viem'
import type { ZodType } from 'zod'
import { readJson } from '../gateway/readJson.ts'
import { sendJson } from '../gateway/sendJson.ts'
import { createTokenBuckets } from '../verify/tokenBuckets.ts'
import { deploymentHash, imageDigest } from './createPromises.ts'
import type { KnownMonitors } from './knownMonitors.ts'
import type { Evidence } from './openEvidence.ts'

/** How far a monitor's clock may be from ours, in epochs. */
const MAX_EPOCHS_OFF = 1

export interface AttestedNode {
  orderId: bigint
  market: Address
  /** False where what runs on the order does not answer. */
  healthy: boolean
  /** The container that runs, and what was promised of its deployment; undefined while none does. */
  runs: { deploymentId: string; imageId: string; promise: ImagePromise | undefined } | undefined
}

/**
 * Answers monitors at the registered address, and keeps what they sign in return. Whoever is no monitor is turned away before anything is
 * signed, and pays for the probe with a token of its network.
 */
export function createAttestations(options: {
  account: LocalAccount
  chainId: number
  provider: Address
  monitors: () => Promise<KnownMonitors>
  /** How it stands with a node of this machine; undefined for any other. */
  node: (nodeId: bigint) => AttestedNode | undefined
  evidence: Evidence
  /** Unix seconds. */
  now: () => number
  /** What one network may ask. */
  pace?: { burst: number; refillMs: number }
}) {
  const { account, chainId, provider, evidence, now } = options
  const perNetwork = createTokenBuckets(options.pace ?? { burst: 20, refillMs: 1000 })
  /** What was attested in each of the last epochs: an order may end before a monitor has acknowledged it. */
  const attested = new Map<number, Set<string>>()

  const remember = (facts: Attested) => {
    const ofEpoch = attested.get(facts.epoch) ?? new Set()
    attested.set(facts.epoch, ofEpoch.add(keyOf(facts)))
    for (const epoch of attested.keys()) if (epoch < facts.epoch - 2 * MAX_EPOCHS_OFF) attested.delete(epoch)
  }

  /** A monitor can sign for nodes and orders that do not exist, without end. */
  const isOwn = (facts: Attested): boolean => {
    const known = options.node(facts.nodeId)
    return (
      attested.get(facts.epoch)?.has(keyOf(facts)) === true ||
      (known !== undefined && keyOf({ ...known, nodeId: facts.nodeId }) === keyOf(facts))
    )
  }

  const attest = async (body: unknown, contract: Address): Promise<ProbeAnswer> => {
    const { beacon, epoch, nodes } = body as ReturnType<typeof probeRequest.parse>
    const attestations: ProbeAnswer['attestations'] = []
    for (const nodeId of nodes) {
      const known = options.node(BigInt(nodeId))
      if (!known) continue
      const { orderId, market, healthy, runs } = known
      const image = runs && imageDigest(runs.imageId)
      const ran = { deployment: image ? deploymentHash(runs.deploymentId) : zeroHash, image: image ?? zeroHash }
      const facts = { market, orderId, provider, nodeId: BigInt(nodeId), epoch, beacon: beacon as Hex, healthy, ...ran }
      const signature = await account.signTypedData(attestationData(chainId, contract, facts))
      remember(facts)
      const said = { nodeId, orderId: String(orderId), market: market.toLowerCase(), healthy, ...ran, signature }
      attestations.push(runs?.promise ? { ...said, promise: runs.promise } : said)
    }
    return { attestations }
  }

  const handle = async <T extends { monitor: string; epoch: number }>(
    request: IncomingMessage,
    response: ServerResponse,
    shape: ZodType<T>,
    answer: (body: T, contract: Address) => Promise<{ status: number; body: object }>,
  ): Promise<void> => {
    const refuse = (status: number, message: string) => sendJson(response, status, { message })
    if (request.method !== 'POST') return refuse(405, 'POST only')
    if (!perNetwork.take(networkOf(request.socket.remoteAddress ?? ''))) return refuse(429, 'too many requests')
    const body = shape.safeParse(await readJson(request, MAX_PROBE_BYTES).catch(() => undefined))
    if (!body.success) return refuse(400, 'malformed request')
    const { contract, accounts } = await options.monitors()
    if (contract === undefined) return refuse(404, 'this market has no monitors')
    if (!accounts.has(lowerCaseAddress(body.data.monitor))) return refuse(403, 'not a monitor of this market')
    const epoch = contract.calendar.epochAt(now())
    if (Math.abs(body.data.epoch - epoch) > MAX_EPOCHS_OFF) return refuse(409, `this clock shows epoch ${epoch}`)
    const { status, body: result } = await answer(body.data, contract.address)
    sendJson(response, status, result)
  }

  return {
    /** `POST /.rackfair/attestation` */
    attestation: (request: IncomingMessage, response: ServerResponse) =>
      handle(request, response, probeRequest, async (body, contract) => {
        const probe = probeData(chainId, contract, { provider, epoch: body.epoch })
        if (!(await isSignedBy(body.monitor, probe, body.signature)))
          return { status: 403, body: { message: 'not signed by the monitor' } }
        return { status: 200, body: await attest(body, contract) }
      }),

    /** `POST /.rackfair/acknowledgement` */
    acknowledgement: (request: IncomingMessage, response: ServerResponse) =>
      handle(request, response, acknowledgementRequest, async ({ monitor, epoch, acknowledgements }, contract) => {
        let kept = 0
        for (const { nodeId, orderId, market, signature } of acknowledgements) {
          const facts = { market: lowerCaseAddress(market), orderId: BigInt(orderId), provider, nodeId: BigInt(nodeId), epoch }
          if (!isOwn(facts)) continue
          if (!(await isSignedBy(monitor, acknowledgementData(chainId, contract, facts), signature))) continue
          if (evidence.keep({ ...facts, monitor: lowerCaseAddress(monitor), signature })) kept += 1
        }
        return { status: 200, body: { kept } }
      }),
  }
}

interface Attested {
  nodeId: bigint
  orderId: bigint
  market: Address
  epoch: number
}

const keyOf = ({ nodeId, orderId, market }: Omit<Attested, 'epoch'>) => `${nodeId} ${orderId} ${lowerCaseAddress(market)}`

type Signed = ReturnType<typeof probeData> | ReturnType<typeof acknowledgementData>

async function isSignedBy(account: string, data: Signed, signature: string): Promise<boolean> {
  const signer = await recoverTypedDataAddress({ ...(data as ReturnType<typeof probeData>), signature: signature as Hex }).catch(
    () => undefined,
  )
  return signer?.toLowerCase() === account.toLowerCase()
}
