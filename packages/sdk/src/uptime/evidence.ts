import type { Address, Hex } from 'viem'

/** The EIP-712 domain of everything that agents and monitors sign. */
export const evidenceDomain = (chainId: number, monitors: Address) =>
  ({ name: 'Rackfair Monitors', version: '1', chainId, verifyingContract: monitors }) as const

/** A monitor's request to an agent, once per epoch. */
export interface Probe {
  provider: Address
  epoch: number
}

/** An agent's answer for one node, signed with the operator's key. */
export interface Attestation {
  market: Address
  /** 0 if the node is not sold. */
  orderId: bigint
  provider: Address
  nodeId: bigint
  epoch: number
  /** Hash of the block that began the epoch: the answer was not made before it. */
  beacon: Hex
  /** The machine is well, for all that its provider answers for; how the application fares is up to its renter. */
  healthy: boolean
  /** Keccak-256 of the id of the running deployment; zero if there is none. */
  deployment: Hex
  /** Digest of the image that actually runs; zero if there is none. */
  image: Hex
  /** Whom it is for: a monitor is paid for no other's. */
  monitor: Address
}

/** An operator's image promise, given when a deployment got its image: that it runs no other. */
export interface PromisedImage {
  market: Address
  orderId: bigint
  deployment: Hex
  /** Keccak-256 of the application as its user signed it, or of the number of a preset. */
  spec: Hex
  image: Hex
}

/** A monitor's signed acknowledgement that an agent answered: the agent's defence against the same monitor's report. */
export type Acknowledgement = Omit<Attestation, 'beacon' | 'healthy' | 'deployment' | 'image' | 'monitor'>

/** The typed data of a probe, to sign or recover with viem. */
export const probeData = (chainId: number, monitors: Address, { provider, epoch }: Probe) =>
  ({
    domain: evidenceDomain(chainId, monitors),
    types: {
      Probe: [
        { name: 'provider', type: 'address' },
        { name: 'epoch', type: 'uint64' },
      ],
    },
    primaryType: 'Probe',
    message: { provider, epoch: BigInt(epoch) },
  }) as const

/** The typed data of an attestation, to sign or recover with viem; the contract `Monitors` reads the same. */
export const attestationData = (chainId: number, monitors: Address, attestation: Attestation) =>
  ({
    domain: evidenceDomain(chainId, monitors),
    types: {
      Attestation: [
        ...ACKNOWLEDGED,
        { name: 'beacon', type: 'bytes32' },
        { name: 'healthy', type: 'bool' },
        { name: 'deployment', type: 'bytes32' },
        { name: 'image', type: 'bytes32' },
        { name: 'monitor', type: 'address' },
      ],
    },
    primaryType: 'Attestation',
    message: { ...attestation, epoch: BigInt(attestation.epoch) },
  }) as const

/** The typed data of an image promise, to sign or recover with viem; the contract `Monitors` reads the same. */
export const promiseData = (chainId: number, monitors: Address, promise: PromisedImage) =>
  ({
    domain: evidenceDomain(chainId, monitors),
    types: {
      Deployment: [
        { name: 'market', type: 'address' },
        { name: 'orderId', type: 'uint64' },
        { name: 'deployment', type: 'bytes32' },
        { name: 'spec', type: 'bytes32' },
        { name: 'image', type: 'bytes32' },
      ],
    },
    primaryType: 'Deployment',
    message: { ...promise },
  }) as const

/** The typed data of an acknowledgement, to sign or recover with viem; the contract `Monitors` reads the same. */
export const acknowledgementData = (chainId: number, monitors: Address, acknowledgement: Acknowledgement) =>
  ({
    domain: evidenceDomain(chainId, monitors),
    types: { Acknowledgement: ACKNOWLEDGED },
    primaryType: 'Acknowledgement',
    message: { ...acknowledgement, epoch: BigInt(acknowledgement.epoch) },
  }) as const

const ACKNOWLEDGED = [
  { name: 'market', type: 'address' },
  { name: 'orderId', type: 'uint64' },
  { name: 'provider', type: 'address' },
  { name: 'nodeId', type: 'uint64' },
  { name: 'epoch', type: 'uint64' },
] as const
