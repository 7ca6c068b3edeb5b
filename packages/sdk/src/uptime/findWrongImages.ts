import type { Calendar } from '@rackfair/core'
import { type Address, type Hex, zeroHash } from 'viem'
import type { PromisedImage } from './evidence.ts'

/** What an operator promised of a deployment, as a monitor or a buyer keeps it. */
export type KeptPromise = PromisedImage & { signature: Hex }

/** What an operator attested of a healthy order in an epoch, with what it had promised of the deployment that ran. */
export interface KeptAttestation {
  epoch: number
  market: Address
  orderId: bigint
  beacon: Hex
  deployment: Hex
  image: Hex
  signature: Hex
  promise: Pick<KeptPromise, 'spec' | 'image' | 'signature'> | undefined
}

/** Epochs of a period in which a deployment ran another image than was promised; `args` are those of `Monitors.proveWrongImage`. */
export interface WrongImage {
  market: Address
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
  signature: Hex
}

/**
 * What operators attested beside what they had promised: one proof for each deployment that ran another image. Each counts as downtime of
 * the order, and the lock pays for it.
 */
export function findWrongImages(
  period: number,
  { periodOf, firstEpoch }: Calendar,
  attestations: readonly KeptAttestation[],
): WrongImage[] {
  const isWrong = (one: KeptAttestation) =>
    one.promise !== undefined && one.deployment !== zeroHash && one.image !== one.promise.image && periodOf(one.epoch) === period
  const byDeployment = Object.groupBy(attestations.filter(isWrong), (one) => `${one.market} ${one.orderId} ${one.deployment}`)
  return Object.values(byDeployment).flatMap((group = []) => {
    const [{ market, orderId, deployment, promise } = {}] = group
    if (!market || orderId === undefined || !deployment || !promise) return []
    const attested = group.map(({ epoch, beacon, image, signature }) => ({
      ...{ epoch: epoch - firstEpoch(period), beacon, healthy: true, image, signature },
    }))
    const epochs = attested.reduce((bits, { epoch }) => bits | (1n << BigInt(epoch)), 0n)
    return { market, orderId, epochs, args: [market, orderId, BigInt(period), { deployment, ...promise }, attested] as const }
  })
}
