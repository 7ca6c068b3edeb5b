import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AnnouncedKeys, formatAgentChallenge, parseAnnouncedKeys } from '@rackfair/protocol/agentTexts'
import type { DeploymentWire } from '@rackfair/protocol/deployments'
import { type AgentMessage, agentMessage } from '@rackfair/protocol/relay'
import { verifyMessage } from 'viem'
import { WebSocket, WebSocketServer } from 'ws'

type Answer = Extract<AgentMessage, { type: 'answer' }>
type DeployRequest = { text: string; signature: string; sealed?: string; app?: string }

const LONG_MS = 120_000
/** As often as an agent takes requests of one order. */
const ASK_AGAIN_MS = 3000

/** The platform's answer for a market without a machine; the price list alone decides then. */
const NO_PRICES = JSON.stringify({ models: [], block: 0 })

/** The other end of the relay: makes the agent prove itself, sends it requests, records what it reports. */
export async function startRelayPeer() {
  const http = createServer((request, response) => {
    if (request.url === '/v1/prices') response.end(NO_PRICES)
    else response.writeHead(404).end()
  })
  const server = new WebSocketServer({ server: http, path: '/v1/relay' })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const waiting = new Map<string, (answer: Answer) => void>()
  const statuses: DeploymentWire[] = []
  let heartbeats = 0
  let keys: AnnouncedKeys | undefined
  const watchers = new Set<() => void>()
  let agent: WebSocket | undefined
  let requests = 0

  server.on('connection', (socket) => {
    const challenge = randomBytes(16).toString('hex')
    let hello: Extract<AgentMessage, { type: 'hello' }> | undefined
    socket.on('message', async (data) => {
      const message = agentMessage.parse(JSON.parse(String(data)))
      if (message.type === 'hello') {
        hello = message
        socket.send(JSON.stringify({ type: 'challenge', challenge }))
      } else if (message.type === 'prove' && hello) {
        const text = formatAgentChallenge({ ...hello, challenge })
        const ok = await verifyMessage({
          address: message.operator as `0x${string}`,
          message: text,
          signature: message.signature as `0x${string}`,
        })
        if (!ok) return socket.close()
        agent = socket
        socket.send(JSON.stringify({ type: 'welcome', heartbeatSeconds: 1, origins: [] }))
      } else if (message.type === 'heartbeat') heartbeats += 1
      else if (message.type === 'keys') keys = parseAnnouncedKeys(message.text)
      else if (message.type === 'status') statuses.push(message.deployment)
      else if (message.type === 'answer') waiting.get(message.requestId)?.(message)
      for (const watcher of watchers) watcher()
    })
  })

  /** Waits for a condition, checked at every message and every 50 ms. */
  const until = async <T>(what: string, read: () => T | undefined | false, timeoutMs = LONG_MS): Promise<T> => {
    const deadline = Date.now() + timeoutMs
    for (;;) {
      const found = read()
      if (found) return found
      if (Date.now() > deadline) throw new Error(`never happened: ${what}; last status ${JSON.stringify(statuses.at(-1))}`)
      await new Promise<void>((resolve) => {
        const done = () => {
          watchers.delete(done)
          clearTimeout(timer)
          resolve()
        }
        const timer = setTimeout(done, 50)
        watchers.add(done)
      })
    }
  }

  const ask = async (request: DeployRequest): Promise<Answer> => {
    requests += 1
    const requestId = String(requests)
    const answer = new Promise<Answer>((resolve) => waiting.set(requestId, resolve))
    agent?.send(JSON.stringify({ type: 'deploy', requestId, ...request }))
    return answer
  }

  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    statuses,
    heartbeats: () => heartbeats,
    until,
    /** The agent's announced sealing key. */
    keys: () => until('the agent announces its keys', () => keys),
    connected: () => until('an agent connects', () => agent?.readyState === WebSocket.OPEN),
    ask,
    /** Asks again, as the refusal says, while the agent's chain takes longer to answer than the agent waits for it. */
    async deploy(request: DeployRequest): Promise<Answer> {
      const deadline = Date.now() + LONG_MS
      for (;;) {
        const answer = await ask(request)
        if (answer.code !== 'chain_unreachable' || Date.now() > deadline) return answer
        await sleep(ASK_AGAIN_MS)
      }
    },
    phase: (deploymentId: string, phase: string, timeoutMs?: number) =>
      until(
        `${deploymentId} is ${phase}`,
        () => statuses.find((one) => one.id === deploymentId && one.steps.some((step) => step.phase === phase)),
        timeoutMs,
      ),
    async close() {
      for (const client of server.clients) client.terminate()
      server.close()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}
