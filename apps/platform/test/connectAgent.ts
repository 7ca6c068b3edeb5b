import { randomBytes } from 'node:crypto'
import { formatAgentChallenge, formatHeartbeat } from '@rackfair/core'
import type { AgentMessage, PlatformMessage } from '@rackfair/core/wire'
import type { LocalAccount } from 'viem'
import { expect, onTestFinished, vi } from 'vitest'
import WebSocket from 'ws'
import type { Market } from './startMarket.ts'

const LONG = { timeout: 30_000, interval: 50 }

interface LineChange {
  /** The platform that the agent says it is configured for, and the one that its proof names. */
  platform?: string
  provedTo?: string
  session?: string
  /** A line whose other end is gone without a word. */
  isGone?: boolean
}

/** The line of an agent of the market's first provider, proved with this key. Ends with the test. */
export async function connectAgent(market: Market, operator: LocalAccount, change: LineChange = {}) {
  const { chain, platform } = market
  const provider = chain.accounts.provider.address
  const socket = new WebSocket(`${platform.url.replace('http', 'ws')}/v1/relay`, { autoPong: !change.isGone })
  const got: PlatformMessage[] = []
  const { session = randomBytes(16).toString('hex') } = change
  onTestFinished(() => socket.terminate())
  const send = (message: AgentMessage) => socket.send(JSON.stringify(message))
  socket.on('message', async (data) => {
    const message = JSON.parse(data.toString()) as PlatformMessage
    got.push(message)
    if (message.type !== 'challenge') return
    const own = change.platform ?? platform.url
    send({ type: 'hello', chainId: 2985, provider, version: 'test', platform: own, session })
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
    /** The code that the line was closed with. */
    closed: new Promise<number>((resolve) => socket.once('close', resolve)),
    send,
    next,
    welcomed: () => next('welcome'),
    async heartbeat(time: number) {
      const signature = await operator.signMessage({ message: formatHeartbeat({ chainId: 2985, provider, time }) })
      send({ type: 'heartbeat', time, signature })
      await new Promise((resolve) => setTimeout(resolve, 100))
    },
  }
}
