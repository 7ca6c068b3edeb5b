import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Loaded } from './Loaded.tsx'

const reading = { data: undefined, error: null, isFetching: true, refetch: () => undefined }
const failed = { data: undefined, error: new Error('platform_unreachable'), isFetching: false, refetch: () => undefined }

type Props = Omit<Parameters<typeof Loaded<string>>[0], 'failed' | 'skeleton' | 'children'>
const draw = (props: Props) =>
  render(
    <Loaded failed="Cannot be read" safe="Nothing was changed" skeleton="reading" {...props}>
      {(data) => <p>{`read: ${data}`}</p>}
    </Loaded>,
  )

it('shows the skeleton until data arrives', () => {
  draw({ query: reading })
  expect(document.body.textContent).toBe('reading')
})

it('shows data during a refetch and after a failed one', () => {
  draw({ query: { ...failed, data: 'old', isFetching: true } })
  expect(document.body.textContent).toBe('read: old')
})

it('shows an error instead of stale data where only the newest counts', () => {
  draw({ query: { ...failed, data: 'old' }, strict: true })
  expect(screen.getByRole('alert').textContent).toContain('Cannot be read')
  expect(screen.queryByText('read: old')).toBeNull()
})

it.each([false, true])('reports what could not be read, and retries on demand (inline: %s)', (line) => {
  const refetch = vi.fn()
  draw({ query: { ...failed, refetch }, line })
  expect(screen.getByRole('alert').textContent).toContain('Cannot be read')
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(refetch).toHaveBeenCalledOnce()
})

it('shows the full error, in words where available', () => {
  draw({ query: failed, details: (error) => `in words: ${error.message}` })
  expect(screen.getByRole('alert').textContent).toContain('in words: platform_unreachable')
})

it('reports a missing item first, with a link onwards', () => {
  const missing = { title: 'No such order', text: 'It may be of another network.', to: '/myspace', label: 'My orders' }
  draw({ query: { ...failed, data: 'old' }, missing })
  expect(screen.getByRole('heading').textContent).toBe('No such order')
  expect(screen.getByRole('link', { name: 'My orders' }).getAttribute('href')).toBe('/myspace')
  expect(screen.queryByText('read: old')).toBeNull()
})
