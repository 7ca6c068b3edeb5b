import type { HardwareAnswer } from '@rackfair/hardware/record'
import type { VerificationWire } from '@rackfair/protocol/verification'
import { readNodeOffer } from '@rackfair/sdk/http'
import { nodeAnswer } from '@rackfair/testkit/fixtures'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { api } from '../../platform/api/api.ts'
import { HardwareCard } from './HardwareCard.tsx'
import { HardwareMark } from './HardwareMark.tsx'
import { hardwareState } from './hardwareState.ts'
import { ProviderHardware } from './ProviderHardware.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const CP = '0x00000000000000000000000000000000000000bb'
const HOUR = 3_600
/** 14.4 GiB. */
const MEASURED_BYTES = 15_461_882_266
const nowSeconds = () => Math.floor(Date.now() / 1000)
const passed = (age: number): VerificationWire => ({
  ...{ outcome: 'passed', hardwareClass: 2, verified: true, time: nowSeconds() - age, agreed: 2, needed: 2 },
  ...{ memoryBytes: MEASURED_BYTES, cores: 8, gpus: 0 },
})
const resultOf = (monitor: string, more: Partial<HardwareAnswer['results'][number]> = {}): HardwareAnswer['results'][number] => ({
  ...{ monitor, provider: CP, nodeId: '3', rev: 2, orderId: '0', beacon: `0x${'be'.repeat(32)}`, hardwareClass: 2 },
  ...{ outcome: 'passed', memoryBytes: MEASURED_BYTES, diskBytes: 2 ** 30, cores: 8, gpus: 0, time: nowSeconds() - 9 * HOUR },
  ...{ makingMs: 4_000, limitMs: 60_000, memoryWalkMs: 200, diskWalkMs: 300, signature: `0x${'00'.repeat(65)}` },
  ...{ counts: true, ...more },
})
const monitorOf = (digit: string) => `0x${digit.repeat(40)}`

function show(part: ReactNode, answer?: Omit<HardwareAnswer, 'block'>): void {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } })
  if (answer) client.setQueryData(['hardware', CP, 3], { ...answer, block: 1 })
  render(<QueryClientProvider client={client}>{part}</QueryClientProvider>)
}
const card = <HardwareCard provider={CP} nodeId={3} rev={2} />
const words = () => screen.getByRole('region', { name: 'Verified hardware' }).textContent ?? ''

test('shows what monitors agree on, what each measured, and what that does not prove', () => {
  show(card, { verification: passed(9 * HOUR), results: [resultOf(monitorOf('1')), resultOf(monitorOf('2'))] })
  for (const said of [
    /Verified 9 hr\. agoclass 2/,
    /Memory measured14\.4 GBCores measured8GPUs measurednoneMonitors that agree2, 2 needed/,
    /class 2: 14\.4 GB memory, 1 GB disk, cores: 8/,
    /computed in 4 sec of at most 60 sec, read memory in 200 ms, disk in 300 ms/,
    /It cannot show what else uses the machine between tests/,
  ])
    expect(words()).toMatch(said)
  for (const monitor of ['0x11…1111', '0x22…2222']) expect(words()).toContain(monitor)
  expect(screen.getByRole('link', { name: /All results, signed/ }).getAttribute('href')).toBe(`/v1/nodes/${CP}/3/hardware`)
})

test('claims nothing for a machine that was not measured, passed too long ago, or failed', () => {
  show(card, { verification: null, results: [] })
  expect(words()).toMatch(/Not verified.*enough monitors that agree.*No monitor has published a result/)
  cleanup()
  show(card, { verification: passed(200 * HOUR), results: [] })
  expect(words()).toMatch(/Not verified: last passed 8 days ago.*counts for eight days/)
  expect(words()).not.toMatch(/Memory measured/)
  cleanup()
  show(card, { verification: { ...passed(HOUR), outcome: 'failed', verified: false }, results: [] })
  expect(words()).toMatch(/Failed 1 hr\. ago.*Nothing is claimed/)
  expect(words()).not.toMatch(/Memory measured/)
})

test('explains why a result does not count, and details only the newest', () => {
  const results = [
    resultOf(monitorOf('1'), { counts: false, outcome: 'wrong' }),
    resultOf(monitorOf('2'), { rev: 1, outcome: 'in_use', memoryBytes: 0 }),
    ...['3', '4', '5', '6', '7', '8'].map((digit) => resultOf(monitorOf(digit))),
  ]
  show(card, { verification: null, results })
  expect(words()).toMatch(/Wrong answer.*not drawn for this machine, does not count/)
  expect(words()).toMatch(/Not taken: a tenant has the machine.*as it was offered before, does not count/)
  expect(screen.getAllByRole('listitem')).toHaveLength(6)
  expect(words()).toContain('and 2 more')
})

test('requires both clocks to agree that a test is recent', () => {
  const now = nowSeconds()
  expect(hardwareState(passed(HOUR), now)).toBe('verified')
  expect(hardwareState({ ...passed(HOUR), verified: false }, now)).toBe('old')
  expect(hardwareState(passed(193 * HOUR), now)).toBe('old')
  expect(hardwareState(undefined, now)).toBe('unmeasured')
})

test('marks a row only while its machine is verified', () => {
  const mark = (verification?: VerificationWire) => {
    cleanup()
    show(<HardwareMark node={{ verification }} now={nowSeconds()} />)
    return document.body.textContent
  }
  expect(mark(passed(9 * HOUR))).toBe('Hardware verified 9 hr. ago, class 2')
  for (const none of [undefined, passed(200 * HOUR), { ...passed(HOUR), outcome: 'failed' as const, verified: false }])
    expect(mark(none)).toBe('')
})

test('reports a failed read, and retries on demand', async () => {
  const read = vi.spyOn(api, 'nodeHardware').mockRejectedValueOnce(new Error('no answer'))
  read.mockResolvedValueOnce({ verification: passed(HOUR), results: [], block: 1 })
  show(card)
  fireEvent.click(await screen.findByRole('button', { name: 'Retry' }))
  await waitFor(() => expect(words()).toContain('Verified 1 hr. ago'))
})

test('reads the machines of a provider one by one, on opening', async () => {
  const read = vi.spyOn(api, 'nodeHardware').mockResolvedValue({ verification: passed(HOUR), results: [], block: 1 })
  const nodes = Array.from({ length: 8 }, (_, at) => readNodeOffer(nodeAnswer({ id: at + 1, nodename: `helios-${at + 1}` })))
  show(<ProviderHardware nodes={nodes.map((node, at) => (at === 0 ? { ...node, verification: passed(HOUR) } : node))} />)
  expect(words()).toMatch(/helios-1Verified 1 hr\. agoclass 2helios-2Not verified/)
  expect(words()).not.toContain('helios-7')
  fireEvent.click(screen.getByRole('button', { name: 'and 2 more' }))
  expect(words()).toContain('helios-8')
  expect(read).not.toHaveBeenCalled()
  const machine = screen.getByText('helios-2').closest('details') as HTMLDetailsElement
  machine.open = true
  fireEvent(machine, new Event('toggle'))
  await waitFor(() => expect(machine.textContent).toContain('Memory measured'))
  expect(read).toHaveBeenCalledWith(CP, 2, expect.anything())
})
