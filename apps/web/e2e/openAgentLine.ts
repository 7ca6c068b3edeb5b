import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatAgentChallenge, formatAnnouncedKeys } from '@rackfair/protocol/agentTexts'
import type { DeploymentReport } from '@rackfair/protocol/deployments'
import type { AnnouncedMachine, PlatformMessage } from '@rackfair/protocol/relay'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { type KeyPairs, makeEncryptionKeys } from '@rackfair/sealed'
import type { RunningMarket } from '@rackfair/testkit'
import type { Address, LocalAccount } from 'viem'

const HEARTBEAT_MS = 20_000
const KEYS_SECONDS = 86_400
const INDEXED_MS = 30_000

export interface AgentLine {
  close: () => void
  /** Key pairs to open what is sealed to it. */
  keys: KeyPairs
  /** Reports a change of an accepted deployment. */
  report: (deployment: DeploymentReport) => void
}

export type DeployMessage = Extract<PlatformMessage, { type: 'deploy' }>

/**
 * The agent's side of the relay, signed by the provider itself: proves its key, announces its sealing key, and runs no containers. `take`
 * answers a deploy request with its first report; if it is missing or returns nothing, the request is refused. `machine` is its hardware.
 */
export async function openAgentLine(
  market: RunningMarket,
  account: LocalAccount,
  take: (request: DeployMessage) => DeploymentReport | undefined = () => undefined,
  machine?: AnnouncedMachine,
): Promise<AgentLine> {
  const provider = account.address
  const chainId = DEVELOPMENT_CHAIN_ID
  const keys = await makeEncryptionKeys()
  await isIndexed(market, provider)
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${market.url.replace('http', 'ws')}/v1/relay`)
    const say = (message: object) => socket.send(JSON.stringify(message))
    socket.onerror = () => reject(new Error('the relay did not answer'))
    socket.onmessage = async ({ data }) => {
      const message = JSON.parse(String(data)) as PlatformMessage
      if (message.type === 'challenge') {
        const platform = new URL(market.url).origin
        const text = formatAgentChallenge({ chainId, provider, platform, challenge: message.challenge })
        const signature = await account.signMessage({ message: text })
        const session = randomBytes(16).toString('hex')
        say({ type: 'hello', chainId, provider, version: 'test', platform, session, machine })
        say({ type: 'prove', operator: provider, signature })
      }
      if (message.type === 'deploy') {
        const refusal = { status: 503, code: 'image_missing', message: 'This provider runs no containers' }
        const deployment = take(message)
        say({ type: 'answer', requestId: message.requestId, ...(deployment ? { status: 202, deployment } : refusal) })
      }
      if (message.type === 'refused') reject(new Error(message.message))
      if (message.type === 'welcome') {
        const timer = setInterval(() => say({ type: 'heartbeat' }), HEARTBEAT_MS)
        socket.onclose = () => clearInterval(timer)
        const expiresAt = Math.floor(Date.now() / 1000) + KEYS_SECONDS
        const text = formatAnnouncedKeys({ chainId, provider, ...keys.publicKeys, expiresAt })
        say({ type: 'keys', text, signature: await account.signMessage({ message: text }) })
        resolve({ keys, close: () => socket.close(), report: (deployment) => say({ type: 'status', deployment }) })
      }
    }
  })
}

/** The relay refuses an agent whose provider's registration the platform has not read yet. */
async function isIndexed(market: RunningMarket, provider: Address): Promise<void> {
  const until = Date.now() + INDEXED_MS
  while (!(await fetch(`${market.url}/v1/cp/${provider}`)).ok) {
    if (Date.now() > until) throw new Error('the registration of the provider was not indexed')
    await sleep(100)
  }
}
