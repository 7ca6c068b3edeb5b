import { defineChain, http } from 'viem'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createConfig } from 'wagmi'
import { discoverWallets } from './discoverWallets.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  Reflect.deleteProperty(window, 'ethereum')
})

const provider = { request: async () => null }
const announce = (info: unknown, own: unknown = { ...provider }) =>
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider: own } }))

it('lists wallets by their own name, with rdns or without, each once', () => {
  const { listed } = start()
  announce({ rdns: 'io.a', name: 'A', icon: 'data:image/png;base64,x' })
  announce({ rdns: 'io.a', name: 'A again' })
  announce({ name: 'No rdns' })
  announce({ rdns: '', name: 'Empty rdns' })
  announce({ rdns: 'injected', name: 'Not ours' })
  announce({ rdns: 'io.b', name: ' '.repeat(5) })
  announce({ rdns: 'io.c', name: 'x'.repeat(500), icon: 'https://evil.example/x.png' })
  expect(listed()).toEqual([
    ...[
      ['io.a', 'A', 'data:image/png;base64,x'],
      ['name:No rdns', 'No rdns'],
      ['name:Empty rdns', 'Empty rdns'],
    ],
    ...[
      ['name:Not ours', 'Not ours'],
      ['io.b', 'io.b'],
      ['io.c', 'x'.repeat(64)],
    ],
  ])
})

it('lists nothing that is no wallet, and not without end', () => {
  const { listed } = start()
  for (const [info, own] of [[null], [{}], [{ name: 7 }], [{ name: 'x' }, null], [{ name: 'y' }, 'text']]) announce(info, own)
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider'))
  expect(listed()).toEqual([])
  for (let index = 0; index < 200; index += 1) announce({ rdns: `io.${index}`, name: `${index}` })
  expect(listed()).toHaveLength(50)
})

it.each([
  ['by itself within 10 s', () => vi.advanceTimersByTime(2500)],
  ['when it says so', () => window.dispatchEvent(new Event('ethereum#initialized'))],
  ['when a dialog looks, even later', (look: () => void) => look()],
])('lists what comes to the window late: %s', (_, notice) => {
  const { listed, look } = start()
  if (String(notice).includes('look')) vi.advanceTimersByTime(60_000)
  Object.assign(window, { ethereum: provider })
  expect(listed()).toEqual([])
  notice(look)
  notice(look)
  expect(listed()).toEqual([['injected', 'Browser wallet']])
})

/** The wallets of a new page. */
function start() {
  const chain = defineChain({
    ...{ id: 2985, name: 'Dev', nativeCurrency: { name: 'R', symbol: 'R', decimals: 18 } },
    rpcUrls: { default: { http: ['http://127.0.0.1:1'] } },
  })
  const wagmi = createConfig({
    chains: [chain],
    transports: { 2985: http() },
    storage: null,
    multiInjectedProviderDiscovery: false,
  })
  const look = discoverWallets(wagmi)
  return { look, listed: () => wagmi.connectors.map(({ id, name, icon }) => [id, name, ...(icon ? [icon] : [])]) }
}
