import { monitorsAbi } from '@rackfair/contracts'
import type { HardwareResultWire } from '@rackfair/hardware/record'
import { HARDWARE_OUTCOMES } from '@rackfair/hardware/verification'
import { type HardwareCommitmentWire, type PublishedHardware, publishedHardware } from '@rackfair/hardware/wire'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { type Address, concat, type Hex, keccak256, numberToHex, recoverTypedDataAddress } from 'viem'
import type { ChainReader } from '../chain/ChainReader.ts'
import { readAt } from '../chain/readAt.ts'
import { askMonitor } from './askMonitor.ts'
import { evidenceDomain } from './evidence.ts'

const MAX_BYTES = 2 * 1024 * 1024
/** Signers that the chain is asked about for one monitor: more than it names keys in the weeks that count. */
const MAX_KEYS = 8

/**
 * The typed data of a monitor's hardware question, to sign or recover with viem: it may start one test of this provider, at this beacon.
 */
export const hardwareQuestionData = (
  chainId: number,
  monitors: Address,
  question: { provider: Address; epoch: number; beacon: Hex },
) =>
  ({
    domain: evidenceDomain(chainId, monitors),
    types: {
      HardwareQuestion: [
        { name: 'provider', type: 'address' },
        { name: 'epoch', type: 'uint64' },
        { name: 'beacon', type: 'bytes32' },
      ],
    },
    primaryType: 'HardwareQuestion',
    message: { ...question, epoch: BigInt(question.epoch) },
  }) as const

/** The typed data of an operator's commitment for a node, to sign or recover with viem: `commitment` is `hardwareCommitmentHash`. */
export const hardwareCommitmentData = (
  chainId: number,
  monitors: Address,
  facts: { provider: Address; nodeId: bigint; beacon: Hex; commitment: Hex },
) =>
  ({
    domain: evidenceDomain(chainId, monitors),
    types: {
      HardwareCommitment: [
        { name: 'provider', type: 'address' },
        { name: 'nodeId', type: 'uint64' },
        { name: 'beacon', type: 'bytes32' },
        { name: 'commitment', type: 'bytes32' },
      ],
    },
    primaryType: 'HardwareCommitment',
    message: facts,
  }) as const

/** One hash over all of a node's commitments, in a fixed order. */
export function hardwareCommitmentHash({ memory, disk, argon }: HardwareCommitmentWire): Hex {
  const parts = [memory, disk].map(({ rowsPerRound, roots }) =>
    concat([numberToHex(rowsPerRound, { size: 4 }), ...(roots as Hex[])]),
  )
  return keccak256(concat([...parts, ...(argon as Hex[])]))
}

const RESULT = [
  { name: 'provider', type: 'address' },
  { name: 'nodeId', type: 'uint64' },
  { name: 'rev', type: 'uint32' },
  { name: 'orderId', type: 'uint64' },
  { name: 'beacon', type: 'bytes32' },
  { name: 'hardwareClass', type: 'uint8' },
  { name: 'outcome', type: 'uint8' },
  { name: 'memoryBytes', type: 'uint64' },
  { name: 'diskBytes', type: 'uint64' },
  { name: 'cores', type: 'uint32' },
  { name: 'gpus', type: 'uint32' },
  { name: 'makingMs', type: 'uint32' },
  { name: 'limitMs', type: 'uint32' },
  { name: 'memoryWalkMs', type: 'uint32' },
  { name: 'diskWalkMs', type: 'uint32' },
  { name: 'time', type: 'uint64' },
] as const

/** The typed data of a monitor's result, to sign or recover with viem. */
export const hardwareResultData = (
  chainId: number,
  monitors: Address,
  result: Omit<HardwareResultWire, 'monitor' | 'signature'>,
) =>
  ({
    domain: evidenceDomain(chainId, monitors),
    types: { HardwareResult: RESULT },
    primaryType: 'HardwareResult',
    message: {
      ...result,
      ...{
        provider: result.provider as Address,
        beacon: result.beacon as Hex,
        outcome: HARDWARE_OUTCOMES.indexOf(result.outcome),
      },
      ...{ nodeId: BigInt(result.nodeId), orderId: BigInt(result.orderId), time: BigInt(result.time) },
      ...{ memoryBytes: BigInt(result.memoryBytes), diskBytes: BigInt(result.diskBytes) },
    },
  }) as const

/**
 * A check whether a result is signed by the monitor that it names, with a key that the monitor ever named; the chain is asked once for each
 * key. Whether that monitor was drawn for the node is up to the contract `Monitors`.
 * @throws AppError from the check, if the chain cannot be read.
 * @example const isSigned = createResultCheck(client, 985, monitors)
 */
export function createResultCheck(client: ChainReader, chainId: number, monitors: Address) {
  const asked = new Map<Address, Map<Address, Promise<boolean>>>()
  return async (result: HardwareResultWire): Promise<boolean> => {
    const data = hardwareResultData(chainId, monitors, result)
    const signer = await recoverTypedDataAddress({ ...data, signature: result.signature as Hex }).catch(() => undefined)
    if (signer === undefined) return false
    const monitor = lowerCaseAddress(result.monitor)
    const keys = asked.get(monitor) ?? new Map<Address, Promise<boolean>>()
    asked.set(monitor, keys)
    const known = keys.get(signer)
    if (known) return known
    if (keys.size >= MAX_KEYS) return false
    const read = readAt(client, { address: monitors, abi: monitorsAbi, functionName: 'isKeyOf', args: [monitor, signer] })
    keys.set(signer, read)
    return read
  }
}

/**
 * The hardware results that a monitor of the chain published after the number `after`. Signatures are not checked.
 * @throws Error if there is no well-formed answer within ten seconds and 2 MiB.
 * @example await fetchHardware('https://monitor.example', 985, 0)
 */
export const fetchHardware = async (peer: string, chainId: number, after: number): Promise<PublishedHardware> =>
  publishedHardware.parse(await askMonitor(peer, `/v1/hardware/${after}`, chainId, MAX_BYTES))
