import { type Abi, toFunctionSelector } from 'viem'
import { expect, it } from 'vitest'
import { marketBytecode, marketLensBytecode, marketOfficeBytecode } from '../ts/bytecode.ts'
import { marketAbi } from '../ts/generated.ts'

/** The contracts whose code runs at the address of a Market. */
const BEHIND = { Market: marketBytecode, MarketOffice: marketOfficeBytecode, MarketLens: marketLensBytecode }
/** Each tells what it is wired to, for Access, and those that check signatures in which domain: the Market's, wherever it is asked. */
const WIRING = ['access', 'registry', 'pledge', 'credit', 'firstOrderId', 'earned', 'nonces']
const SHARED: Readonly<Record<string, string[]>> = {
  ...Object.fromEntries(WIRING.map((name) => [name, Object.keys(BEHIND)])),
  eip712Domain: ['Market', 'MarketOffice'],
}

/** Whether the code compares a call's selector with this one: a push of its bytes without leading zeros, then EQ. */
function dispatches(code: string, selector: string): boolean {
  const bytes = selector.slice(2).replace(/^(?:00)+/, '')
  return code.includes(`${(0x5f + bytes.length / 2).toString(16)}${bytes}14`)
}

it('finds every function of a Market in exactly one of the contracts behind its address', () => {
  const functions = (marketAbi as Abi).filter((item) => item.type === 'function')
  expect(functions.length).toBeGreaterThan(50)
  for (const item of functions) {
    const holders = Object.entries(BEHIND).flatMap(([name, code]) => (dispatches(code, toFunctionSelector(item)) ? [name] : []))
    expect([item.name, holders]).toEqual([item.name, SHARED[item.name] ?? [expect.any(String)]])
  }
})
