import { describe, expect, test } from 'vitest'
import { accruedWei } from '../prices/pricing.ts'
import { type ReceiptFacts, receiptSpans } from './receiptSpans.ts'
import { OrderStatus } from './status.ts'
import { found, MONTH, PERIOD, RATE, receiptFacts, START } from './testing/receiptFacts.ts'

/** Earned for all but some seconds of the month. */
const earnedWithout = (seconds: number) => ({ earnedWei: accruedWei(RATE, MONTH - seconds) })
const shown = (change: Partial<ReceiptFacts>) =>
  receiptSpans(receiptFacts(change)).map(({ kind, from, until }) => [kind, from - START, until - from])
const hashes = (change: Partial<ReceiptFacts>) => receiptSpans(receiptFacts(change)).map(({ transactionHash }) => transactionHash)

describe('downtime that monitors found', () => {
  const reported = { reportedUntil: START + 28_800 }

  test('credits the newest, and shows older downtime as found too late', () => {
    const twice = { findings: [found(PERIOD, 0b1010n)], down: 300, ...earnedWithout(300), ...reported }
    expect(shown(twice)).toEqual([
      ['paid', 0, 300],
      ['late', 300, 300],
      ['paid', 600, 300],
      ['down', 900, 300],
      ['paid', 1200, MONTH - 1200],
    ])
  })

  test('shows a partly credited run as late up to the second where the credit begins', () =>
    expect(shown({ findings: [found(PERIOD, 0b110n)], down: 301, ...earnedWithout(301), ...reported })).toEqual([
      ['paid', 0, 300],
      ['late', 300, 299],
      ['down', 599, 301],
      ['paid', 900, MONTH - 900],
    ]))

  test('is not deducted a second time before the end of the reports', () =>
    expect(shown({ findings: [found(PERIOD, 0b10n)], down: 300, ...earnedWithout(300), ...reported })).toEqual([
      ['paid', 0, 300],
      ['down', 300, 300],
      ['paid', 600, MONTH - 600],
    ]))

  test.each([
    ['before the order', [found(PERIOD - 1, 1n << 95n)]],
    ['after its end', [found(PERIOD + 90, 0b10n)]],
    ['before and after it', [found(PERIOD - 1, 1n), found(PERIOD + 91, 1n)]],
  ])('%s is not counted', (_, findings) => expect(shown({ findings, ...reported })).toEqual([['paid', 0, MONTH]]))

  test('is cut at the first and last second of the order', () =>
    expect(
      shown({
        ...{ activateTime: START + 100, closeTime: START + 1000, status: OrderStatus.UserCancelled, down: 300, ...reported },
        ...{ findings: [found(PERIOD, 0b1001n)], earnedWei: accruedWei(RATE, 600) },
      }),
    ).toEqual([
      ['down', 100, 200],
      ['paid', 300, 600],
      ['down', 900, 100],
      ['unused', 1000, MONTH - 900],
    ]))
})

describe('downtime that a person reported', () => {
  test('lies before the end of the reports, apart from what monitors found', () => {
    const both = { findings: [found(PERIOD, 0b1000n)], down: 400, reportedUntil: START + 700, ...earnedWithout(400) }
    expect(shown(both)).toEqual([
      ['paid', 0, 600],
      ['down', 600, 100],
      ['paid', 700, 200],
      ['down', 900, 300],
      ['paid', 1200, MONTH - 1200],
    ])
  })

  test('is a line of its own directly before what monitors found, as no transaction dates it', () => {
    const both = { findings: [found(PERIOD, 0b1000n)], down: 400, reportedUntil: START + 1200, ...earnedWithout(400) }
    expect(shown(both)).toEqual([
      ['paid', 0, 800],
      ['down', 800, 100],
      ['down', 900, 300],
      ['paid', 1200, MONTH - 1200],
    ])
    expect(hashes(both)).toEqual(['0xc', '0xc', '0xf0', '0xc'])
  })
})

describe('unpaid seconds', () => {
  const closed = { closeTime: START + 1500, status: OrderStatus.UserCancelled, findings: [found(PERIOD, 0b1010n)], down: 600 }

  test('are the last ones that were up, over as many runs as needed', () =>
    expect(shown({ ...closed, earnedWei: accruedWei(RATE, 200) })).toEqual([
      ['paid', 0, 200],
      ['free', 200, 100],
      ['down', 300, 300],
      ['free', 600, 300],
      ['down', 900, 300],
      ['free', 1200, 300],
      ['unused', 1500, MONTH - 1500],
    ]))

  test('follow the pending ones, which follow the paid ones', () =>
    expect(
      shown({ ...closed, earnedWei: accruedWei(RATE, 200), pendingWei: accruedWei(RATE, 700) - accruedWei(RATE, 200) }),
    ).toEqual([
      ['paid', 0, 200],
      ['pending', 200, 100],
      ['down', 300, 300],
      ['pending', 600, 300],
      ['down', 900, 300],
      ['pending', 1200, 100],
      ['free', 1300, 200],
      ['unused', 1500, MONTH - 1500],
    ]))

  test('are all seconds of an order that was closed in the second of its start', () =>
    expect(shown({ closeTime: START, status: OrderStatus.UserCancelled, earnedWei: 0n })).toEqual([['unused', 0, MONTH]]))
})

test('an order has no seconds before its start, nor after its end while it is open', () => {
  const running = { status: OrderStatus.Active, closeTime: 0, earnedWei: 0n }
  expect(shown({ ...running, asOf: START })).toEqual([])
  expect(shown({ ...running, asOf: START - 9 })).toEqual([])
  expect(shown({ ...running, asOf: START + 2 * MONTH, earnedWei: RATE })).toEqual([['paid', 0, MONTH]])
})
