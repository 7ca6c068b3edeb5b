import { parseApplicationText, valueNames } from '@rackfair/app-spec/services/applicationText'
import type { DeploymentRequest } from '@rackfair/protocol/deploymentRequests'
import { parseDeployText, type ReadDeployText } from '@rackfair/protocol/deployText'
import { AppError } from '@rackfair/rules/errors/AppError'
import { isTerminal, OrderStatus, shownStatus } from '@rackfair/rules/order/status'
import { keccak256, toBytes } from 'viem'
import type { Database } from '../store/openStore.ts'

const OLDEST_SECONDS = 300
const FUTURE_SECONDS = 60
const MAX_ORDER_ID = 2n ** 63n - 1n

/** Throws a refusal with the HTTP status of its answer. */
export function refuse(status: number, code: string, message: string): never {
  throw new AppError(code, message, { facts: { status } })
}

/**
 * The cheap checks of a signed request, so that invalid ones never reach an agent. The agent verifies against the chain by itself; nothing
 * here can allow what it refuses.
 */
export function checkText(chainId: number, request: DeploymentRequest, now: number): ReadDeployText {
  const text = parseDeployText(request.text)
  if (!text || text.orderId > MAX_ORDER_ID) return refuse(400, 'text_malformed', 'the signed text does not have the exact form')
  if (text.chainId !== chainId) refuse(400, 'wrong_chain', `the text is for chain ${text.chainId}, this is ${chainId}`)
  if (text.time < now - OLDEST_SECONDS) refuse(400, 'text_too_old', 'the text was signed more than 5 minutes ago')
  if (text.time > now + FUTURE_SECONDS) refuse(400, 'text_in_future', 'the text is dated in the future')
  if ((text.envHash === undefined) !== (request.sealed === undefined))
    refuse(400, 'env_not_allowed', 'a text with the hash of environment values comes with the values sealed, and no other does')

  if (text.appHash !== undefined || request.app !== undefined) {
    if (request.app === undefined || text.appHash !== keccak256(toBytes(request.app)))
      return refuse(400, 'app_malformed', 'the application is not the one that was signed')
    const spec = parseApplicationText(request.app)
    if (!spec) return refuse(400, 'app_malformed', 'the specification of the application does not have the exact form')
    if (valueNames(spec).length > 0 !== (request.sealed !== undefined))
      refuse(400, 'env_not_allowed', 'the application has secrets and none came, or the other way round')
  }
  return text
}

/** Whether the order of a text can be deployed on now. */
export async function checkOrder(db: Database, text: ReadDeployText, now: number): Promise<void> {
  const order = await db.selectFrom('order').selectAll().where('id', '=', text.orderId).executeTakeFirst()
  if (!order) return refuse(404, 'order_not_found', `there is no order ${text.orderId}`)
  if (order.user !== text.wallet) refuse(403, 'order_not_owned', 'the order belongs to another account')
  if (order.provider !== text.provider) refuse(403, 'wrong_provider', 'the order is with another provider')
  const status = shownStatus(order, now)
  if (isTerminal(status)) refuse(409, 'order_not_active', 'the order is closed')
  if (status === OrderStatus.Expired) refuse(409, 'order_expired', 'the order has ended')
}
