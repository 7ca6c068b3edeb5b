import { defineChain, http } from 'viem'
import { expect, it } from 'vitest'
import { createConfig } from 'wagmi'
import { connect, disconnect, getConnection, switchChain } from 'wagmi/actions'
import { browserWallet } from './browserWallet.ts'
import { comeToMarket } from './comeToMarket.ts'
import { guardProvider } from './guardProvider.ts'

const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const market = defineChain({
  ...{ id: 2985, name: 'Rackfair Dev', nativeCurrency: { name: 'Rack', symbol: 'RACK', decimals: 18 } },
  rpcUrls: { default: { http: ['http://127.0.0.1:1'] } },
})
const TIMES = { settleMs: 50, askMs: 1000 }
const unknownChain =
  (message: string, code = -32603) =>
  () =>
    Promise.reject(Object.assign(new Error(message), { code }))

it.each<[string, Partial<Answers>, number, string[]]>([
  ['changes', {}, 2985, ['switch']],
  ['says so and does not', { switch: () => null, add: () => null }, 1, ['switch', 'add', 'switch']],
  ['does not answer', { switch: () => new Promise(() => undefined) }, 1, ['switch']],
  ['does not know it', { switch: unknownChain('Unrecognized chain ID', 4902) }, 2985, ['switch', 'add']],
  ['says so in another language', { switch: unknownChain('Сеть не найдена') }, 2985, ['switch', 'add']],
  ['cannot change', { switch: unknownChain('x', 4200), add: unknownChain('x', 4200) }, 1, ['switch', 'add']],
  ['is told not to', { switch: unknownChain('denied by the user (0x6985)') }, 1, ['switch']],
  ['is told not to add it', { switch: unknownChain('x', 4902), add: unknownChain('no', 4001) }, 1, ['switch', 'add']],
])('comes to the market’s network, or stays, with a wallet that %s', async (_, answers, at, asked) => {
  const wallet = fake(answers)
  expect(await comeToMarket(guardProvider(wallet.provider), market, TIMES)).toBe(at)
  expect(wallet.asked.map((method) => (method.includes('add') ? 'add' : 'switch'))).toEqual(asked)
})

it('connects on the network of a wallet that does not change it, and follows it later', async () => {
  const wallet = fake({ switch: () => null, add: () => null })
  const { wagmi, connection } = await connected(wallet)
  expect(connection()).toMatchObject({ status: 'connected', address: ALICE, chainId: 1 })
  await expect(switchChain(wagmi, { chainId: 2985 })).rejects.toMatchObject({ name: 'SwitchChainError' })
  wallet.chainId = 2985
  wallet.emit('chainChanged', '0xba9')
  await settled()
  expect(connection()).toMatchObject({ chainId: 2985 })
})

it.each([null, undefined, '', '0x', {}, 'abc', [], Number.NaN])(
  'asks the wallet after the event chainChanged of %o',
  async (data) => {
    const wallet = fake({}, 2985)
    const { connection } = await connected(wallet)
    wallet.chainId = 5
    wallet.emit('chainChanged', data)
    await settled()
    expect(connection()).toMatchObject({ status: 'connected', chainId: 5 })
  },
)

it.each([null, undefined, 'abc', {}, 7])('asks the wallet after the event accountsChanged of %o', async (data) => {
  const wallet = fake({}, 2985)
  const { connection } = await connected(wallet)
  wallet.accounts = [BOB]
  wallet.emit('accountsChanged', data)
  await settled()
  expect(connection()).toMatchObject({ status: 'connected', address: BOB })
})

it('reads events of any form, and disconnects with the last account', async () => {
  const wallet = fake({}, 2985)
  const { wagmi, connection } = await connected(wallet)
  wallet.emit('chainChanged', { chainId: '0x5' })
  wallet.emit('accountsChanged', [BOB.toLowerCase()])
  await settled()
  expect(connection()).toMatchObject({ address: BOB, chainId: 5 })
  wallet.emit('disconnect', { code: 1013 })
  await settled()
  expect(connection().status).toBe('connected')
  wallet.emit('accountsChanged', [])
  await settled()
  expect(connection().status).toBe('disconnected')
  wallet.emit('accountsChanged', [ALICE])
  await settled()
  expect(connection()).toMatchObject({ status: 'connected', address: ALICE })
  await disconnect(wagmi)
  expect(connection().status).toBe('disconnected')
})

it.each([
  ['a refusal in its own words', () => Promise.reject('Cancelled')],
  ['no account', () => []],
  ['nothing', () => null],
])('does not connect after %s', async (_, accounts) => {
  const wallet = fake({ accounts }, 2985)
  await expect(connected(wallet)).rejects.toBeInstanceOf(Error)
})

interface Answers {
  switch: () => unknown
  add: () => unknown
  accounts: () => unknown
}

/** A wallet that does as it is told, but for what the test answers. */
function fake(answers: Partial<Answers>, chainId = 1) {
  const listeners = new Map<string, (data: unknown) => void>()
  const wallet = {
    ...{ chainId, accounts: [ALICE] as string[], asked: [] as string[] },
    emit: (event: string, data: unknown) => listeners.get(event)?.(data),
    provider: {
      on: (event: string, listener: (data: unknown) => void) => void listeners.set(event, listener),
      request: async ({ method }: { method: string }) => {
        if (method === 'eth_chainId') return wallet.chainId
        if (method === 'eth_accounts') return wallet.accounts
        if (method === 'eth_requestAccounts') return answers.accounts ? answers.accounts() : wallet.accounts
        if (!method.endsWith('EthereumChain')) throw Object.assign(new Error('no'), { code: 4200 })
        wallet.asked.push(method)
        const answer = method.startsWith('wallet_add') ? answers.add : answers.switch
        if (answer) return answer()
        wallet.chainId = 2985
        return null
      },
    },
  }
  return wallet
}

async function connected(wallet: ReturnType<typeof fake>) {
  const wagmi = createConfig({
    chains: [market],
    transports: { 2985: http() },
    storage: null,
    multiInjectedProviderDiscovery: false,
  })
  const made = browserWallet({ id: 'a', name: 'A', find: () => wallet.provider, announced: true, times: TIMES })
  const connector = wagmi._internal.connectors.setup(made)
  wagmi._internal.connectors.setState(() => [connector])
  await connect(wagmi, { connector })
  return { wagmi, connection: () => getConnection(wagmi) }
}

/** The events' own questions are answered in microtasks. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))
