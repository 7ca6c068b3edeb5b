import { randomBytes } from 'node:crypto'
import { formatAgentChallenge } from '@rackfair/protocol/agentTexts'
import type { AgentMessage, AnnouncedMachine, PlatformMessage } from '@rackfair/protocol/relay'
import type { LocalAccount } from 'viem'
import { expect, onTestFinished, vi } from 'vitest'
import WebSocket from 'ws'
import type { Market } from './startMarket.ts'

const LONG = { timeout: 60_000, interval: 50 }

interface ConnectionChange {
  /** Defaults to the market's first provider. */
  provider?: string
  /** The platform that the agent claims to be configured for, and the one named in its proof. */
  platform?: string
  provedTo?: string
  session?: string
  version?: string
  /** The agent's hardware. */
  machine?: AnnouncedMachine
  /** Simulates a connection whose peer has vanished silently. */
  isGone?: boolean
}

/** An agent's connection, authenticated with this key. Closed at the end of the test. */
export async function connectAgent(market: Market, operator: LocalAccount, change: ConnectionChange = {}) {
  const { chain, platform } = market
  const provider = change.provider ?? chain.accounts.provider.address
  // The platform reads a provider's operator from the chain.
  await market.get(`/v1/cp/${provider}?minBlock=${await market.act.client.getBlockNumber()}`)
  const socket = new WebSocket(`${platform.url.replace('http', 'ws')}/v1/relay`, { autoPong: !change.isGone })
  const got: PlatformMessage[] = []
  const { session = randomBytes(16).toString('hex'), machine } = change
  onTestFinished(() => socket.terminate())
  const send = (message: AgentMessage) => socket.send(JSON.stringify(message))
  socket.on('message', async (data, isBinary) => {
    if (isBinary) return
    const message = JSON.parse(data.toString()) as PlatformMessage
    got.push(message)
    if (message.type !== 'challenge') return
    const own = change.platform ?? platform.url
    send({ type: 'hello', chainId: 2985, provider, version: change.version ?? 'test', platform: own, session, machine })
    const provedTo = change.provedTo ?? own
    const text = formatAgentChallenge({ chainId: 2985, provider, platform: provedTo, challenge: message.challenge })
    send({ type: 'prove', operator: operator.address, signature: await operator.signMessage({ message: text }) })
  })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const next = async <Type extends PlatformMessage['type']>(type: Type) => {
    await vi.waitFor(() => expect(got.map((message) => message.type)).toContain(type), LONG)
    return got.find((message) => message.type === type) as Extract<PlatformMessage, { type: Type }>
  }
  return {
    socket,
    got,
    session,
    /** The close code of the connection. */
    closed: new Promise<number>((resolve) => socket.once('close', resolve)),
    send,
    next,
    welcomed: () => next('welcome'),
    heartbeat: () => send({ type: 'heartbeat' }),
  }
}
