import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Money } from './Money.tsx'

it('highlights changed digits of a running amount only', () => {
  const amount = (wei: bigint) => <Money wei={wei} digits={6} fixed ticks />
  const { container, rerender } = render(amount(1_234_567n * 10n ** 12n))
  const digits = () => container.querySelector('.animate-tick')
  const first = digits()
  expect(first?.textContent).toBe('4567')
  rerender(amount(1_234_567n * 10n ** 12n + 1n))
  expect(digits()).toBe(first)
  rerender(amount(1_234_568n * 10n ** 12n))
  expect(digits()).not.toBe(first)
  expect(container.textContent).toBe('$1.234568')
})
