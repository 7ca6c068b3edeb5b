import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ImagePromise } from '@rackfair/protocol/deployments'
import {
  acknowledgementRequest,
  MAX_PROBE_BYTES,
  type ProbeAnswer,
  type ProbeRequest,
  probeRequest,
} from '@rackfair/protocol/uptime'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { acknowledgementData, attestationData, probeData } from '@rackfair/sdk/uptime'
import { type Address, type Hex, type LocalAccount, zeroHash } from 'viem'
import { createMonitorQuestions, NOT_SIGNED } from './createMonitorQuestions.ts'
import { deploymentHash, imageDigest } from './createPromises.ts'
import type { KnownMonitors } from './knownMonitors.ts'
import type { Evidence } from './openEvidence.ts'

/** How long it is remembered what was attested, in epochs. */
const REMEMBERED_EPOCHS = 2

export interface AttestedNode {
  orderId: bigint
  market: Address
  /** False where the machine fails its renter: engine, walls, GPU, disk, or an image of the catalogue. */
  healthy: boolean
  /** The container that runs, and what was promised of its deployment; undefined while none does. */
  runs: { deploymentId: string; imageId: string; promise: ImagePromise | undefined } | undefined
}

/** Answers monitors at the registered address, and keeps what they sign in return. Nothing is signed for anybody else. */
export function createAttestations(options: {
  account: LocalAccount
  chainId: number
  provider: Address
  monitors: (keptMs?: number) => Promise<KnownMonitors>
  /** How it stands with a node of this machine; undefined for any other. */
  node: (nodeId: bigint) => AttestedNode | undefined
  evidence: Evidence
  /** Unix seconds. */
  now: () => number
  /** What one network may fail. */
  pace?: { burst: number; refillMs: number }
}) {
  const { account, chainId, provider, evidence } = options
  const questions = createMonitorQuestions(options)
  const { remember, isOwn } = rememberAttested(options.node)

  const attest = async ({ monitor, beacon, epoch, nodes }: ProbeRequest, contract: Address): Promise<ProbeAnswer> => {
    const attestations: ProbeAnswer['attestations'] = []
    for (const nodeId of nodes) {
      const known = options.node(BigInt(nodeId))
      if (!known) continue
      const { orderId, market, healthy, runs } = known
      const image = runs && imageDigest(runs.imageId)
      const ran = { deployment: image ? deploymentHash(runs.deploymentId) : zeroHash, image: image ?? zeroHash }
      const asked = { epoch, beacon: beacon as Hex, monitor: lowerCaseAddress(monitor) }
      const facts = { market, orderId, provider, nodeId: BigInt(nodeId), healthy, ...asked, ...ran }
      const signature = await account.signTypedData(attestationData(chainId, contract, facts))
      remember(facts)
      const said = { nodeId, orderId: String(orderId), market: lowerCaseAddress(market), healthy, ...ran, signature }
      attestations.push(runs?.promise ? { ...said, promise: runs.promise } : said)
    }
    return { attestations }
  }

  const common = {
    maxBytes: MAX_PROBE_BYTES,
    askedBy: ({ monitor }: { monitor: string }) => [monitor],
    epochOf: ({ epoch }: { epoch: number }) => epoch,
  }
  return {
    /** `POST /.rackfair/attestation` */
    attestation: (request: IncomingMessage, response: ServerResponse) =>
      questions(request, response, {
        ...common,
        shape: probeRequest,
        answer: async (body, { contract, isSigned }) => {
          const probe = probeData(chainId, contract, { provider, epoch: body.epoch })
          if (!(await isSigned(body.monitor, probe, body.signature, body.nodes.length))) return NOT_SIGNED
          return { status: 200, body: await attest(body, contract) }
        },
      }),

    /** `POST /.rackfair/acknowledgement` */
    acknowledgement: (request: IncomingMessage, response: ServerResponse) =>
      questions(request, response, {
        ...common,
        shape: acknowledgementRequest,
        answer: async ({ monitor, epoch, acknowledgements }, { contract, isSigned }) => {
          let kept = 0
          for (const { nodeId, orderId, market, signature } of acknowledgements) {
            const facts = { market: lowerCaseAddress(market), orderId: BigInt(orderId), provider, nodeId: BigInt(nodeId), epoch }
            if (!isOwn(facts)) continue
            if (!(await isSigned(monitor, acknowledgementData(chainId, contract, facts), signature))) return NOT_SIGNED
            if (evidence.keep({ ...facts, monitor: lowerCaseAddress(monitor), signature })) kept += 1
          }
          return { status: 200, body: { kept } }
        },
      }),
  }
}

/** What was attested in each of the last epochs: an order may end before a monitor has acknowledged it. */
function rememberAttested(node: (nodeId: bigint) => AttestedNode | undefined) {
  const attested = new Map<number, Set<string>>()

  const remember = (facts: Attested) => {
    const ofEpoch = attested.get(facts.epoch) ?? new Set()
    attested.set(facts.epoch, ofEpoch.add(keyOf(facts)))
    for (const epoch of attested.keys()) if (epoch < facts.epoch - REMEMBERED_EPOCHS) attested.delete(epoch)
  }

  /** A monitor can sign for nodes and orders that do not exist, without end. */
  const isOwn = (facts: Attested): boolean => {
    const known = node(facts.nodeId)
    return (
      attested.get(facts.epoch)?.has(keyOf(facts)) === true ||
      (known !== undefined && keyOf({ ...known, nodeId: facts.nodeId }) === keyOf(facts))
    )
  }
  return { remember, isOwn }
}

interface Attested {
  nodeId: bigint
  orderId: bigint
  market: Address
  epoch: number
}

const keyOf = ({ nodeId, orderId, market }: Omit<Attested, 'epoch'>) => `${nodeId} ${orderId} ${lowerCaseAddress(market)}`
