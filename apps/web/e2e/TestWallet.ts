import type { Page } from '@playwright/test'
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
import type { BatchCall, SmartAccount } from './deploySmartAccount.ts'

const NAME = 'Nobody Knows This Wallet'
const RDNS = 'test.nobody.knows'
/** What a locked wallet refuses. */
const NEEDS_KEY = new Set(['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction', 'wallet_sendCalls'])

/** A request that waits in the wallet, as one does while a person thinks. */
interface Held {
  method: string
  asked: () => void
  go: Promise<void>
}

/**
 * A wallet that no part of the app knows: it announces itself (EIP-6963) in every tab, has no account before it was approved,
 * and signs with a viem account outside of the page.
 */
export class TestWallet {
  account: LocalAccount = privateKeyToAccount(generatePrivateKey())
  /** A contract that acts for the person; its owner is `account`. */
  smart: SmartAccount | undefined
  readonly name = NAME
  /** What the page asked for, in order. */
  readonly asked: string[] = []
  /** Carries out several calls as one (EIP-5792), as a smart account does. */
  canBatch = false
  /** Methods that this wallet does not know. */
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

  /** Before the first `goto`. A wallet is found by what it says of itself, at `window.ethereum`, or both. */
  async install(where: { announced: boolean; atWindow: boolean } = { announced: true, atWindow: false }): Promise<void> {
    await this.page.context().exposeFunction('testWalletRequest', async (method: string, params: unknown[]) => {
      try {
        return { result: await this.answer(method, params) }
      } catch (error) {
        const { code = -32603, message } = error as { code?: number; message: string }
        return { error: { code, message } }
      }
    })
    await this.page.context().addInitScript(announce, { name: NAME, rdns: RDNS, ...where })
  }

  /** It says what it is only now, as an extension that wakes up late. */
  async announce(): Promise<void> {
    await this.page.evaluate(() => window.dispatchEvent(new Event('test-wallet:announce')))
  }

  /** The address that the page sees. */
  get address(): Hex {
    return this.smart?.address ?? this.account.address
  }

  /** The next request of this method is declined, as a person would. */
  refuseNext(method: string): void {
    this.failNext(method, 'User rejected the request.', 4001)
  }

  /** The next request of this method fails inside the wallet. */
  failNext(method: string, message: string, code = -32603): void {
    this.failures.set(method, { code, message })
  }

  /** The next request of this method waits in the wallet. Resolves when the page has asked, with what lets it go on. */
  hold(method: string): { asked: Promise<void>; release: () => void } {
    const asked = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    this.held.push({ method, asked: asked.resolve, go: go.promise })
    return { asked: asked.promise, release: go.resolve }
  }

  /** The wallet locks itself: it gives no account away and signs nothing. */
  async lock(): Promise<void> {
    this.locked = true
    await this.emit('accountsChanged', [])
  }

  async unlock(): Promise<void> {
    this.locked = false
    await this.emit('accountsChanged', [this.address])
  }

  /** The person switches the network inside the wallet. */
  async switchTo(chainId: number): Promise<void> {
    this.chainId = chainId
    await this.emit('chainChanged', numberToHex(chainId))
  }

  /** The person chooses another account inside the wallet. */
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
        return this.send(params[0] as BatchCall & { from?: Hex })
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

  /** A request names the account that it was made for, which need not be the one that is chosen now. */
  private signerOf(address: Hex | undefined): LocalAccount {
    return this.accounts.find((one) => address !== undefined && isAddressEqual(one.address, address)) ?? this.account
  }

  /** Sends without being asked by the page, as from another device. */
  async send({ from, to, data, value }: BatchCall & { from?: Hex }): Promise<Hex> {
    if (this.smart) return this.smart.execute([{ to, data, value }])
    const client = createWalletClient({ account: this.signerOf(from), transport: http(this.rpcUrl) })
    return client.sendTransaction({
      to,
      chain: null,
      ...(data === undefined ? {} : { data }),
      ...(value === undefined ? {} : { value: hexToBigInt(value) }),
    })
  }

  private async sendBatch(calls: BatchCall[]): Promise<Hex> {
    if (this.smart) return this.smart.execute(calls)
    let last: Hex = '0x'
    for (const call of calls) {
      last = await this.send(call)
      while ((await this.toChain('eth_getTransactionReceipt', [last])) === null)
        await new Promise((done) => setTimeout(done, 100))
    }
    return last
  }

  /** The batch is known by its last transaction. */
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

/** Runs inside the page before its own scripts. */
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
