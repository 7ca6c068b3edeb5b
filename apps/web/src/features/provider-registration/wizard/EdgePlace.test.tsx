import { AppError } from '@rackfair/rules/errors/AppError'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type ComponentProps, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { EdgePlace } from './EdgePlace.tsx'

afterEach(cleanup)
const SOON = { timeout: 60_000 }
const PLACE = { ip: '198.51.100.7', port: 20_017, domain: 'p-5b38da6a70.edge.example' }

function Form(asking: Pick<ComponentProps<typeof EdgePlace>, 'onAsk' | 'onPlace'>) {
  const [edge, setEdge] = useState('')
  return <EdgePlace {...asking} edge={edge} onEdge={setEdge} />
}

test('hands to the form what an edge gives, and says where none does what to do', async () => {
  const onPlace = vi.fn()
  const onAsk = vi
    .fn()
    .mockRejectedValueOnce(new AppError('edge_unavailable', 'edge.example: it does not answer'))
    .mockResolvedValueOnce(PLACE)
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <Form onAsk={onAsk} onPlace={onPlace} />
    </QueryClientProvider>,
  )
  const ask = () => screen.getByRole('button', { name: 'Ask the edge' })
  fireEvent.click(ask())
  fireEvent.change(screen.getByRole('textbox', { name: 'Edge' }), { target: { value: ' edge.example#ab ' } })
  fireEvent.click(ask())
  await waitFor(() => expect(container.textContent).toContain('Nothing was registered'), SOON)
  expect(onPlace).not.toHaveBeenCalled()
  fireEvent.click(ask())
  await waitFor(() => expect(container.textContent).toContain('198.51.100.7, port 20017'), SOON)
  expect(onPlace.mock.calls[0]?.[0]).toEqual(PLACE)
  expect(onAsk.mock.calls).toEqual([['edge.example#ab'], ['edge.example#ab']])
})
