import { AppError } from '@rackfair/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { PaymentError } from './PaymentError.tsx'

afterEach(cleanup)

test('a failed purchase is a popup of at most 100 characters that says what is safe', () => {
  HTMLElement.prototype.showPopover = () => undefined
  const safe = 'The fee is still in your wallet.'
  const error = new AppError('StaleNode', 'StaleNode(1, 2)')
  render(<PaymentError error={error} title="Create Order Error" safe={safe} sent={false} onClose={vi.fn()} />)
  const popup = screen.getByRole('dialog', { name: 'Create Order Error' })
  const short = popup.textContent?.match(/The provider has changed this node[^…]*…/)?.[0] ?? ''
  expect([...short]).toHaveLength(100)
  expect(popup.textContent).toContain(safe)
})
