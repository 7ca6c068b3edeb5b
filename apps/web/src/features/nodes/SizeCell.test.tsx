import { cleanup, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SizeCell } from './SizeCell.tsx'

test('marks a machine without memory or storage visually, by tooltip and for screen readers', () => {
  const missing = 'Nothing can run without it'
  const { container } = render(<SizeCell size={0} words="0 GB" missing={missing} />)
  expect(screen.getByTitle(missing).textContent).toBe(`0 GB${missing}`)
  expect(container.querySelector('svg, [data-tone], .text-warn')).not.toBeNull()
  cleanup()
  render(<SizeCell size={16} words="16 GB" missing={missing} />)
  expect(screen.queryByTitle(missing)).toBeNull()
  expect(screen.getByText('16 GB')).toBeDefined()
})
