import { nodeAnswer, providerAnswer } from '@rackfair/testkit/fixtures'
import { describe, expect, test } from 'vitest'
import { providerShape, readProvider, readProviders } from './providers.ts'
import { zodOf } from './zodOf.ts'

const TAKES = { ownImages: { maxGb: 40 }, ports: true, ssh: false, protected: true, runtimes: ['crun'], ready: ['nginx'] }

test('parses a provider with its nodes into the names of the glossary', () => {
  const answer = zodOf(providerShape).parse(
    providerAnswer({ takes: TAKES as never, sample: true, operator: `0x${'AB'.repeat(20)}` }),
  )
  const provider = readProvider(answer)
  expect(provider).toMatchObject({
    address: '0x00000000000000000000000000000000000000bb',
    operator: `0x${'ab'.repeat(20)}`,
    displayName: 'helios',
    listed: { nodes: 1, memoryGb: 64, diskGb: 1500 },
    sold: { nodes: 0, memoryGb: 0, diskGb: 0 },
    pledgeWei: 100n * 10n ** 18n,
    pledgeLockedWei: 0n,
    sample: true,
    takes: TAKES,
    nodes: [{ nodeId: 3, ratePerMonthWei: 158n * 10n ** 18n }],
  })
  expect(readProvider(providerAnswer({ displayName: 'helios (…00bb)' })).displayName).toBe('helios (…00bb)')
  expect(readProvider(providerAnswer())).toMatchObject({ takes: undefined, sample: false })
  expect(readProvider(providerAnswer({ operator: `0x${'00'.repeat(20)}` })).operator).toBeUndefined()
  expect(readProvider(providerAnswer({ operator: `0x${'00'.repeat(19)}01` })).operator).toMatch(/01$/)
  expect(readProviders([answer, answer])).toHaveLength(2)
})

describe('a malformed provider is refused', () => {
  test.each([
    ['no object', 'helios', 'provider'],
    ['of a short address', providerAnswer({ address: '0xbb' }), 'provider.address'],
    ['of an operator that is none', { ...providerAnswer(), operator: null }, 'provider.operator'],
    ['of a name of a million characters', providerAnswer({ name: 'x'.repeat(1_000_000) }), 'provider.name'],
    ['of a port beyond the last', providerAnswer({ port: 65_536 }), 'provider.port'],
    ['of a pledge that is a number', { ...providerAnswer(), pledge: 5 }, 'provider.pledge'],
    ['of a negative pledge', providerAnswer({ pledgeLocked: '-1' }), 'provider.pledgeLocked'],
    ['heard after the last date', providerAnswer({ offlineSince: 8_640_000_000_001 }), 'provider.offlineSince'],
    ['of half a dropped order', providerAnswer({ ordersDropped: 0.5 }), 'provider.ordersDropped'],
    [
      'of a node without a price',
      providerAnswer({ nodes: [{ ...nodeAnswer(), ratePerMonth: undefined } as never] }),
      'provider.nodes',
    ],
    ['of ten thousand and one nodes', providerAnswer({ nodes: Array(10_001).fill(nodeAnswer()) }), 'provider.nodes'],
    [
      'of images beyond any disk',
      { ...providerAnswer(), takes: { ...TAKES, ownImages: { maxGb: 1001 } } },
      'provider.takes.ownImages.maxGb',
    ],
    ['of an unknown runtime', { ...providerAnswer(), takes: { ...TAKES, runtimes: ['dockerd'] } }, 'provider.takes.runtimes'],
    [
      'of applications without end',
      { ...providerAnswer(), takes: { ...TAKES, ready: Array(101).fill('a') } },
      'provider.takes.ready',
    ],
  ])('%s', (_, json, field) =>
    expect(() => readProvider(json)).toThrow(
      expect.objectContaining({ code: 'answer_malformed', message: expect.stringContaining(`cannot be read: ${field}`) }),
    ),
  )
})
