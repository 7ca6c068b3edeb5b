import { SignClient } from '@walletconnect/sign-client'
import { type Address, createClient, http } from 'viem'

const CONNECT_MS = 20_000
const METHODS = [
  'eth_sendTransaction',
  'personal_sign',
  'eth_signTypedData_v4',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain',
]

interface Settings {
  projectId: string
  relayUrl: string
  rpcUrl: string
  chainId: number
  onUri: (uri: string) => void
  onAccounts: (accounts: readonly string[]) => void
  onChain: (chainId: number) => void
  onDisconnect: () => void
}

/** An EIP-1193 provider over a WalletConnect session. Reads go to the chain directly, signatures to the phone. */
export async function createWalletConnectProvider(settings: Settings) {
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
  const reader = createClient({ transport: http(settings.rpcUrl) })
  let session = client.session.getAll().findLast((known) => known.expiry * 1000 > Date.now())

  const accounts = () => (session?.namespaces.eip155?.accounts ?? []).map((account) => account.split(':')[2] as Address)
  const chainId = () => Number(session?.namespaces.eip155?.accounts[0]?.split(':')[1] ?? settings.chainId)

  client.on('session_event', ({ params }) => {
    if (params.event.name === 'chainChanged') settings.onChain(Number(params.event.data))
    if (params.event.name === 'accountsChanged')
      settings.onAccounts(params.event.data.map((entry: string) => entry.split(':').at(-1)))
  })
  client.on('session_update', ({ topic, params }) => {
    if (session?.topic !== topic) return
    session = { ...session, namespaces: params.namespaces }
    settings.onAccounts(accounts())
    settings.onChain(chainId())
  })
  const ended = ({ topic }: { topic: string }) => {
    if (session?.topic !== topic) return
    session = undefined
    settings.onDisconnect()
  }
  client.on('session_delete', ended)
  client.on('session_expire', ended)

  return {
    accounts,
    chainId,
    connect: async () => {
      const { uri, approval } = await withTimeout(
        client.connect({
          optionalNamespaces: {
            eip155: { chains: [`eip155:${settings.chainId}`], methods: METHODS, events: ['accountsChanged', 'chainChanged'] },
          },
        }),
      )
      if (uri) settings.onUri(uri)
      session = await approval().catch(throwAsWallet)
      return accounts()
    },
    disconnect: async () => {
      if (session) await client.disconnect({ topic: session.topic, reason: { code: 6000, message: 'User disconnected.' } })
      session = undefined
    },
    request: async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
      if (method === 'eth_accounts' || method === 'eth_requestAccounts') return accounts()
      if (method === 'eth_chainId') return `0x${chainId().toString(16)}`
      if (!METHODS.includes(method)) return reader.request({ method, params } as never)
      if (!session) throw Object.assign(new Error('The session has ended'), { code: 4900 })
      return client
        .request({ topic: session.topic, chainId: `eip155:${settings.chainId}`, request: { method, params } })
        .catch(throwAsWallet)
    },
    on: () => undefined,
    removeListener: () => undefined,
  }
}

/** Phones answer with plain objects, and decline a session with a number of their own (5000 to 5003). */
function throwAsWallet(error: unknown): never {
  const { code, message = 'The wallet did not answer' } = error as { code?: number; message?: string }
  const declined = code !== undefined && code >= 5000 && code <= 5003
  throw Object.assign(new Error(message, { cause: error }), { code: declined ? 4001 : code })
}

function withTimeout<Value>(work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('The relay did not answer'), { name: 'TimeoutError' })), CONNECT_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
