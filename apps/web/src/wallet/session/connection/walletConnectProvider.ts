import { SignClient } from '@walletconnect/sign-client'
import { type Address, type Chain, createClient, http } from 'viem'
import { guardProvider } from './guardProvider.ts'
import { readAccounts, readChainId } from './walletAnswers.ts'

const CONNECT_MS = 20_000
const METHODS = [
  'eth_sendTransaction',
  'personal_sign',
  'eth_signTypedData_v4',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
  'wallet_getCapabilities',
  'wallet_sendCalls',
  'wallet_getCallsStatus',
]
/** Phones of before EIP-5792 do not approve these, and may not answer them either. */
const OF_BATCHES = METHODS.slice(-3)

interface Settings {
  projectId: string
  relayUrl: string
  /** The market's; reads go to its endpoint. */
  chain: Chain
  onUri: (uri: string) => void
  onAccounts: (accounts: readonly string[]) => void
  onChain: (chainId: number) => void
  onDisconnect: () => void
}

/** An EIP-1193 provider over a WalletConnect session. Reads go to the chain directly, signatures to the phone. */
export async function createWalletConnectProvider({ chain, ...settings }: Settings) {
  const client = await withTimeout(
    SignClient.init({
      projectId: settings.projectId,
      relayUrl: settings.relayUrl,
      telemetryEnabled: false,
      metadata: {
        name: 'Rackfair',
        description: 'A market for GPU and CPU computing power',
        url: window.location.origin,
        icons: [`${window.location.origin}/logo.svg`],
      },
    }),
  )
  // It would show another host's frame before every request, to tell wallets that this page is known there.
  client.core.verify.register = async () => undefined
  const reader = createClient({ transport: http(chain.rpcUrls.default.http[0]) })
  let session = client.session.getAll().findLast((known) => known.expiry * 1000 > Date.now())

  const entriesOn = (id?: number) =>
    (session?.namespaces.eip155?.accounts ?? [])
      .map((entry) => entry.split(':'))
      .filter(([, network]) => id === undefined || Number(network) === id)
  const accounts = () => {
    const here = entriesOn(chain.id)
    return (here.length > 0 ? here : entriesOn()).map(([, , address]) => address as Address)
  }
  /** Where the session leaves the phone: at the market, unless the phone does not offer its network. */
  const firstChain = () => (entriesOn(chain.id).length > 0 ? chain.id : Number(entriesOn()[0]?.[1] ?? chain.id))
  let chainId = firstChain()
  const setChain = (id: number) => {
    chainId = id
    settings.onChain(id)
  }
  const leave = async (code: number, message: string) => {
    const left = session
    session = undefined
    if (left) await client.disconnect({ topic: left.topic, reason: { code, message } })
  }

  client.on('session_event', ({ topic, params: { event } }) => {
    if (session?.topic !== topic) return
    if (event.name === 'chainChanged') setChain(readChainId(event.data) ?? chainId)
    if (event.name !== 'accountsChanged' || !Array.isArray(event.data)) return
    const chosen = readAccounts(event.data.map((entry: unknown) => String(entry).split(':').at(-1))) ?? []
    if (chosen.length > 0) settings.onAccounts(chosen)
  })
  client.on('session_update', ({ topic, params }) => {
    if (session?.topic !== topic) return
    session = { ...session, namespaces: params.namespaces }
    settings.onAccounts(accounts())
    if (entriesOn(chainId).length === 0) setChain(firstChain())
  })
  const ended = ({ topic }: { topic: string }) => {
    if (session?.topic !== topic) return
    session = undefined
    settings.onDisconnect()
  }
  client.on('session_delete', ended)
  client.on('session_expire', ended)

  const provider = {
    accounts,
    chainId: () => chainId,
    /** @throws ChainNotConfiguredError when the phone does not offer the network of the market; its session is then ended. */
    connect: async () => {
      const { uri, approval } = await withTimeout(
        client.connect({
          optionalNamespaces: {
            eip155: { chains: [`eip155:${chain.id}`], methods: METHODS, events: ['accountsChanged', 'chainChanged'] },
          },
        }),
      )
      if (uri) settings.onUri(uri)
      session = await approval()
      chainId = firstChain()
      if (entriesOn(chain.id).length > 0) return accounts()
      await leave(5100, 'Unsupported chains.').catch(() => undefined)
      throw Object.assign(new Error(`The wallet did not offer eip155:${chain.id}`), { name: 'ChainNotConfiguredError' })
    },
    disconnect: () => leave(6000, 'User disconnected.'),
    request: async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return accounts()
      if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
      if (!METHODS.includes(method)) return reader.request({ method, params } as never)
      if (!session) throw Object.assign(new Error('The session has ended'), { code: 4900 })
      if (OF_BATCHES.includes(method) && !session.namespaces.eip155?.methods.includes(method))
        throw Object.assign(new Error(`The phone does not support ${method}`), { code: 4200 })
      const answer = await client.request({ topic: session.topic, chainId: `eip155:${chain.id}`, request: { method, params } })
      // The page asks for no other network than the market's.
      if (method === 'wallet_switchEthereumChain') setChain(chain.id)
      return answer
    },
    on: () => undefined,
    removeListener: () => undefined,
  }
  return { ...provider, ...guardProvider(provider) }
}

function withTimeout<Value>(work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('The relay did not answer'), { name: 'TimeoutError' })), CONNECT_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
