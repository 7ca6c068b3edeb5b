import fc from 'fast-check'
import { expect, it } from 'vitest'
import { accruedWei } from '../prices/pricing.ts'
import { type ReceiptFacts, receiptSpans } from './receiptSpans.ts'
import { OrderStatus } from './status.ts'
import { receiptFacts as facts, found, MONTH, PERIOD, RATE, START } from './testing/receiptFacts.ts'

const shown = (change: Partial<ReceiptFacts>) =>
  receiptSpans(facts(change)).map(({ kind, from, until, transactionHash }) => [kind, from - START, until - from, transactionHash])

it('shows a month without interruption as one line', () => {
  expect(shown({})).toEqual([['paid', 0, MONTH, '0xc']])
  expect(shown({ activateTime: 0 })).toEqual([])
})

it('shows downtime where it was, even across two periods, each with its transaction', () => {
  const settlements = [{ upTo: START + 86_400, transactionHash: '0x5' }]
  expect(
    shown({
      ...{ earnedWei: accruedWei(RATE, MONTH - 1200), down: 1200, settlements },
      findings: [found(PERIOD, 0b110n | (1n << 95n)), found(PERIOD + 1, 1n)],
    }),
  ).toEqual([
    ['paid', 0, 300, '0x5'],
    ['down', 300, 600, '0xf0'],
    ['paid', 900, 27_600, '0x5'],
    ['down', 28_500, 600, '0xf1'],
    ['paid', 29_100, MONTH - 29_100, '0xc'],
  ])
})

it('shows downtime found too late, and downtime that a person reported without a time', () => {
  const late = { earnedWei: accruedWei(RATE, MONTH - 300), down: 300, findings: [found(PERIOD, 0b11n)] }
  expect(shown(late).slice(0, 2)).toEqual([
    ['late', 0, 300, '0xf0'],
    ['down', 300, 300, '0xf0'],
  ])
  const person = { earnedWei: accruedWei(RATE, MONTH - 500), down: 500, reportedUntil: START + 3600 }
  expect(shown(person).map(([kind, from, seconds]) => [kind, from, seconds])).toEqual([
    ['paid', 0, 3100],
    ['down', 3100, 500],
    ['paid', 3600, MONTH - 3600],
  ])
})

it('shows what was free, pending and unused', () => {
  const cancelled = { status: OrderStatus.UserCancelled, closeTime: START + 1000 }
  expect(shown({ ...cancelled, earnedWei: 0n })).toEqual([
    ['free', 0, 1000, '0xc'],
    ['unused', 1000, MONTH - 1000, '0xc'],
  ])
  const waiting = {
    ...cancelled,
    earnedWei: accruedWei(RATE, 700n),
    pendingWei: accruedWei(RATE, 1000n) - accruedWei(RATE, 700n),
  }
  expect(shown(waiting).map(([kind, , seconds]) => [kind, seconds])).toEqual([
    ['paid', 700],
    ['pending', 300],
    ['unused', MONTH - 1000],
  ])
})

it('ends at the current time while an order runs, without a transaction for what is unsettled', () => {
  const asOf = START + 900
  expect(shown({ status: OrderStatus.Active, closeTime: 0, asOf, earnedWei: accruedWei(RATE, 900n) })).toEqual([
    ['paid', 0, 900, undefined],
  ])
})

it('covers every second of a closed order once, and adds up to what was paid, to the wei', () => {
  const bits = fc.bigInt({ min: 0n, max: (1n << 96n) - 1n })
  fc.assert(
    fc.property(
      fc.array(bits, { maxLength: 4 }),
      fc.integer({ min: 1, max: MONTH }),
      fc.nat(200_000),
      fc.bigInt({ min: 1n, max: 10n ** 24n }),
      fc.nat(100),
      (downs, served, down, rate, share) => {
        const credited = Math.min(down, served)
        const earnedWei = (accruedWei(rate, served - credited) * BigInt(share)) / 100n
        const totalValue = accruedWei(rate, MONTH)
        const findings = downs.map((bitmap, index) => found(PERIOD + index, bitmap))
        const spans = receiptSpans(
          facts({
            status: OrderStatus.UserCancelled,
            closeTime: START + served,
            rate,
            totalValue,
            earnedWei,
            down: credited,
            findings,
          }),
        )
        let at = START
        for (const { from, until } of spans) {
          expect(from).toBe(at)
          expect(until).toBeGreaterThan(from)
          at = until
        }
        expect(at).toBe(START + MONTH)
        const sum = spans.reduce((total, { earnedWei: earned, backWei }) => total + earned + backWei, 0n)
        const hasBack = spans.some(({ kind }) => ['down', 'free', 'unused'].includes(kind))
        if (hasBack && (earnedWei === 0n || spans.some(({ kind }) => kind === 'paid' || kind === 'late')))
          expect(sum).toBe(totalValue)
      },
    ),
  )
})

const money = (change: Partial<ReceiptFacts>) =>
  receiptSpans(facts(change)).map(({ kind, from, earnedWei, backWei }) => [kind, from - START, earnedWei, backWei])

it('prices each run by the running sum of seconds, with the rounding in the last run of each kind', () => {
  const earnedWei = accruedWei(RATE, MONTH - 1200)
  expect(money({ earnedWei, down: 1200, findings: [found(PERIOD, 0b110n | (1n << 95n)), found(PERIOD + 1, 1n)] })).toEqual([
    ['paid', 0, accruedWei(RATE, 300n), 0n],
    ['down', 300, 0n, accruedWei(RATE, 600n)],
    ['paid', 900, accruedWei(RATE, 27_900n) - accruedWei(RATE, 300n), 0n],
    ['down', 28_500, 0n, RATE - earnedWei - accruedWei(RATE, 600n)],
    ['paid', 29_100, earnedWei - accruedWei(RATE, 27_900n), 0n],
  ])
})

it('leaves what is pending out of both sums, and prices the refund of a running order by seconds alone', () => {
  const cancelled = { status: OrderStatus.UserCancelled, closeTime: START + 1000 }
  const [earnedWei, served] = [accruedWei(RATE, 700n), accruedWei(RATE, 1000n)]
  expect(money({ ...cancelled, earnedWei, pendingWei: served - earnedWei })).toEqual([
    ['paid', 0, earnedWei, 0n],
    ['pending', 700, 0n, 0n],
    ['unused', 1000, 0n, RATE - served],
  ])
  const running = { status: OrderStatus.Active, closeTime: 0, asOf: START + 900, down: 300, findings: [found(PERIOD, 0b1n)] }
  expect(money({ ...running, earnedWei: accruedWei(RATE, 600n) })).toEqual([
    ['down', 0, 0n, accruedWei(RATE, 300n)],
    ['paid', 300, accruedWei(RATE, 600n), 0n],
  ])
})

it('names the settlement that paid a run, including its last second, and merges runs of one kind', () => {
  const settlements = [
    { upTo: START + 600, transactionHash: '0x5' },
    { upTo: START + MONTH, transactionHash: '0x6' },
  ]
  expect(shown({ down: 300, earnedWei: accruedWei(RATE, MONTH - 300), settlements, findings: [found(PERIOD, 0b100n)] })).toEqual([
    ['paid', 0, 600, '0x5'],
    ['down', 600, 300, '0xf0'],
    ['paid', 900, MONTH - 900, '0x6'],
  ])
  const person = { earnedWei: accruedWei(RATE, MONTH - 500), down: 500, reportedUntil: START + 500 }
  expect(shown(person).map(([kind, from, seconds]) => [kind, from, seconds])).toEqual([
    ['down', 0, 500],
    ['paid', 500, MONTH - 500],
  ])
  expect(shown({ rate: 0n, totalValue: 0n, earnedWei: 0n })).toEqual([['free', 0, MONTH, '0xc']])
})
