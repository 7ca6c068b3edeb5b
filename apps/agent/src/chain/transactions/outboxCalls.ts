import { findingsAbi, monitorsAbi } from '@rackfair/contracts'
import { contractCall, type MarketAddresses, renewOrderCall, setOnlineCall } from '@rackfair/sdk'
import { type Abi, type Address, decodeFunctionData, type Hex } from 'viem'

const DISPUTES = [...monitorsAbi, ...findingsAbi] as const

/** The only things the operator key ever signs on chain. None moves money of its provider. */
export type OutboxCall =
  | { kind: 'activate'; orderId: bigint; market: Address }
  | { kind: 'activateWithApp'; orderId: bigint; market: Address; app: string }
  | { kind: 'setApp'; orderId: bigint; market: Address; app: string }
  | { kind: 'release'; orderId: bigint; market: Address }
  | { kind: 'proSettle'; orderId: bigint; market: Address }
  | { kind: 'setAvail'; orderId: bigint; nodeId: bigint; avail: boolean }
  | { kind: 'setOnline'; orderId: bigint; nodeId: bigint; online: boolean }
  /** Extends an order that the owner of its purse keeps alive, beyond `end`, so that each extension is one call. */
  | { kind: 'renew'; orderId: bigint; purse: Address; end: number }
  /** A call to `Monitors` or `Findings` against a finding about an order; `against` names the finding, so that it is disputed once. */
  | { kind: 'dispute'; orderId: bigint; contract: Address; against: string; data: Hex }

export const saysThatItIsClean = (call: OutboxCall): boolean =>
  call.kind === 'setAvail' ? !call.avail : call.kind === 'setApp' && call.app === ''

export const subjectOf = (call: OutboxCall): string => {
  if (call.kind === 'setAvail') return `setAvail:${call.nodeId}:${call.orderId}`
  return call.kind === 'setOnline' ? `setOnline:${call.nodeId}` : `${call.kind}:${call.orderId}`
}

export const keyOf = (call: OutboxCall): string => {
  if (call.kind === 'setAvail') return `${subjectOf(call)}:${call.avail}`
  if (call.kind === 'setOnline') return `${subjectOf(call)}:${call.online}`
  if (call.kind === 'dispute') return `${subjectOf(call)}:${call.against}`
  if (call.kind === 'renew') return `${subjectOf(call)}:${call.end}`
  return 'app' in call ? `${subjectOf(call)}:${call.app}` : subjectOf(call)
}

/**
 * Unsent calls that this one makes obsolete. A deployment supersedes everything; a clean does not supersede a deployment, since the chain
 * has to learn that the order was used.
 */
export const supersededBy = (call: OutboxCall): string[] => {
  switch (call.kind) {
    case 'activateWithApp':
      return [`${subjectOf(call)}:%`, `activate:${call.orderId}`, `setApp:${call.orderId}:%`, `setAvail:%:${call.orderId}:%`]
    case 'setApp':
    case 'setAvail':
    case 'setOnline':
      return [`${subjectOf(call)}:%`]
    default:
      return []
  }
}

/** The target of a call to one of our contracts. */
interface Target {
  address: Address
  abi: Abi
  functionName: string
  args?: readonly unknown[] | undefined
}

export function toContractCall(addresses: MarketAddresses, provider: Address, call: OutboxCall): Target {
  switch (call.kind) {
    case 'activate':
      return contractCall(addresses, 'market', 'activate', [call.orderId], call.market)
    case 'activateWithApp':
      return contractCall(addresses, 'market', 'activateWithApp', [call.orderId, call.app], call.market)
    case 'setApp':
      return contractCall(addresses, 'market', 'setApp', [call.orderId, call.app], call.market)
    case 'release':
      return contractCall(addresses, 'market', 'release', [call.orderId], call.market)
    case 'proSettle':
      return contractCall(addresses, 'market', 'proSettle', [call.orderId], call.market)
    case 'setAvail':
      return contractCall(addresses, 'registry', 'set_avail', [provider, call.nodeId, call.avail])
    case 'setOnline':
      return setOnlineCall(addresses, provider, call.nodeId, call.online)
    case 'renew':
      return renewOrderCall(call.purse, call.orderId)
    case 'dispute':
      return { address: call.contract, abi: DISPUTES, ...decodeFunctionData({ abi: DISPUTES, data: call.data }) }
  }
}

export const serializeCall = (call: OutboxCall): string =>
  JSON.stringify(call, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

export function parseCall(text: string): OutboxCall {
  const plain = JSON.parse(text) as Record<string, string>
  if (plain.orderId !== undefined) Object.assign(plain, { orderId: BigInt(plain.orderId) })
  if (plain.nodeId !== undefined) Object.assign(plain, { nodeId: BigInt(plain.nodeId) })
  return plain as unknown as OutboxCall
}
