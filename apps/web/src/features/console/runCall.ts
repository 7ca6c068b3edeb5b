import { type ContractName, contractAbis, type MarketAddresses, type SendableCall, toAppError } from '@rackfair/sdk'
import { type Abi, type Address, isAddressEqual, type Log, parseEventLogs } from 'viem'
import { estimateContractGas, getGasPrice, readContract, simulateContract } from 'viem/actions'
import type { Market } from '../../wallet/index.ts'
import type { ConsoleFunction } from './consoleFunctions.ts'

export interface Simulation {
  result: unknown
  /** Undefined when the node refuses to estimate, for example for an account without gas. */
  gas: bigint | undefined
  /** Price of one unit of gas in wei of the chain's own currency. */
  gasPriceWei: bigint | undefined
}

export interface DecodedEvent {
  contract: string
  address: Address
  name: string
  args: Readonly<Record<string, unknown>>
}

/** Calls a view and gives what it returns. Failures are AppErrors with the contract's own error. */
export async function runRead(market: Market, entry: ConsoleFunction, args: readonly unknown[]): Promise<unknown> {
  try {
    return await readContract(market.client, callOf(market, entry, args))
  } catch (error) {
    throw toAppError(error)
  }
}

/** Runs a write without sending it, and says what it would return and cost. Without an account the zero address asks. */
export async function runSimulation(
  market: Market,
  entry: ConsoleFunction,
  args: readonly unknown[],
  account: Address | undefined,
): Promise<Simulation> {
  const call = { ...callOf(market, entry, args), ...(account ? { account } : {}) }
  try {
    const { result } = await simulateContract(market.client, call)
    const [gas, gasPriceWei] = await Promise.all([
      estimateContractGas(market.client, call).catch(() => undefined),
      getGasPrice(market.client).catch(() => undefined),
    ])
    return { result, gas, gasPriceWei }
  } catch (error) {
    throw toAppError(error)
  }
}

/** The events of the five contracts among the logs of a receipt. */
export function decodeEvents(logs: readonly Log[], addresses: MarketAddresses): DecodedEvent[] {
  const names = Object.keys(contractAbis) as ContractName[]
  return logs.flatMap((log) => {
    const home = names.find((name) => isAddressEqual(addresses[name], log.address))
    for (const name of home ? [home] : names) {
      const [event] = parseEventLogs({ abi: contractAbis[name] as Abi, logs: [log] })
      if (event) return [{ contract: name, address: log.address, name: event.eventName, args: { ...(event.args as object) } }]
    }
    return []
  })
}

/** A call of a function that is only known by its entry. */
export function callOf(market: Market, entry: ConsoleFunction, args: readonly unknown[]): SendableCall {
  return { address: market.addresses[entry.contract], abi: contractAbis[entry.contract], functionName: entry.name, args }
}
