import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Features } from './Features.tsx'

test('shows six feature cards, each with a title and a sentence', () => {
  render(<Features />)
  const titles = screen.getAllByRole('heading', { level: 3 })
  expect(titles).toHaveLength(6)
  for (const title of titles) expect(title.nextElementSibling?.textContent).toMatch(/\.$/)
})
