import { lowerCaseAddress } from '@rackfair/rules/address'
import { createCalendar, PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { findWrongImages, type KeptAttestation } from './findWrongImages.ts'

const PERIOD = 1000
const calendar = createCalendar(PRODUCTION_PACE)
const first = calendar.firstEpoch(PERIOD)
const hash = (byte: string) => `0x${byte.repeat(32)}` as const
const [APP, OTHER_APP] = [hash('a1'), hash('a2')]
const promise = { spec: hash('51'), image: hash('11'), signature: hash('99') }
const monitor = lowerCaseAddress(`0x${'66'.repeat(20)}`)
const market = lowerCaseAddress(`0x${'44'.repeat(20)}`)
const attested = (changes: Partial<KeptAttestation> = {}): KeptAttestation => ({
  ...{
    epoch: first,
    market,
    orderId: 7n,
    beacon: hash('be'),
    deployment: APP,
    image: hash('22'),
    monitor,
    signature: hash('77'),
    promise,
  },
  ...changes,
})
const find = (...attestations: KeptAttestation[]) => findWrongImages(PERIOD, calendar, attestations)

test('proves each deployment that ran another image than promised, with epochs relative to the period', () => {
  const found = find(attested(), attested({ epoch: first + 95 }), attested({ deployment: OTHER_APP, epoch: first + 1 }))
  const proof = { beacon: hash('be'), healthy: true, image: hash('22'), monitor, signature: hash('77') }
  expect(found).toEqual([
    {
      ...{ market, orderId: 7n, epochs: 1n | (1n << 95n) },
      args: [
        market,
        7n,
        BigInt(PERIOD),
        { deployment: APP, ...promise },
        [
          { epoch: 0, ...proof },
          { epoch: 95, ...proof },
        ],
      ],
    },
    {
      ...{ market, orderId: 7n, epochs: 2n },
      args: [market, 7n, BigInt(PERIOD), { deployment: OTHER_APP, ...promise }, [{ epoch: 1, ...proof }]],
    },
  ])
})

test('keeps orders and markets apart', () => {
  const found = find(attested(), attested({ orderId: 8n }), attested({ market: lowerCaseAddress(`0x${'55'.repeat(20)}`) }))
  expect(found.map(({ market, orderId }) => `${market.slice(2, 4)} ${orderId}`)).toEqual(['44 7', '44 8', '55 7'])
})

test.each([
  ['the promised image', { image: promise.image }],
  ['an image that nobody promised', { promise: undefined }],
  ['no deployment', { deployment: zeroHash }],
  ['an epoch of the period before', { epoch: first - 1 }],
  ['an epoch of the period after', { epoch: first + 96 }],
])('%s proves nothing', (_, changes) => expect(find(attested(changes))).toEqual([]))
