import { lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { formatCredit } from '@rackfair/rules/money'
import { sendCall, toAppError, waitForReceipt } from '@rackfair/sdk'
import { createWalletClient, encodeFunctionData, type Hex, http } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ChainView } from '../chain/read/chainView.ts'
import { parsePrivateKey } from '../config/operatorKey.ts'
import { explainError } from './explainError.ts'
import type { Output } from './output.ts'
import type { PlannedStep } from './providerPlan.ts'

const KEY = 'RACKFAIR_PROVIDER_KEY'

export interface SentSteps {
  done: { title: string; hash: string }[]
  /** What the provider's wallet on another machine still has to send. */
  open: { title: string; to: `0x${string}`; data: Hex; valueWei?: string; gas?: string; costWei?: string }[]
}

/** The provider's own account, if its key is in the environment. Throws if that key belongs to another account. */
export function providerAccount(provider?: string): PrivateKeyAccount | undefined {
  const key = process.env[KEY]
  if (!key) return undefined
  const account = parsePrivateKey(key, KEY)
  if (provider !== undefined && lowerCaseAddress(account.address) !== lowerCaseAddress(provider))
    throw new AppError(
      'bad_request',
      `${KEY} is the key of ${account.address}, but the provider of this configuration is ${provider}`,
    )
  return account
}

/** Sends the steps from the provider's account, or prints what its wallet has to send if the key is not on this machine. */
export async function sendAsProvider(
  chain: ChainView,
  rpcUrl: string,
  provider: `0x${string}`,
  steps: readonly PlannedStep[],
  output: Output,
): Promise<SentSteps> {
  const account = providerAccount(provider)
  if (account) return { done: await sendSteps(chain, rpcUrl, account, steps, output), open: [] }
  const open = await describeSteps(chain, provider, steps)
  for (const step of open)
    output.say(
      `to send from ${provider}: ${step.title}${costOf(step)}\n  to ${step.to}\n  ${step.valueWei ? `value ${step.valueWei} wei` : `data ${step.data}`}`,
    )
  return { done: [], open }
}

/** Sends the steps one after another, each mined before the next. A rerun after an error does not resend completed steps. */
export async function sendSteps(
  chain: ChainView,
  rpcUrl: string,
  account: PrivateKeyAccount,
  steps: readonly PlannedStep[],
  output: Output,
): Promise<SentSteps['done']> {
  const done: SentSteps['done'] = []
  if (steps.length === 0) return done
  if ((await chain.client.getBalance({ address: account.address })) === 0n)
    throw new AppError(
      'insufficient_gas',
      `${account.address} has nothing to pay for transactions with; send it a little of the chain's own currency, then run this again`,
    )
  for (const step of await describeSteps(chain, account.address, steps)) output.say(`to send: ${step.title}${costOf(step)}`)
  if (
    !(await output.confirm(
      `Send ${steps.length} ${steps.length === 1 ? 'transaction' : 'transactions'} from ${account.address}?`,
    ))
  )
    throw new AppError('user_rejected', 'nothing was sent')
  const writer = createWalletClient({ account, transport: http(rpcUrl) })
  for (const { title, call } of steps) {
    let hash: Hex | undefined
    try {
      hash =
        'to' in call
          ? await writer.sendTransaction({ to: call.to, value: call.valueWei, chain: null })
          : await sendCall(chain.client, writer, call, account)
      await waitForReceipt(chain.client, hash)
      done.push({ title, hash })
      output.say(`${title} (${hash})`)
    } catch (cause) {
      const error = toAppError(cause)
      const before = `${done.length} of ${steps.length} are in; run this again to continue`
      const rest = hash ? `it was sent as ${hash}; ${before}` : done.length === 0 ? 'nothing was sent' : before
      throw new AppError(error.code, `${title}: ${explainError(error)}; ${rest}`, { cause: error, retryable: error.retryable })
    }
  }
  return done
}

/**
 * For a wallet on another machine: what to send, and its approximate gas cost. A step that depends on an earlier one has no estimate yet.
 */
async function describeSteps(chain: ChainView, from: `0x${string}`, steps: readonly PlannedStep[]): Promise<SentSteps['open']> {
  const gasPrice = await chain.client.getGasPrice().catch(() => 0n)
  return Promise.all(
    steps.map(async ({ title, call }) => {
      const sent =
        'to' in call
          ? { to: call.to, data: '0x' as Hex, value: call.valueWei }
          : { to: call.address, data: encodeFunctionData(call as never), value: 0n }
      const gas = await chain.client.estimateGas({ account: from, ...sent }).catch(() => undefined)
      const { to, data, value } = sent
      const paid = value > 0n ? { valueWei: String(value) } : {}
      const cost = gas === undefined ? {} : { gas: String(gas), costWei: String(gas * gasPrice) }
      return { title, to, data, ...paid, ...cost }
    }),
  )
}

const costOf = ({ costWei }: { costWei?: string }): string =>
  costWei === undefined ? '' : `, about ${formatCredit(BigInt(costWei), { max: 6 })} of the chain's own currency`
