import { describe, expect, it } from 'vitest'
import { forgetBlock, knownBlock, noteBlock } from '../api/knownBlock.ts'
import { topicsOf } from './liveEvents.ts'

describe('live messages', () => {
  it('map to the topics they affect', () => {
    expect(topicsOf({ type: 'order', orderId: '12', user: '0xa', provider: '0xb', block: 1 })).toEqual(['order', 'order:12'])
    expect(topicsOf({ type: 'node', cp: '0xb', nodeId: 2, block: 1 })).toEqual(['node', 'node:0xb/2', 'provider:0xb'])
    expect(topicsOf({ type: 'block', block: 1, blockTime: 1 })).toEqual(['block'])
    expect(topicsOf({ type: 'reset', block: 1 })).toBeUndefined()
  })
})

describe('the block of one’s own transaction', () => {
  it('is required until the platform has indexed it', () => {
    noteBlock(10n)
    noteBlock(8)
    expect(knownBlock()).toBe(10)
    forgetBlock(9)
    expect(knownBlock()).toBe(10)
    forgetBlock(10)
    expect(knownBlock()).toBe(0)
  })
})
