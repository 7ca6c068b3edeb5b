import { creditAbi, gateAbi } from '@rackfair/contracts'
import { type Address, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { ChainReader } from './ChainReader.ts'
import { readMarket } from './contractCall.ts'
import type { MarketAddresses } from './readAddresses.ts'
import { readAt } from './readAt.ts'

/** The contract that changes USDT into Credit and back, one to one. */
export interface Gate {
  address: Address
  usdt: Address
  /** Wei of Credit per unit of USDT: 10^12 where USDT has six decimals. */
  scale: bigint
}

/** A transaction to send, alone or in a wallet's batch. */
export interface GateCall {
  to: Address
  data: Hex
}

/**
 * The gate that Credit names; it never changes.
 * @throws AppError `rpc_unreachable`.
 */
export async function readGate(client: ChainReader, addresses: MarketAddresses): Promise<Gate> {
  const gate = { address: await readMarket(client, addresses, 'credit', 'gate', []), abi: gateAbi } as const
  const [usdt, scale] = await Promise.all([
    readAt(client, { ...gate, functionName: 'usdt', args: [] }),
    readAt(client, { ...gate, functionName: 'scale', args: [] }),
  ])
  return { address: gate.address, usdt, scale }
}

/** The USDT balance of `account` and its allowance for the gate, both in units of USDT. */
export async function readUsdt(
  client: ChainReader,
  gate: Gate,
  account: Address,
): Promise<{ balance: bigint; allowance: bigint }> {
  const usdt = { address: gate.usdt, abi: erc20Abi } as const
  const [balance, allowance] = await Promise.all([
    readAt(client, { ...usdt, functionName: 'balanceOf', args: [account] }),
    readAt(client, { ...usdt, functionName: 'allowance', args: [account, gate.address] }),
  ])
  return { balance, allowance }
}

/**
 * The calls, in order, with which `account` changes `units` of USDT into Credit for itself. USDT refuses to change a non-zero allowance, so
 * one that is too small is reset to zero first.
 *
 * @param allowance the gate's allowance on its USDT, in units (see `readUsdt`).
 * @example for (const call of gateDepositCalls(gate, account.address, 5_000_000n, 0n)) await wallet.sendTransaction(call) // 5 Credit
 */
export function gateDepositCalls(gate: Gate, account: Address, units: bigint, allowance: bigint): GateCall[] {
  const approve = (value: bigint) => ({
    to: gate.usdt,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [gate.address, value] }),
  })
  const allow = allowance >= units ? [] : allowance > 0n ? [approve(0n), approve(units)] : [approve(units)]
  const data = encodeFunctionData({ abi: gateAbi, functionName: 'deposit', args: [units, account] })
  return [...allow, { to: gate.address, data }]
}

/**
 * The calls, in order, with which `account` changes `wei` of Credit into USDT for itself. Anything less than a unit of USDT stays Credit.
 *
 * @param allowance the gate's allowance on its Credit, in wei.
 * @example for (const call of gateWithdrawCalls(gate, addresses, account.address, 5n * 10n ** 18n, 0n)) await wallet.sendTransaction(call)
 */
export function gateWithdrawCalls(
  gate: Gate,
  addresses: MarketAddresses,
  account: Address,
  wei: bigint,
  allowance: bigint,
): GateCall[] {
  const whole = wei - (wei % gate.scale)
  const approve = encodeFunctionData({ abi: creditAbi, functionName: 'approve', args: [gate.address, whole] })
  const withdraw = encodeFunctionData({ abi: gateAbi, functionName: 'withdraw', args: [whole, account] })
  const allow = allowance >= whole ? [] : [{ to: addresses.credit, data: approve }]
  return [...allow, { to: gate.address, data: withdraw }]
}
