import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatAgentChallenge } from '@rackfair/protocol/agentTexts'
import type { PlatformMessage } from '@rackfair/protocol/relay'
import type { LocalAccount } from 'viem'

const AT_ONCE = 16
/** Well before the platform considers an agent offline. */
const BEAT_MS = 20_000
const MAX_ATTEMPTS = 10

/**
 * Opens and authenticates the connections of this many agents, one for each of the providers, sending heartbeats while the others connect.
 */
export async function openAgents(url: string, providers: readonly string[], operator: LocalAccount): Promise<WebSocket[]> {
  const agents: WebSocket[] = []
  const waiting = [...providers]
  const lane = async () => {
    for (let provider = waiting.pop(); provider !== undefined; provider = waiting.pop())
      agents.push(await untilOpen(url, provider, operator))
  }
  const beats = setInterval(() => {
    for (const agent of agents) agent.send('{"type":"heartbeat"}')
  }, BEAT_MS)
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  clearInterval(beats)
  return agents
}

/** A busy machine lets proofs come too late, and then, like a provider's agent, this one comes again. */
async function untilOpen(url: string, provider: string, operator: LocalAccount): Promise<WebSocket> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openAgent(url, provider, operator)
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS) throw error
      await sleep(1_000)
    }
  }
}

function openAgent(url: string, provider: string, operator: LocalAccount): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/relay`)
    const hello = { chainId: 2985, provider, version: 'bench', platform: url, session: randomBytes(16).toString('hex') }
    const send = (message: object) => socket.send(JSON.stringify(message))
    socket.onerror = () => reject(new Error('the relay did not answer'))
    socket.onclose = ({ code }) => reject(new Error(`the relay closed the connection with ${code}`))
    socket.onmessage = async ({ data }) => {
      const message = JSON.parse(String(data)) as PlatformMessage
      if (message.type === 'refused') reject(new Error(message.message))
      if (message.type === 'welcome') resolve(socket)
      if (message.type !== 'challenge') return
      send({ type: 'hello', ...hello })
      const text = formatAgentChallenge({ ...hello, challenge: message.challenge })
      send({ type: 'prove', operator: operator.address, signature: await operator.signMessage({ message: text }) })
    }
  })
}
