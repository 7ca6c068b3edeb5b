import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useHeldFocus } from './useHeldFocus.ts'

function Panel({ short }: { short: boolean }) {
  return (
    <div {...useHeldFocus()}>
      <button type="button" data-start>
        Create Order
      </button>
      {short && <button type="button">Get test Credit and gas</button>}
    </div>
  )
}

test('moves the focus to the next step when the focused button disappears', () => {
  const { rerender } = render(<Panel short />)
  screen.getByText('Get test Credit and gas').focus()
  rerender(<Panel short={false} />)
  expect(document.activeElement?.textContent).toBe('Create Order')
})

test('does not steal the focus', () => {
  const { rerender } = render(<Panel short />)
  const button = screen.getByText('Get test Credit and gas')
  button.focus()
  button.blur()
  rerender(<Panel short={false} />)
  expect(document.activeElement).toBe(document.body)
})
