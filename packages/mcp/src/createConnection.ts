import { AppError } from '@rackfair/rules/errors/AppError'
import type { Market, ReadOptions, Renter } from '@rackfair/sdk'
import type { Sandbox } from '@rackfair/sdk/sandbox'
import type { Address, Hex } from 'viem'

type Sdk = typeof import('./sdk.ts')

/** The market, the key, and the sandboxes in use by one client. */
export interface Connection {
  sdk(): Promise<Sdk>
  market(): Promise<Market>
  /** @throws AppError `not_connected` without a key of a purse */
  renter(): Promise<Renter & { purse: Address }>
  /** @throws AppError `order_not_active`, `not_found` */
  sandbox(orderId: bigint): Promise<Sandbox>
  opened(sandbox: Sandbox): void
  /** It has ended, with the transaction of this block. */
  ended(orderId: bigint, block: bigint): void
  /** For answers that include the end of what has ended. */
  since(): ReadOptions
  close(): void
}

const DEFAULT_PLATFORM = 'http://127.0.0.1:3000'

/** Connects with the first question, so that a market that is away fails a question and not the server. */
export function createConnection(env: NodeJS.ProcessEnv): Connection {
  let market: Promise<Market> | undefined
  let last: bigint | undefined
  const sandboxes = new Map<bigint, Promise<Sandbox>>()
  const connect = () => {
    const connecting = connection.sdk().then(({ connectMarket }) =>
      connectMarket({
        platform: env.RACKFAIR_PLATFORM?.trim() || DEFAULT_PLATFORM,
        rpcUrl: env.RACKFAIR_RPC?.trim() || undefined,
        access: (env.RACKFAIR_ACCESS?.trim() || undefined) as Address | undefined,
      }),
    )
    connecting.catch(() => {
      market = undefined
    })
    return connecting
  }
  const open = async (orderId: bigint) => (await connection.sdk()).Sandbox.connect(await connection.renter(), orderId)
  const connection: Connection = {
    sdk: () => import('./sdk.ts'),
    market() {
      market ??= connect()
      return market
    },
    async renter() {
      const sdk = await connection.sdk()
      const { withPurse, withAccount, privateKeyToAccount } = sdk
      const { key, purse } = credentialsOf(env, sdk)
      return { ...withPurse(withAccount(await connection.market(), privateKeyToAccount(key)), purse), purse }
    },
    sandbox(orderId) {
      const opening = sandboxes.get(orderId) ?? open(orderId)
      sandboxes.set(orderId, opening)
      opening.catch(() => sandboxes.delete(orderId))
      return opening
    },
    opened: (sandbox) => void sandboxes.set(sandbox.orderId, Promise.resolve(sandbox)),
    ended(orderId, block) {
      sandboxes.delete(orderId)
      last = block
    },
    since: () => (last === undefined ? {} : { minBlock: last }),
    close() {
      for (const opening of sandboxes.values()) opening.then((sandbox) => sandbox.close()).catch(() => undefined)
      sandboxes.clear()
    },
  }
  return connection
}

/** A wallet's own key is refused: a model may spend what a purse grants, and nothing else. */
function credentialsOf(env: NodeJS.ProcessEnv, { isHex, isAddress }: Sdk): { key: Hex; purse: Address } {
  const [key, purse] = [env.RACKFAIR_KEY?.trim(), env.RACKFAIR_PURSE?.trim()]
  if (!isHex(key) || key.length !== 66 || purse === undefined || !isAddress(purse))
    throw new AppError('not_connected', 'there is no key of a purse')
  return { key, purse }
}
