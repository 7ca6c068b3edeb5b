import { AppError } from '@rackfair/rules/errors/AppError'
import { MIN_PLEDGE_WEI } from '@rackfair/rules/limits'
import { formatCredit, parseCredit } from '@rackfair/rules/money'
import { readMarket, unpledgeCall, withdrawInterestCall } from '@rackfair/sdk'
import { openChain } from '../chain/read/chainView.ts'
import type { AgentConfig } from '../config/agentConfig.ts'
import type { Output } from './output.ts'
import { summaryOf } from './register.ts'
import { sendAsProvider } from './sendSteps.ts'

/** Takes back part of the pledge, or all that no order locks. */
export async function unpledge(config: AgentConfig, amount: string, output: Output): Promise<void> {
  const chain = await openChain(config)
  const { client, addresses } = chain
  const { pledge: pledged, locked } = await readMarket(client, addresses, 'pledge', 'getPledge', [config.provider])
  const wei = amount === 'all' ? pledged - locked : parseCredit(amount)
  if (wei === undefined || (wei === 0n && amount !== 'all'))
    throw new AppError('bad_request', `${amount} is not an amount of USD, nor all`)
  if (wei > pledged) throw new AppError('InsufficientPledge', `${formatCredit(pledged)} USD are pledged, not ${amount}`)
  if (wei > pledged - locked)
    throw new AppError(
      'InsufficientPledge',
      `${formatCredit(pledged - locked)} USD are free; ${formatCredit(locked)} are locked behind orders until those are closed`,
    )
  const rest = pledged - wei
  if (rest > 0n && rest < MIN_PLEDGE_WEI)
    throw new AppError('PledgeTooLow', `${formatCredit(rest)} USD would be left; leave at least 1, or take back all`)
  const steps =
    wei === 0n
      ? []
      : [
          {
            title: `take back ${formatCredit(wei)} of ${formatCredit(pledged)} Credit pledged`,
            call: unpledgeCall(addresses, wei),
          },
        ]
  const sent = await sendAsProvider(chain, config.rpcUrl, config.provider, steps, output)
  output.result({ ...sent, pledgedWei: sent.done.length > 0 ? rest : pledged, lockedWei: locked }, summaryOf(sent))
}

/** Shows the interest that the pledge has earned, and with `take` pays it out. */
export async function interest(config: AgentConfig, take: boolean, output: Output): Promise<void> {
  const chain = await openChain(config)
  const { client, addresses } = chain
  const wei = await readMarket(client, addresses, 'pledge', 'getInterest', [config.provider])
  const title = `withdraw ${formatCredit(wei)} Credit of interest`
  const steps = take && wei > 0n ? [{ title, call: withdrawInterestCall(addresses) }] : []
  const sent = await sendAsProvider(chain, config.rpcUrl, config.provider, steps, output)
  output.result(
    { interestWei: wei, ...sent },
    take ? summaryOf(sent) : `${formatCredit(wei)} Credit of interest; take it with --withdraw`,
  )
}
