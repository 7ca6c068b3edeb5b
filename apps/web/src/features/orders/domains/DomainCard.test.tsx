import { encodeJson } from '@rackfair/protocol/frames'
import type { DomainsRequest } from '@rackfair/protocol/workspaceRequests'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { WorkspaceStream } from '@rackfair/sdk/workspace'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { createQueryClient } from '../../../platform/api/queryClient.ts'
import { OwnDomains } from './DomainCard.tsx'

afterEach(cleanup)
const SOON = { timeout: 30_000 }

/** What an agent answers that has names below this one, if any, and knows of one domain that points to the order: not at once if `away`. */
function open(target: string | null, away = false) {
  const domains: { domain: string; isServed: boolean }[] = []
  let isAway = away
  const workspace = {
    async open(_kind: string, request?: unknown): Promise<WorkspaceStream> {
      if (isAway) {
        isAway = false
        throw new AppError('platform_unreachable', 'the network changed', { retryable: true })
      }
      const asked = request as DomainsRequest
      if (asked.op === 'add' && asked.domain !== 'shop.example') throw new AppError('domain_elsewhere', 'it points elsewhere')
      if (asked.op === 'add') domains.push({ domain: asked.domain, isServed: true })
      if (asked.op === 'remove') domains.pop()
      const answer = encodeJson({ target, domains })
      return {
        incoming: (async function* () {
          yield answer
        })(),
      } as unknown as WorkspaceStream
    },
  }
  return render(
    <QueryClientProvider client={createQueryClient()}>
      <OwnDomains orderId="12" workspace={workspace} />
    </QueryClientProvider>,
  )
}

test('says where a domain has to point, adds one that does, says why another is not, and removes it', async () => {
  const { container } = open('o-12.atlas.edge.example')
  await waitFor(() => expect(container.textContent).toContain('o-12.atlas.edge.example'), SOON)
  fireEvent.click(screen.getByRole('button', { name: 'Add a domain' }))
  const add = (domain: string) => {
    fireEvent.change(screen.getByRole('textbox', { name: 'Domain' }), { target: { value: domain } })
    fireEvent.click(screen.getByRole('button', { name: 'Add' }))
  }
  add('other.example')
  await waitFor(() => expect(container.textContent).toContain('does not point to your order yet'), SOON)
  add('shop.example')
  fireEvent.click(await screen.findByRole('button', { name: 'Remove shop.example' }, SOON))
  await waitFor(() => expect(container.textContent).toContain('No domain leads here yet'), SOON)
})

test('draws nothing where the provider has no names with HTTPS', async () => {
  const { container } = open(null)
  await new Promise((resolve) => setTimeout(resolve))
  expect(container.textContent).toBe('')
})

test('asks again for what was lost on the way', async () => {
  const { container } = open('o-12.atlas.edge.example', true)
  await waitFor(() => expect(container.textContent).toContain('o-12.atlas.edge.example'), SOON)
})
