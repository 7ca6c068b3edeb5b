import { accessAbi, marketAbi, pledgeAbi, registryAbi } from '@rackfair/contracts'
import { lowerCaseAddress } from '@rackfair/rules/address'
import {
  type Abi,
  type AbiEvent,
  type AbiParameter,
  decodeEventLog,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
} from 'viem'
import { expect, it } from 'vitest'
import { decodeLog } from './decodeLog.ts'

const PLACE = { block: 1, logIndex: 0, blockHash: '0x', blockTime: 1, transactionHash: '0x', address: lowerCaseAddress('0x') }

it('decodes every event of every interface like viem', () => {
  let events = 0
  for (const [kind, abi] of Object.entries({
    access: accessAbi,
    registry: registryAbi,
    pledge: pledgeAbi,
    market: marketAbi,
  } as const)) {
    for (const event of (abi as Abi).filter((item): item is AbiEvent => item.type === 'event')) {
      const args = Object.fromEntries(event.inputs.map((input) => [input.name, sample(input)]))
      const topics = encodeEventTopics({ abi: [event], eventName: event.name, args } as never) as [Hex, ...Hex[]]
      const plain = event.inputs.filter((input) => !input.indexed)
      const data = encodeAbiParameters(plain, plain.map(sample))
      const expected = decodeEventLog({ abi: [event], topics, data })
      const read = decodeLog(kind as 'access', { ...PLACE, topics: topics.join(','), data })
      expect([event.name, read?.name, read?.args]).toEqual([event.name, expected.eventName, expected.args ?? {}])
      events += 1
    }
  }
  expect(events).toBeGreaterThan(30)
})

function sample(input: AbiParameter): unknown {
  if ('components' in input) return Object.fromEntries(input.components.map((part) => [part.name, sample(part)]))
  if (input.type === 'address') return `0x${'12'.repeat(20)}`
  if (input.type === 'string') return 'RTX 4090'
  if (input.type === 'bool') return true
  if (input.type.startsWith('bytes')) return `0x${'ab'.repeat(32)}`
  return Number(input.type.replace(/\D/g, '')) <= 48 ? 7 : 7n
}
