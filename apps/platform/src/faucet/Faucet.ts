import { creditAbi } from '@rackfair/contracts'
import type { FaucetAnswer } from '@rackfair/protocol/account'
import { AppError } from '@rackfair/rules/errors/AppError'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { type Address, createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const CREDIT_WEI = 10_000n * ONE_CREDIT_WEI
const GAS_WEI = ONE_CREDIT_WEI

/** Sends Credit and gas on the development chain, one request at a time so that nonces never collide. */
export class Faucet {
  private readonly settings: { rpcUrl: string; key: `0x${string}`; credit: Address }
  private last: Promise<unknown> = Promise.resolve()

  constructor(settings: { rpcUrl: string; key: `0x${string}`; credit: Address }) {
    this.settings = settings
  }

  give(to: Address): Promise<FaucetAnswer> {
    const given = this.last.catch(() => undefined).then(() => this.send(to))
    this.last = given
    return given
  }

  private async send(to: Address): Promise<FaucetAnswer> {
    const account = privateKeyToAccount(this.settings.key)
    const transport = http(this.settings.rpcUrl, { timeout: 10_000, retryCount: 0 })
    const reader = createPublicClient({ transport, pollingInterval: 100, cacheTime: 0 })
    const writer = createWalletClient({ account, transport })
    const { credit } = this.settings
    try {
      const [held, gas] = await Promise.all([
        reader.readContract({ address: credit, abi: creditAbi, functionName: 'balanceOf', args: [account.address] }),
        reader.getBalance({ address: account.address }),
      ])
      if (held < CREDIT_WEI || gas < GAS_WEI * 2n)
        throw new AppError('faucet_exhausted', 'the faucet is empty', { facts: { status: 503 } })
      const nonce = await reader.getTransactionCount({ address: account.address, blockTag: 'pending' })
      const gasHash = await writer.sendTransaction({ to, value: GAS_WEI, nonce, chain: null })
      const args = [to, CREDIT_WEI] as const
      const creditHash = await writer.writeContract({
        address: credit,
        abi: creditAbi,
        functionName: 'transfer',
        args,
        nonce: nonce + 1,
        chain: null,
      })
      for (const hash of [gasHash, creditHash]) {
        const receipt = await reader.waitForTransactionReceipt({ hash, timeout: 20_000 })
        if (receipt.status !== 'success') throw new Error(`transaction ${hash} was reverted`)
      }
      return { transactionHashes: [gasHash, creditHash], credit: String(CREDIT_WEI), gas: String(GAS_WEI) }
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      throw new AppError('faucet_unavailable', 'the faucet could not send', { cause, retryable: true, facts: { status: 503 } })
    }
  }
}
