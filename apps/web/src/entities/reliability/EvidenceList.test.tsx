import type { Outage, ReliabilityRecord } from '@rackfair/sdk/http'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { api } from '../../platform/api/api.ts'
import { EvidenceList } from './EvidenceList.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const outage: Outage = {
  ...{ nodeId: 2, orderId: 12n, from: 1_000, until: 2_200, epochs: 4, announced: false, state: 'found', finalAt: 9_000 },
  ...{ agreed: 3, reported: 3, transactionHash: `0x${'ab'.repeat(32)}` },
}
const recordOf = (...outages: Outage[]): ReliabilityRecord => ({
  ...{ block: 1, reliability: null, monitored: true, outages, maintenance: [], brokenOrders: [] },
})

function show(list: ReactNode): void {
  vi.spyOn(api, 'config').mockReturnValue(new Promise(() => {}))
  render(<QueryClientProvider client={new QueryClient()}>{list}</QueryClientProvider>)
}

test('names the command that shows the agent’s evidence for an own outage under dispute', () => {
  show(<EvidenceList own answer={recordOf(outage)} nameOf={(nodeId) => `kiln-${nodeId}`} />)
  expect(screen.getByRole('listitem').textContent).toMatch(/kiln-2 down for .*3 of 3 monitors say so, can be disputed until/)
  expect(screen.getByText('rackfair-agent uptime 12')).toBeTruthy()
})

test('names no command for final outages and for others', () => {
  show(<EvidenceList own answer={recordOf({ ...outage, state: 'final' })} />)
  show(<EvidenceList answer={recordOf(outage)} />)
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
  expect(screen.queryByText(/rackfair-agent/)).toBeNull()
})
