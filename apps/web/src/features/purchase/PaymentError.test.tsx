import { AppError } from '@rackfair/rules/errors/AppError'
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, test, vi } from 'vitest'
import { PaymentError } from './PaymentError.tsx'

beforeAll(() => {
  HTMLElement.prototype.showPopover = () => undefined
})
test('shows a failed purchase in a popup of at most 100 characters that says what is safe', () => {
  const error = new AppError('StaleNode', 'StaleNode(1, 2)')
  render(<PaymentError error={error} title="Create Order Error" safe={safe} sent={false} onClose={vi.fn()} />)
  const popup = screen.getByRole('dialog', { name: 'Create Order Error' })
  const short = popup.textContent?.match(/The provider has changed this node[^…]*…/)?.[0] ?? ''
  expect([...short]).toHaveLength(100)
  expect(popup.textContent).toContain(safe)
})

test.each([
  ['unknown', false],
  ['rpc_unreachable', false],
  ['transaction_timeout', false],
  ['transaction_unknown', false],
  ['transaction_reverted', true],
  ['transaction_replaced', true],
])('says on %s after sending that the fee is still in the wallet: %s', (code, said) => {
  render(<PaymentError error={new AppError(code, code)} title="Error" safe={safe} sent onClose={vi.fn()} />)
  const text = screen.getByRole('dialog').textContent ?? ''
  expect(text.includes(safe)).toBe(said)
  expect(text.includes('may still come through')).toBe(!said)
})

test.each(['transaction_timeout', 'transaction_unknown'])(
  'does not say on %s that nothing was paid, though nothing is known to be sent',
  (code) => {
    render(<PaymentError error={new AppError(code, code)} title="Error" safe={safe} sent={false} onClose={vi.fn()} />)
    const text = screen.getByRole('dialog').textContent ?? ''
    expect(text).not.toContain(safe)
    expect(text).toContain('may still come through')
  },
)

const safe = 'The fee is still in your wallet.'
