import type { ImagePromise } from '@rackfair/protocol/deployments'
import { promiseData } from '@rackfair/sdk/uptime'
import { type Address, type Hex, keccak256, type LocalAccount, stringToBytes } from 'viem'
import type { KnownMonitors } from './knownMonitors.ts'

/** What is promised: that this deployment of the order runs this image. */
export interface ImageFacts {
  market: Address
  orderId: bigint
  deploymentId: string
  /** The application as its user signed it, or the number of a preset. */
  spec: string
  /** As the runtime names it. */
  imageId: string
}

/** Keccak-256 of a deployment's id, as attestations and promises name it. */
export const deploymentHash = (deploymentId: string): Hex => keccak256(stringToBytes(deploymentId))

/** The digest at the end of what a runtime calls an image; undefined where it names one by a tag, which may mean another tomorrow. */
export function imageDigest(imageId: string): Hex | undefined {
  const digest = /(?:^|:)([0-9a-f]{64})$/.exec(imageId)?.[1]
  return digest === undefined ? undefined : `0x${digest}`
}

/** Signs which image a deployment runs, for its user to keep; undefined where nobody could prove that it was broken. */
export function createPromises(options: { account: LocalAccount; chainId: number; monitors: () => Promise<KnownMonitors> }) {
  return async ({ market, orderId, deploymentId, spec, imageId }: ImageFacts): Promise<ImagePromise | undefined> => {
    const { contract } = await options.monitors()
    const image = imageDigest(imageId)
    if (!contract || !image) return undefined
    const facts = { deployment: deploymentHash(deploymentId), spec: keccak256(stringToBytes(spec)), image }
    const data = promiseData(options.chainId, contract.address, { market, orderId, ...facts })
    return { ...facts, signature: await options.account.signTypedData(data) }
  }
}
