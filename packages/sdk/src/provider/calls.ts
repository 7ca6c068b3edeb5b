import type { NodeInput } from '@rackfair/rules/formRules'
import type { Address } from 'viem'
import { contractCall } from '../chain/contractCall.ts'
import type { MarketAddresses } from '../chain/readAddresses.ts'

/** How a provider is reached and displayed. */
export interface ProviderFacts {
  name: string
  /** IPv4 address. */
  ip: string
  /** Empty if it has none. */
  domain: string
  port: number
}

type NodeId = bigint | number

/**
 * Registers the sender as a provider.
 * @throws once sent: `NameTaken`, `AlreadyRegistered`, a field's own error.
 * @example await sendCall(reader, writer, registerCall(addresses, { name: 'helios', ip: '203.0.113.7', domain: '', port: 7070 }))
 */
export const registerCall = (addresses: MarketAddresses, provider: ProviderFacts) =>
  contractCall(addresses, 'registry', 'register', [provider])

/** Lets `operator` send an agent's transactions for the provider; the zero address dismisses it. */
export const setOperatorCall = (addresses: MarketAddresses, operator: Address) =>
  contractCall(addresses, 'registry', 'setOperator', [operator])

/**
 * Lists a node. Prices in wei per unit and month.
 * @example addNodeCall(addresses, { cpuModel: 'EPYC 7543', gpuModel: '', nCPU: 1, core: 32, nGPU: 0, nMEM: 64, nDISK: 500, pCPU, pGPU: 0n, pMEM, pDISK })
 */
export const addNodeCall = (addresses: MarketAddresses, node: NodeInput) =>
  contractCall(addresses, 'registry', 'add_node', [node])

/** Changes the hardware and the prices of a node; its running order continues on the terms it was bought with. */
export const updateNodeCall = (addresses: MarketAddresses, nodeId: NodeId, node: NodeInput) =>
  contractCall(addresses, 'registry', 'updatenode', [BigInt(nodeId), node])

/** Takes a node off the market for good. */
export const removeNodeCall = (addresses: MarketAddresses, nodeId: NodeId) =>
  contractCall(addresses, 'registry', 'del_node', [BigInt(nodeId)])

/** Offers a node for sale, or stops offering it; a running order continues either way. The provider or its operator may send it. */
export const setOnlineCall = (addresses: MarketAddresses, provider: Address, nodeId: NodeId, online: boolean) =>
  contractCall(addresses, 'registry', 'setOnline', [provider, BigInt(nodeId), online])

/**
 * Sells a node for at least `minTerm` seconds from the next order on: up to six months, and less than an hour means an hour. A running order
 * can still be extended by an hour. The provider or its operator may send it.
 * @throws once sent: `CountOutOfBounds`.
 */
export const setMinTermCall = (addresses: MarketAddresses, provider: Address, nodeId: NodeId, minTerm: number) =>
  contractCall(addresses, 'registry', 'setMinTerm', [provider, BigInt(nodeId), minTerm])

/**
 * Adds `wei` of Credit to the provider's pledge; needs an allowance for the Pledge contract.
 * @throws once sent: `InsufficientAllowance`, `InsufficientBalance`.
 */
export const pledgeCall = (addresses: MarketAddresses, wei: bigint) =>
  contractCall(addresses, 'pledge', 'pledge', [addresses.credit, wei])

/** Takes `wei` of the free pledge back. */
export const unpledgeCall = (addresses: MarketAddresses, wei: bigint) =>
  contractCall(addresses, 'pledge', 'unpledge', [addresses.credit, wei])

/** Pays out the interest of the pledge. */
export const withdrawInterestCall = (addresses: MarketAddresses) => contractCall(addresses, 'pledge', 'withdrawInterest', [])
