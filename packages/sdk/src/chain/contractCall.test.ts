import { type Address, encodeFunctionData, toFunctionSelector, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { type ContractName, contractAbis } from './contractAbis.ts'
import { contractCall } from './contractCall.ts'
import type { MarketAddresses } from './readAddresses.ts'

const names = Object.keys(contractAbis) as ContractName[]
const addresses = Object.fromEntries(
  names.map((name, index) => [name, `0x${String(index + 1).repeat(40)}` as Address]),
) as MarketAddresses

test.each(names)('builds a call of every state-changing function of %s, at the address from Access', (name) => {
  const writes = contractAbis[name].filter((item) => item.type === 'function' && item.stateMutability === 'nonpayable')
  expect(writes.length).toBeGreaterThan(5)
  for (const item of writes as { name: string; inputs: readonly Input[] }[]) {
    const call = contractCall(addresses, name, item.name as never, item.inputs.map(blank) as never)
    expect(call.address).toBe(addresses[name])
    expect(encodeFunctionData(call as never).slice(0, 10)).toBe(toFunctionSelector(item as never))
  }
})

test('types function names and arguments by the ABI', () => {
  expect(contractCall(addresses, 'market', 'userCancel', [1n]).functionName).toBe('userCancel')
  // @ts-expect-error an order id is a bigint
  contractCall(addresses, 'market', 'userCancel', ['1'])
  // @ts-expect-error the Market has no such function
  contractCall(addresses, 'market', 'refund', [1n])
})

test('calls the Market of an order of an earlier version', () => {
  expect(contractCall(addresses, 'market', 'userCancel', [1n], zeroAddress).address).toBe(zeroAddress)
})

interface Input {
  type: string
  name?: string
  components?: readonly Input[]
}

function blank({ type, components }: Input): unknown {
  if (type.endsWith('[]')) return []
  if (components) return Object.fromEntries(components.map((part) => [part.name, blank(part)]))
  if (type === 'address') return zeroAddress
  if (type === 'bool') return false
  if (type === 'string') return ''
  if (type.startsWith('bytes')) return `0x${'00'.repeat(Number(type.slice(5)))}`
  return Number(type.replace(/\D/g, '')) <= 48 ? 0 : 0n
}
