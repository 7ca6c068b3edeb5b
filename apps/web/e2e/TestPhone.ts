import type { SignClient } from '@walletconnect/sign-client'
import { createWalletClient, type Hex, http, type TypedDataDefinition } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

// Each phone of a run needs an instance of its own.
process.env.DISABLE_GLOBAL_CORE = 'true'

type Client = Awaited<ReturnType<typeof SignClient.init>>
type Request = { method: string; params: unknown[] }

/** A mobile wallet: the other end of a WalletConnect session, with the real client and its own key. */
export class TestPhone {
  readonly account = privateKeyToAccount(generatePrivateKey())
  /** Requests of the page, in order. */
  readonly asked: string[] = []
  /** The network that the user approves for the page. */
  chainId = 2985
  /** Networks that the wallet can switch to. */
  readonly networks = new Set([1, 2985])
  /** Rejects the next request of this method. */
  declines: string | undefined
  private readonly client: Client
  private readonly rpcUrl: string

  private constructor(client: Client, rpcUrl: string) {
    this.client = client
    this.rpcUrl = rpcUrl
    client.on('session_request', ({ id, topic, params: { request } }) => {
      void this.answer(request).then(
        (result) => client.respond({ topic, response: { id, jsonrpc: '2.0', result } }),
        ({ code = -32000, message }) => client.respond({ topic, response: { id, jsonrpc: '2.0', error: { code, message } } }),
      )
    })
  }

  static async start(relayUrl: string, rpcUrl: string): Promise<TestPhone> {
    // Loaded for the tests with a phone alone: it takes half a second of processor time.
    const { SignClient } = await import('@walletconnect/sign-client')
    const client = await SignClient.init({
      projectId: 'test',
      relayUrl,
      telemetryEnabled: false,
      logger: 'silent',
      storageOptions: { database: ':memory:' },
      metadata: { name: 'Test phone', description: 'A phone', url: 'https://phone.example', icons: [] },
    })
    return new TestPhone(client, rpcUrl)
  }

  /** Opens the URI of a QR code, as scanned by a camera, and answers the proposal. */
  async scan(uri: string, answer: 'approve' | 'decline' | 'ignore' = 'approve'): Promise<void> {
    const proposed = Promise.withResolvers<number>()
    this.client.once('session_proposal', ({ id }) => proposed.resolve(id))
    await this.client.pair({ uri })
    const id = await proposed.promise
    if (answer === 'decline') await this.client.reject({ id, reason: { code: 5000, message: 'User rejected.' } })
    if (answer !== 'approve') return
    const { acknowledged } = await this.client.approve({
      id,
      namespaces: {
        eip155: {
          accounts: [`eip155:${this.chainId}:${this.account.address}`],
          methods: [
            'eth_sendTransaction',
            'personal_sign',
            'eth_signTypedData_v4',
            'wallet_switchEthereumChain',
            'wallet_addEthereumChain',
          ],
          events: ['accountsChanged', 'chainChanged'],
        },
      },
    })
    await acknowledged()
  }

  /** Open sessions of this phone. */
  get sessions(): number {
    return this.client.session.length
  }

  /** The user chooses another network on the phone. */
  async switchTo(chainId: number): Promise<void> {
    for (const { topic } of this.client.session.getAll())
      await this.client.emit({ topic, event: { name: 'chainChanged', data: chainId }, chainId: `eip155:${this.chainId}` })
  }

  async disconnect(): Promise<void> {
    for (const { topic } of this.client.session.getAll())
      await this.client.disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } })
  }

  async stop(): Promise<void> {
    await this.client.core.relayer.transportClose()
    this.client.core.heartbeat.stop()
  }

  private async answer({ method, params }: Request): Promise<Hex | null> {
    this.asked.push(method)
    if (this.declines === method) {
      this.declines = undefined
      throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
    }
    switch (method) {
      case 'personal_sign':
        return this.account.signMessage({ message: { raw: params[0] as Hex } })
      case 'eth_signTypedData_v4':
        return this.account.signTypedData(JSON.parse(params[1] as string) as TypedDataDefinition)
      case 'eth_sendTransaction': {
        const { to, data, value, gas } = params[0] as Record<string, Hex>
        const writer = createWalletClient({ account: this.account, transport: http(this.rpcUrl) })
        return writer.sendTransaction({
          chain: null,
          to,
          data,
          value: value === undefined ? 0n : BigInt(value),
          ...(gas === undefined ? {} : { gas: BigInt(gas) }),
        } as Parameters<typeof writer.sendTransaction>[0])
      }
      case 'wallet_switchEthereumChain':
        if (this.networks.has(networkIn(params))) return null
        throw Object.assign(new Error('Unrecognized chain ID'), { code: 4902 })
      case 'wallet_addEthereumChain':
        this.networks.add(networkIn(params))
        return null
      default:
        throw new Error(`The phone does not know ${method}`)
    }
  }
}

const networkIn = (params: unknown[]) => Number((params[0] as { chainId: Hex }).chainId)
