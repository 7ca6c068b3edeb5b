import { AppError } from '@rackfair/rules/errors/AppError'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { StartDialog } from './StartDialog.tsx'

test.each([
  [new AppError('platform_unreachable', 'No answer from /v1/config'), 'The platform cannot be reached', false],
  [new Error('No wallets provided'), 'The wallet could not be started', true],
])('describes %s correctly', (error, title, detailed) => {
  render(<StartDialog onClose={vi.fn()} error={error} retrying={false} onRetry={vi.fn()} />)
  expect(screen.getByRole('heading', { name: title })).toBeDefined()
  expect(screen.queryByText(error.message) !== null).toBe(detailed)
})
