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

it('shows the skeleton until an answer is there', () => {
  draw({ query: reading })
  expect(document.body.textContent).toBe('reading')
})

it('shows what was read, also while it is read again and where that failed', () => {
  draw({ query: { ...failed, data: 'old', isFetching: true } })
  expect(document.body.textContent).toBe('read: old')
})

it('shows an error instead of what was read where only the newest counts', () => {
  draw({ query: { ...failed, data: 'old' }, strict: true })
  expect(screen.getByRole('alert').textContent).toContain('Cannot be read')
  expect(screen.queryByText('read: old')).toBeNull()
})

it.each([false, true])('says what could not be read and asks again when told to (in a line: %s)', (line) => {
  const refetch = vi.fn()
  draw({ query: { ...failed, refetch }, line })
  expect(screen.getByRole('alert').textContent).toContain('Cannot be read')
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(refetch).toHaveBeenCalledOnce()
})

it('shows the whole error, in words where there are some', () => {
  draw({ query: failed, details: (error) => `in words: ${error.message}` })
  expect(screen.getByRole('alert').textContent).toContain('in words: platform_unreachable')
})

it('says that there is no such thing before anything else, and where to go on', () => {
  const missing = { title: 'No such order', text: 'It may be of another network.', to: '/myspace', label: 'My orders' }
  draw({ query: { ...failed, data: 'old' }, missing })
  expect(screen.getByRole('heading').textContent).toBe('No such order')
  expect(screen.getByRole('link', { name: 'My orders' }).getAttribute('href')).toBe('/myspace')
  expect(screen.queryByText('read: old')).toBeNull()
})
