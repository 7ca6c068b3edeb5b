import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Calendar } from '@rackfair/rules/uptime/epoch'
import { type Address, type Hex, zeroHash } from 'viem'
import type { PromisedImage } from './evidence.ts'

/** An operator's image promise for a deployment, as a monitor or a buyer keeps it. */
export type KeptPromise = PromisedImage & { market: LowerCaseAddress; signature: Hex }

/** An operator's attestation of a healthy order in an epoch, with its promise for the running deployment. */
export interface KeptAttestation {
  epoch: number
  market: LowerCaseAddress
  orderId: bigint
  beacon: Hex
  deployment: Hex
  image: Hex
  /** Whom it was given to. */
  monitor: LowerCaseAddress
  signature: Hex
  promise: Pick<KeptPromise, 'spec' | 'image' | 'signature'> | undefined
}

/** Epochs of a period in which a deployment ran another image than promised; `args` are those of `Monitors.proveWrongImage`. */
export interface WrongImage {
  market: LowerCaseAddress
  orderId: bigint
  /** Bit i is epoch i of the period. */
  epochs: bigint
  args: readonly [
    market: Address,
    orderId: bigint,
    period: bigint,
    deployment: Omit<KeptPromise, 'market' | 'orderId'>,
    attested: Attested[],
  ]
}

/** One epoch of a proof. */
export interface Attested {
  epoch: number
  beacon: Hex
  healthy: boolean
  image: Hex
  monitor: LowerCaseAddress
  signature: Hex
}

type Broken = KeptAttestation & { promise: object }

/**
 * Compares what operators attested with what they had promised: one proof for each deployment that ran another image. Each epoch counts as
 * downtime of the order, paid for by the locked pledge.
 */
export function findWrongImages(
  period: number,
  { periodOf, firstEpoch }: Calendar,
  attestations: readonly KeptAttestation[],
): WrongImage[] {
  const isBroken = (one: KeptAttestation): one is Broken =>
    one.promise !== undefined && one.deployment !== zeroHash && one.image !== one.promise.image && periodOf(one.epoch) === period
  const byDeployment = Map.groupBy(attestations.filter(isBroken), (one) => `${one.market} ${one.orderId} ${one.deployment}`)
  return [...byDeployment.values()].map((group) => {
    const { market, orderId, deployment, promise } = group[0] as Broken
    const attested = group.map(({ epoch, beacon, image, monitor, signature }) => ({
      ...{ epoch: epoch - firstEpoch(period), beacon, healthy: true, image, monitor, signature },
    }))
    const epochs = attested.reduce((bits, { epoch }) => bits | (1n << BigInt(epoch)), 0n)
    return { market, orderId, epochs, args: [market, orderId, BigInt(period), { deployment, ...promise }, attested] as const }
  })
}
