import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { expect, it } from 'vitest'
import { fieldsOf, type KeyFields, type KeyProblem, readKeyFields, renewalSeconds, STARTS, worstWei } from './keyForm.ts'

const NOW = 1_800_000_000
const ci: KeyFields = { name: 'ci', ...STARTS.ci, at: 'any', providers: '' }
const PROVIDER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

it('turns what is typed into the limits of the contract, and back', () => {
  const read = readKeyFields({ ...ci, total: '５', refill: '1.5', hour: '0.60', gpuHour: '0.30' }, NOW)
  if (!('limits' in read)) throw new Error([...read.problems].join())
  const { limits } = read
  expect(limits).toMatchObject({
    ...{ totalWei: 5n * ONE_CREDIT_WEI, refillWei: (3n * ONE_CREDIT_WEI) / 2n, maxMonthWei: 432n * ONE_CREDIT_WEI },
    ...{ maxGpuHourWei: (3n * ONE_CREDIT_WEI) / 10n, maxTermHours: 3, validUntil: NOW + 30 * 86_400 },
  })
  expect(worstWei(limits, NOW)).toBe(50n * ONE_CREDIT_WEI)
  const key = {
    ...{ grantId: 1, key: '0xaa' as const, isRevoked: false, leftWei: 0n, isAnyProvider: true, rights: [...STARTS.ci.rights] },
    ...{ totalWei: limits.totalWei, refillWei: 0n, maxMonthWei: limits.maxMonthWei, maxGpuHourWei: undefined },
    ...{ maxTermHours: 86_400, validUntil: NOW + 86_401 },
  } as const
  expect(fieldsOf(key, 'ci', NOW)).toMatchObject({ total: '5', refill: '', hour: '0.6', gpuHour: '', hours: '', days: '2' })
})

it.each<[KeyProblem, Partial<KeyFields>]>([
  ['name', { name: ' ' }],
  ['name', { name: 'x'.repeat(41) }],
  ['total', { total: '' }],
  ['total', { total: '-1' }],
  ['refill', { refill: 'much' }],
  ['hour', { hour: '1e3' }],
  ['gpuHour', { gpuHour: '0x1' }],
  ['hours', { hours: '0' }],
  ['hours', { hours: '86401' }],
  ['days', { days: '' }],
  ['days', { days: '1.5' }],
  ['rights', { rights: [] }],
  ['providers', { at: 'listed' }],
  ['providers', { at: 'listed', providers: `${PROVIDER} somebody` }],
  ['providers', { at: 'listed', providers: PROVIDER.replace('C8', 'c8') }],
  [
    'providers',
    { at: 'listed', providers: Array.from({ length: 65 }, (_, at) => `0x${String(at).padStart(40, '0')}`).join(' ') },
  ],
])('names a wrong %s: %o', (problem, change) => {
  const read = readKeyFields({ ...ci, ...change }, NOW)
  expect('problems' in read && [...read.problems]).toEqual([problem])
})

it('limits a key to the providers that are named, and lifts that only where it is said', () => {
  const listed = { at: 'listed', providers: ` ${PROVIDER}，${PROVIDER.toLowerCase()};\n0x${'2'.repeat(40)}` } as const
  const providersOf = (fields: KeyFields) => {
    const read = readKeyFields(fields, NOW)
    return 'limits' in read ? read.limits.providers : read
  }
  expect(providersOf({ ...ci, ...listed })).toEqual([PROVIDER, `0x${'2'.repeat(40)}`])
  expect(providersOf({ ...ci, ...listed, at: 'any' })).toBeUndefined()
  expect(providersOf({ ...ci, ...listed, rights: ['workspace'] })).toBeUndefined()
  const limited = { rights: ['buy'], isAnyProvider: false, totalWei: 1n, refillWei: 0n, maxTermHours: 1, validUntil: NOW + 1 }
  expect(fieldsOf(limited as unknown as Parameters<typeof fieldsOf>[0], 'ci', NOW)).toMatchObject({ at: 'listed', providers: '' })
})

it('knows how long a purse pays for its renewals', () => {
  expect(renewalSeconds(ONE_CREDIT_WEI, [])).toBeUndefined()
  expect(renewalSeconds(30n * ONE_CREDIT_WEI, [10n * ONE_CREDIT_WEI, 20n * ONE_CREDIT_WEI])).toBe(2_592_000)
})
