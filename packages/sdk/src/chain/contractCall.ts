import type { Address, ContractFunctionArgs, ContractFunctionName } from 'viem'
import type { ChainReader } from './ChainReader.ts'
import { type AbiOf, type ContractName, contractAbis } from './contractAbis.ts'
import type { MarketAddresses } from './readAddresses.ts'
import { readAt } from './readAt.ts'

type WriteName<Name extends ContractName> = ContractFunctionName<AbiOf<Name>, 'nonpayable' | 'payable'>
type ReadName<Name extends ContractName> = ContractFunctionName<AbiOf<Name>, 'pure' | 'view'>

/** A call to one of the market's contracts, ready to simulate, send on its own, or add to a batch. */
export interface ContractCall<Name extends ContractName = ContractName> {
  address: Address
  abi: AbiOf<Name>
  functionName: string
  args: readonly unknown[]
}

/**
 * Encodes a call to any state-changing function of the five contracts, with its arguments typed by the ABI.
 *
 * @param at an address other than the current version's, for an order that lives in an earlier Market.
 */
export function contractCall<Name extends ContractName, const Fn extends WriteName<Name>>(
  addresses: MarketAddresses,
  contract: Name,
  functionName: Fn,
  args: ContractFunctionArgs<AbiOf<Name>, 'nonpayable' | 'payable', Fn>,
  at?: Address,
): ContractCall<Name> {
  return {
    address: at ?? addresses[contract],
    abi: contractAbis[contract] as AbiOf<Name>,
    functionName,
    args: args as readonly unknown[],
  }
}

/**
 * Reads any view of the five contracts, typed by the ABI.
 * @throws AppError with the contract's own error name, or `rpc_unreachable`.
 */
export async function readMarket<
  Name extends ContractName,
  const Fn extends ReadName<Name>,
  const Args extends ContractFunctionArgs<AbiOf<Name>, 'pure' | 'view', Fn>,
>(client: ChainReader, addresses: MarketAddresses, contract: Name, functionName: Fn, args: Args, at?: Address) {
  return readAt<AbiOf<Name>, Fn, Args>(client, {
    address: at ?? addresses[contract],
    abi: contractAbis[contract] as AbiOf<Name>,
    functionName,
    args,
  } as never)
}
