import type { ProviderWire } from '@rackfair/protocol/providers'
import { AppError } from '@rackfair/rules/errors/AppError'
import { providerAnswer } from '@rackfair/testkit/fixtures'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { api } from '../../platform/api/api.ts'
import { ownProviderQuery, providerQuery } from './queries.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const ADDRESS = '0x00000000000000000000000000000000000000bb'

/** What a public page and the owner's own page show of one answer, and how often the platform was asked. */
async function shown(answer: () => Promise<ProviderWire>) {
  const asked = vi.spyOn(api, 'provider').mockImplementation(answer)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } } })
  await client.prefetchQuery(providerQuery(ADDRESS))
  const { data: everybody, error } = new QueryObserver(client, providerQuery(ADDRESS)).getCurrentResult()
  const { data: owner } = new QueryObserver(client, ownProviderQuery(ADDRESS)).getCurrentResult()
  return { everybody, owner, error, times: asked.mock.calls.length }
}

it('requests a provider once for all viewers, including its owner', async () => {
  const { everybody, owner, times } = await shown(async () => providerAnswer())
  expect(everybody?.name).toBe('helios')
  expect(owner).toEqual(everybody)
  expect(times).toBe(1)
})

it('is undefined for an unknown provider, and an error if that is uncertain', async () => {
  const nobody = await shown(() => Promise.reject(new AppError('not_found', 'no such provider')))
  expect(nobody).toMatchObject({ everybody: null, owner: null, error: null })
  const unknown = await shown(() => Promise.reject(new AppError('network', 'no answer')))
  expect(unknown.everybody).toBeUndefined()
  expect(unknown.error).not.toBeNull()
})

it('is undefined for its owner without an address', async () => {
  const { everybody, owner } = await shown(async () => providerAnswer({ ip: '', domain: '' }))
  expect(everybody?.name).toBe('helios')
  expect(owner).toBeNull()
})
