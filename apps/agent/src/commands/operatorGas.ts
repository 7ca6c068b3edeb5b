import { formatCredit } from '@rackfair/rules/money'
import type { Address } from 'viem'
import type { ChainView } from '../chain/read/chainView.ts'

const ORDERS = 400n
/** Gas to activate an order, name its application, and mark it deployed and cleaned. */
const GAS_OF_ORDER = 250_000n
const LEAST_WEI = 5n * 10n ** 15n
/** At most a tenth of the provider's balance goes to the hot key. */
const SHARE = 10n

/** The hot key pays for its own transactions: returns a payment if it has less than half of what some hundreds of orders cost today. */
export async function operatorGas({ client }: ChainView, provider: Address, operator: Address) {
  const [price, owned, there] = await Promise.all([
    client.getGasPrice(),
    client.getBalance({ address: provider }),
    client.getBalance({ address: operator }),
  ])
  const needed = price * GAS_OF_ORDER * ORDERS
  const wished = needed < LEAST_WEI ? LEAST_WEI : needed
  const target = wished < owned / SHARE ? wished : owned / SHARE
  if (there * 2n >= target) return []
  const valueWei = target - there
  const amount = formatCredit(valueWei, { max: 6 })
  return [{ title: `give the operator ${amount} of the chain's own currency for gas`, call: { to: operator, valueWei } }]
}
