import type { Page } from '@playwright/test'
import { formatSignInText } from '@rackfair/protocol/signInText'
import { createApi, serverSeconds, withGasMargin } from '@rackfair/sdk'
import {
  createWalletClient,
  type Hex,
  hexToBigInt,
  http,
  isAddressEqual,
  type LocalAccount,
  numberToHex,
  type TypedDataDefinition,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { estimateGas } from 'viem/actions'
import type { BatchCall, SmartAccount } from './deploySmartAccount.ts'

const NAME = 'Nobody Knows This Wallet'
const RDNS = 'test.nobody.knows'
/** Methods that a locked wallet refuses. */
const NEEDS_KEY = new Set(['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction', 'wallet_sendCalls'])

/** What a page may choose for its transaction; the wallet chooses the rest. */
interface Chosen {
  from?: Hex
  gas?: Hex
}

/** A request pending in the wallet until the user decides. */
interface Held {
  method: string
  asked: () => void
  go: Promise<void>
}

/**
 * A wallet unknown to the app: it announces itself (EIP-6963) in every tab, has no account before it is approved, and signs with a viem
 * account outside the page.
 */
export class TestWallet {
  account: LocalAccount = privateKeyToAccount(generatePrivateKey())
  /** A smart account that acts for the user; its owner is `account`. */
  smart: SmartAccount | undefined
  readonly name = NAME
  /** Requests of the page, in order. */
  readonly asked: string[] = []
  /** Executes several calls as one (EIP-5792), like a smart account. */
  canBatch = false
  /** What this wallet answers instead of what is right; what it throws, it throws as it is. */
  readonly odd = new Map<string, (params: unknown[]) => unknown>()
  /** Methods that this wallet does not support. */
  readonly unknown = new Set<string>()
  private readonly page: Page
  private readonly rpcUrl: string
  private chainId: number
  private approved = false
  private locked = false
  private readonly accounts: LocalAccount[] = [this.account]
  private readonly failures = new Map<string, { code: number; message: string }>()
  private readonly held: Held[] = []

  constructor(page: Page, rpcUrl: string, chainId = 2985) {
    this.page = page
    this.rpcUrl = rpcUrl
    this.chainId = chainId
  }

  /** Call before the first `goto`. The wallet is found by its announcement, at `window.ethereum`, or both. */
  async install(where: { announced: boolean; atWindow: boolean } = { announced: true, atWindow: false }): Promise<void> {
    await this.page.context().exposeFunction('testWalletRequest', async (method: string, params: unknown[]) => {
      try {
        return { result: await this.answer(method, params) }
      } catch (error) {
        const { code = -32603, message, ...more } = error as { code?: number; message: string }
        return { error: { ...more, code, message } }
      }
    })
    await this.page.context().addInitScript(announce, { name: NAME, rdns: RDNS, ...where })
  }

  /** As on a later visit, the pages of `url` open signed in with it. Call after `install` and before the first `goto`. */
  async returns(url: string): Promise<void> {
    const { origin, host } = new URL(url)
    let token: string | undefined
    const session = {
      get: () => token,
      set: (next: string | undefined) => {
        token = next
      },
    }
    const api = createApi({ baseUrl: origin, session })
    const { nonce } = await api.nonce()
    const text = { address: this.address, chainId: this.chainId, nonce, issuedAt: serverSeconds(), domain: host, uri: origin }
    const message = formatSignInText(text)
    await api.verify({ message, signature: await this.account.signMessage({ message }) })
    this.approved = true
    await this.page.addInitScript(remember, { origin, token: token ?? '', id: RDNS })
  }

  /** Announces itself only now, like an extension that wakes up late. */
  async announce(): Promise<void> {
    await this.page.evaluate(() => window.dispatchEvent(new Event('test-wallet:announce')))
  }

  /** The address that the page sees. */
  get address(): Hex {
    return this.smart?.address ?? this.account.address
  }

  /** The user rejects the next request of this method. */
  refuseNext(method: string): void {
    this.failNext(method, 'User rejected the request.', 4001)
  }

  /** The next request of this method fails inside the wallet. */
  failNext(method: string, message: string, code = -32603): void {
    this.failures.set(method, { code, message })
  }

  /** Holds the next request of this method. Resolves once the page has sent it, with a function that lets it proceed. */
  hold(method: string): { asked: Promise<void>; release: () => void } {
    const asked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    this.held.push({ method, asked: asked.resolve, go: go.promise })
    return { asked: asked.promise, release: go.resolve }
  }

  /** Locks the wallet: it reveals no account and signs nothing. */
  async lock(): Promise<void> {
    this.locked = true
    await this.emit('accountsChanged', [])
  }

  async unlock(): Promise<void> {
    this.locked = false
    await this.emit('accountsChanged', [this.address])
  }

  /** The user switches the network in the wallet. */
  async switchTo(chainId: number): Promise<void> {
    this.chainId = chainId
    await this.emit('chainChanged', numberToHex(chainId))
  }

  /** The user chooses another account in the wallet. */
  async switchAccount(to: LocalAccount = privateKeyToAccount(generatePrivateKey())): Promise<void> {
    this.account = to
    if (!this.accounts.includes(to)) this.accounts.push(to)
    await this.emit('accountsChanged', [to.address])
  }

  private async emit(event: string, value: unknown): Promise<void> {
    for (const page of this.page.context().pages())
      await page.evaluate(([name, data]) => window.dispatchEvent(new CustomEvent(`test-wallet:${name}`, { detail: data })), [
        event,
        value,
      ] as const)
  }

  private async answer(method: string, params: unknown[]): Promise<unknown> {
    this.asked.push(method)
    const waiting = this.held.findIndex((one) => one.method === method)
    const held = this.held.splice(waiting, waiting < 0 ? 0 : 1)[0]
    held?.asked()
    await held?.go
    if (this.locked && NEEDS_KEY.has(method)) throw Object.assign(new Error('The wallet is locked'), { code: 4100 })
    const failure = this.failures.get(method)
    this.failures.delete(method)
    if (failure) throw Object.assign(new Error(failure.message), { code: failure.code })
    if (this.unknown.has(method)) throw Object.assign(new Error(`${method} is not supported`), { code: 4200 })
    const odd = this.odd.get(method)
    if (odd) return odd(params)
    switch (method) {
      case 'eth_accounts':
        return this.approved && !this.locked ? [this.address] : []
      case 'eth_requestAccounts':
        this.approved = true
        return [this.address]
      case 'eth_chainId':
        return numberToHex(this.chainId)
      case 'wallet_switchEthereumChain':
        await this.switchTo(Number((params[0] as { chainId: string }).chainId))
        return null
      case 'personal_sign':
        return this.signerOf(params[1] as Hex).signMessage({ message: { raw: params[0] as Hex } })
      case 'eth_signTypedData_v4':
        return this.signerOf(params[0] as Hex).signTypedData(JSON.parse(params[1] as string) as TypedDataDefinition)
      case 'eth_sendTransaction':
        return this.send(params[0] as BatchCall & Chosen)
      case 'wallet_getCapabilities':
        if (!this.canBatch) throw Object.assign(new Error(`${method} is not supported`), { code: 4200 })
        return { [numberToHex(this.chainId)]: { atomic: { status: 'supported' } } }
      case 'wallet_sendCalls':
        return { id: await this.sendBatch((params[0] as { calls: BatchCall[] }).calls) }
      case 'wallet_getCallsStatus':
        return this.batchStatus(params[0] as string)
      case 'wallet_requestPermissions':
      case 'wallet_revokePermissions':
        throw Object.assign(new Error(`${method} is not supported`), { code: 4200 })
      default:
        return this.toChain(method, params)
    }
  }

  /** A request names its account, which need not be the selected one. */
  private signerOf(address: Hex | undefined): LocalAccount {
    return this.accounts.find((one) => address !== undefined && isAddressEqual(one.address, address)) ?? this.account
  }

  /** Sends without a request of the page, as from another device. */
  async send({ from, to, data, value, gas }: BatchCall & Chosen): Promise<Hex> {
    if (this.smart) return this.smart.execute([{ to, data, value }])
    const client = createWalletClient({ account: this.signerOf(from), transport: http(this.rpcUrl) })
    const call = { to, data: data ?? '0x', value: value === undefined ? 0n : hexToBigInt(value) } as const
    const limit = gas === undefined ? withGasMargin(await estimateGas(client, call)) : hexToBigInt(gas)
    return client.sendTransaction({ ...call, gas: limit, chain: null })
  }

  async sendBatch(calls: BatchCall[]): Promise<Hex> {
    if (this.smart) return this.smart.execute(calls)
    let last: Hex = '0x'
    for (const call of calls) {
      last = await this.send(call)
      while ((await this.toChain('eth_getTransactionReceipt', [last])) === null)
        await new Promise((done) => setTimeout(done, 100))
    }
    return last
  }

  /** The batch is identified by its last transaction. */
  private async batchStatus(id: string): Promise<unknown> {
    const receipt = await this.toChain('eth_getTransactionReceipt', [id])
    const chainId = numberToHex(this.chainId)
    if (receipt === null) return { version: '2.0.0', id, chainId, status: 100, atomic: true }
    return { version: '2.0.0', id, chainId, status: 200, atomic: true, receipts: [receipt] }
  }

  private async toChain(method: string, params: unknown[]): Promise<unknown> {
    const response = await fetch(this.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result?: unknown; error?: { code: number; message: string } }
    if (error) throw Object.assign(new Error(error.message), { code: error.code })
    return result
  }
}

/** Runs in the page before its own scripts, once for each tab: what the app keeps of a wallet that signed in. */
function remember({ origin, token, id }: { origin: string; token: string; id: string }): void {
  if (location.origin !== origin || sessionStorage.getItem('test-wallet')) return
  sessionStorage.setItem('test-wallet', 'returned')
  localStorage.setItem('rackfair.session', token)
  localStorage.setItem('rackfair.wallet', id)
}

/** Runs in the page before its own scripts. */
function announce(wallet: { name: string; rdns: string; announced: boolean; atWindow: boolean }): void {
  const { name, rdns, announced, atWindow } = wallet
  type Answer = { result?: unknown; error?: { code: number; message: string } }
  const ask = (window as unknown as { testWalletRequest: (method: string, params: unknown) => Promise<Answer> }).testWalletRequest
  const listeners = new Map<string, Set<(data: unknown) => void>>()
  const provider = {
    request: async ({ method, params = [] }: { method: string; params?: unknown }) => {
      const { result, error } = await ask(method, params)
      if (error) throw Object.assign(new Error(error.message), { code: error.code })
      return result
    },
    on: (event: string, listener: (data: unknown) => void) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    removeListener: (event: string, listener: (data: unknown) => void) => void listeners.get(event)?.delete(listener),
  }
  for (const event of ['chainChanged', 'accountsChanged', 'disconnect'])
    window.addEventListener(`test-wallet:${event}`, (message) => {
      for (const listener of listeners.get(event) ?? []) listener((message as CustomEvent).detail)
    })
  const info = {
    uuid: '00000000-0000-4000-8000-000000000000',
    name,
    rdns,
    icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="teal"/></svg>',
  }
  const tell = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  if (atWindow) Object.assign(window, { ethereum: provider })
  window.addEventListener('test-wallet:announce', tell)
  if (!announced) return
  window.addEventListener('eip6963:requestProvider', tell)
  tell()
}
