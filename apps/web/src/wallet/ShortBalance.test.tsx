import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ShortBalance } from './ShortBalance.tsx'

test('is abbreviated on the screen, and full in the title and for screen readers', () => {
  render(<ShortBalance wei={12_345_678_900_000_000_000_000n} failed={false} spoken />)
  const balance = screen.getByTitle('$12,345.6789')
  expect(balance.querySelector('[aria-hidden]')?.textContent).toBe('$12.3k')
  expect(balance.querySelector('.sr-only')?.textContent).toBe('$12,345.6789')
})

test.each([
  [undefined, false, '$…'],
  [undefined, true, '$0'],
  [1_204_500_000_000_000_000_000n, false, '$1,204.5'],
  [1_204_500_000_000_000_000_000n, true, '$1,204.5'],
])('shows %s (failed: %s) as %s', (wei, failed, shown) => {
  const { container } = render(<ShortBalance wei={wei} failed={failed} />)
  expect(container.textContent).toBe(shown)
  expect(screen.queryByTitle('The balance could not be read') !== null).toBe(wei === undefined && failed)
})
