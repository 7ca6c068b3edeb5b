import { deploymentIdOf } from '@rackfair/protocol/deploymentIdOf'
import type { DeploymentRequest } from '@rackfair/protocol/deploymentRequests'
import type { DeploymentWire } from '@rackfair/protocol/deployments'
import type { ReadDeployText } from '@rackfair/protocol/deployText'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { isSignedBy } from '@rackfair/sdk'
import { keccak256, type PublicClient, toBytes } from 'viem'
import { checkOrder, checkText, refuse } from '../deployments/checkRequest.ts'
import type { DeploymentStore, Named, Once } from '../deployments/DeploymentStore.ts'
import type { Database } from '../store/openStore.ts'
import type { Relay } from './Relay.ts'

/** How long a request waits for an offline agent; the agent refuses texts older than 300 s. */
const MAILBOX_SECONDS = 290
const ANSWER_MS = 10_000

export interface DispatchParts {
  db: Database
  chainId: number
  client: PublicClient
  deployments: DeploymentStore
  relay: Relay
  clock: () => number
  /** Notifies the other processes that a request is queued for this provider. */
  callOthers: (provider: LowerCaseAddress) => Promise<void>
  onNews: () => void
}

/**
 * Handles a signed request: checks it, stores it, sends it to the agent and returns the agent's answer. If the agent is offline, the answer
 * is the deployment as Queued, and it is sent when the agent is back.
 */
export async function dispatchDeployment(
  parts: DispatchParts,
  request: DeploymentRequest,
  only?: 'deploy' | 'clean',
): Promise<DeploymentWire> {
  const now = Math.floor(parts.clock() / 1000)
  const text = checkText(parts.chainId, request, now)
  if (only === 'clean' && text.deployId !== 0) refuse(400, 'bad_request', 'this call only cleans: deploy must be 0')
  if (only === 'deploy' && text.deployId === 0) refuse(400, 'bad_request', 'this call only deploys: deploy must not be 0')
  const once = onceOf(text)
  const before = once && (await parts.deployments.named(once.name))
  if (!before) await checkOrder(parts.db, text, now)
  if (!(await isSignedBy(parts.client, text.wallet, request.text, request.signature))) {
    refuse(403, 'wrong_signer', 'the text is not signed by its wallet')
  }
  if (before) return sameAs(once, before)
  const textHash = keccak256(toBytes(request.text))
  const { deployment, asked, existed } = await parts.deployments.create({
    id: deploymentIdOf(textHash),
    orderId: text.orderId,
    deployId: text.deployId,
    user: text.wallet,
    provider: text.provider,
    textHash,
    once,
    request,
    expires: (text.time + MAILBOX_SECONDS) * 1000,
  })
  parts.onNews()
  if (existed) return sameAs(once, { asked, deployment })
  const answered = parts.relay.send(text.provider, deployment.id, request, ANSWER_MS)
  if (!answered) {
    await parts.callOthers(text.provider)
    return deployment
  }
  const answer = await answered
  if (answer) await parts.relay.settle(deployment.id, answer)
  const current = (await parts.deployments.get(deployment.id)) ?? deployment
  if (answer && answer.status >= 400 && current.phase === 'Failed') {
    const status = answer.status < 500 ? answer.status : 503
    throw new AppError(answer.code ?? 'internal', answer.message ?? 'the agent refused the request', { facts: { status } })
  }
  return current
}

/** Under which name a text asks for what. Values do not count: they are salted and sealed anew in every text. */
function onceOf({ onceHash, orderId, wallet, deployId, appHash = '' }: ReadDeployText): Once | undefined {
  return onceHash === undefined ? undefined : { name: `${orderId} ${wallet} ${onceHash}`, asked: `${deployId} ${appHash}` }
}

/** A program that did not hear the answer signs its request anew, under the same name. */
function sameAs(once: Once | undefined, { asked, deployment }: Named): DeploymentWire {
  // The same text has nothing else to ask for, where only its agent told of it.
  if (once && asked !== null && asked !== once.asked)
    refuse(409, 'once_taken', 'another application was deployed on this order under the same name')
  return deployment
}
