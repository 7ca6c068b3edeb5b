import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ReliabilityCell } from './ReliabilityCell.tsx'

afterEach(cleanup)

const observed = (seenDays: number, outages = 0, brokenOrders = 0) => ({
  ...{ failures: 1 + outages + 3 * brokenOrders, observedDays: 10 + seenDays, seenDays, countedDays: seenDays },
  ...{ outages, brokenOrders, strip: '-'.repeat(90), day: 20_000 },
})

test.each([
  [observed(20 / 1440), 'new, 20 min observed, no outage'],
  [observed(0), 'new, 0 sec observed, no outage'],
  [observed(3.5, 1), 'new, 3 days observed, 1 outage'],
  [observed(6.99, 2, 1), 'new, 6 days observed, 2 outages and 1 order dropped or never started'],
  [observed(0.5, 0, 1), 'new, 12 hr observed, 1 order dropped or never started'],
])('shows what was seen of a new machine, not the prior', (reliability, words) => {
  render(<ReliabilityCell node={{ reliability }} words />)
  expect(screen.getByText(words)).toBeTruthy()
  expect(document.body.textContent).not.toContain('%')
})

test('shows the chance from seven observed days on', () => {
  render(<ReliabilityCell node={{ reliability: observed(7) }} />)
  expect(document.body.textContent).toContain('36%')
})
