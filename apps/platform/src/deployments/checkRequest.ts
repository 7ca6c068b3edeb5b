import {
  AppError,
  type DeployText,
  envText,
  isPlainValue,
  isTerminal,
  OrderStatus,
  parseAppText,
  parseDeployText,
  secretsProblem,
  shownStatus,
} from '@rackfair/core'
import type { DeploymentRequest } from '@rackfair/core/wire'
import { keccak256, toBytes } from 'viem'
import type { Database } from '../store/openStore.ts'

const OLDEST_SECONDS = 300
const FUTURE_SECONDS = 60
const MOST_ORDER_ID = 2n ** 63n - 1n

/** Raised with the HTTP status that the refusal answers. */
export function refuse(status: number, code: string, message: string): never {
  throw new AppError(code, message, { facts: { status } })
}

/**
 * The cheap checks of a signed request, so that nonsense never reaches an agent. The agent decides by itself
 * against the chain; nothing here can allow what it refuses.
 */
export async function checkRequest(db: Database, chainId: number, request: DeploymentRequest, now: number): Promise<DeployText> {
  const text = parseDeployText(request.text)
  if (!text || text.orderId > MOST_ORDER_ID) return refuse(400, 'text_malformed', 'the signed text has not the exact form')
  if (text.chainId !== chainId) refuse(400, 'wrong_chain', `the text is for chain ${text.chainId}, this is ${chainId}`)
  if (text.time < now - OLDEST_SECONDS) refuse(400, 'text_too_old', 'the text was signed more than 5 minutes ago')
  if (text.time > now + FUTURE_SECONDS) refuse(400, 'text_in_future', 'the text is dated in the future')
  const env = request.env ?? {}
  const strange = Object.entries(env).find(([, value]) => !isPlainValue(value))
  if (strange) refuse(400, 'env_not_allowed', `${strange[0]} holds a control character or half of one`)
  const needed = Object.keys(env).length > 0 ? keccak256(toBytes(envText(env))) : undefined
  if (text.envHash !== needed) refuse(400, 'env_not_allowed', 'the environment values are not those that were signed')

  if (text.appHash !== undefined || request.app !== undefined) {
    if (request.app === undefined || text.appHash !== keccak256(toBytes(request.app)))
      return refuse(400, 'app_malformed', 'the application is not the one that was signed')
    const spec = parseAppText(request.app)
    if (!spec) return refuse(400, 'app_malformed', 'the specification of the application does not have the exact form')
    const problem = secretsProblem(spec, env)
    if (problem !== undefined) refuse(400, 'env_not_allowed', problem)
  }

  const order = await db.selectFrom('order').selectAll().where('id', '=', text.orderId).executeTakeFirst()
  if (!order) return refuse(404, 'order_not_found', `there is no order ${text.orderId}`)
  if (order.user !== text.wallet) refuse(403, 'order_not_owned', 'the order belongs to another account')
  if (order.provider !== text.provider) refuse(403, 'wrong_provider', 'the order is with another provider')
  const status = shownStatus(order, now)
  if (isTerminal(status)) refuse(409, 'order_not_active', 'the order is closed')
  if (status === OrderStatus.Expired) refuse(409, 'order_expired', 'the order has ended')
  return text
}
