import type { DeploymentWire } from '@rackfair/protocol/deployments'
import type { ReadDeployText } from '@rackfair/protocol/deployText'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { AgentCode } from '@rackfair/rules/errors/errorCodes'
import type { AgentDb, UsedRequest } from '../../db/openAgentDb.ts'
import { hashOf, readRequest, requireSigned, type VerifyContext } from './verifyDeploy.ts'

/**
 * The deployment that the wallet has asked for with the same text before, through another platform, or under the same name, however often
 * the request is signed anew: it is told again, and nothing is done, so the order may have ended meanwhile. Undefined where there is none.
 *
 * @throws AppError with an AgentCode, at once or later; `once_taken` if the name stands for something else.
 */
export function findRepeated(raw: unknown, context: VerifyContext): Promise<DeploymentWire> | undefined {
  const { request, text } = readRequest(raw, context)
  const textHash = hashOf(request.text)
  const { state } = context
  if (!namedBy(text, state) && !state.acceptedAs(textHash)) return undefined
  return requireSigned(text, request, context).then(() => repeatedBy(text, textHash, state) as DeploymentWire)
}

/** As `findRepeated`, of a text that is verified. */
export function repeatedBy(text: ReadDeployText, textHash: string, state: AgentDb): DeploymentWire | undefined {
  const before = namedBy(text, state)
  return before ? sameAs(text, before) : state.acceptedAs(textHash)
}

type Named = NonNullable<ReturnType<AgentDb['named']>>

function namedBy(text: ReadDeployText, state: AgentDb): Named | undefined {
  const once = onceOf(text)
  return once && state.named(text.orderId, once.name)
}

function sameAs(text: ReadDeployText, { asked, deployment }: Named): DeploymentWire {
  if (asked !== onceOf(text)?.asked)
    throw new AppError<AgentCode>('once_taken', 'another application was deployed on this order under the same name')
  return deployment
}

/** Under which name a text asks for what. Values do not count: they are salted and sealed anew in every text. */
export function onceOf({ onceHash, wallet, deployId, appHash = '' }: ReadDeployText): UsedRequest['once'] {
  return onceHash === undefined ? undefined : { name: `${wallet} ${onceHash}`, asked: `${deployId} ${appHash}` }
}
