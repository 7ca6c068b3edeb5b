import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

interface Call {
  id: number | string
  method?: string
  params: Record<string, unknown>
}

/**
 * A WalletConnect relay for both ends of a session: forwards sealed messages by topic and keeps them for later subscribers. It cannot read
 * them.
 */
export class TestRelay {
  /** Number of connections opened so far. */
  visitors = 0
  /** While true, connections stay open but get no answers. */
  silent = false
  private readonly server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  private readonly subscribers = new Map<string, Set<WebSocket>>()
  private readonly kept = new Map<string, { message: string; tag: unknown; publishedAt: number }[]>()
  private nextId = 1

  static async start(): Promise<TestRelay> {
    const relay = new TestRelay()
    await once(relay.server, 'listening')
    relay.server.on('connection', (socket) => {
      relay.visitors += 1
      socket.on('message', (data) => relay.read(socket, JSON.parse(data.toString()) as Call))
      socket.on('close', () => {
        for (const sockets of relay.subscribers.values()) sockets.delete(socket)
      })
    })
    return relay
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    for (const socket of this.server.clients) socket.terminate()
    await new Promise((done) => this.server.close(done))
  }

  private read(socket: WebSocket, call: Call): void {
    if (this.silent || call.method === undefined) return
    socket.send(JSON.stringify({ id: call.id, jsonrpc: '2.0', result: this.answer(socket, call.method, call.params) }))
  }

  private answer(socket: WebSocket, method: string, params: Record<string, unknown>): unknown {
    const text = (name: string) => String(params[name])
    switch (method) {
      case 'irn_publish':
        this.publish(socket, text('topic'), text('message'), params.tag)
        return true
      case 'irn_subscribe':
        return this.subscribe(socket, text('topic'))
      case 'irn_batchSubscribe':
        return (params.topics as string[]).map((topic) => this.subscribe(socket, topic))
      case 'irn_unsubscribe':
        this.subscribers.get(text('topic'))?.delete(socket)
        return true
      case 'irn_fetchMessages':
      case 'irn_batchFetchMessages': {
        const topics = (params.topics as string[] | undefined) ?? [text('topic')]
        const messages = topics.flatMap((topic) => (this.kept.get(topic) ?? []).map((message) => ({ topic, ...message })))
        return { messages, hasMore: false }
      }
      case 'wc_proposeSession':
        this.subscribe(socket, text('pairingTopic'))
        this.publish(socket, text('pairingTopic'), text('sessionProposal'), 1100)
        return true
      case 'wc_approveSession':
        this.subscribe(socket, text('sessionTopic'))
        this.publish(socket, text('pairingTopic'), text('sessionProposalResponse'), 1101)
        this.publish(socket, text('sessionTopic'), text('sessionSettlementRequest'), 1102)
        return true
      default:
        throw new Error(`The test relay does not know ${method}`)
    }
  }

  private publish(from: WebSocket, topic: string, message: string, tag: unknown): void {
    const sealed = { message, tag, publishedAt: Date.now() }
    this.kept.set(topic, [...(this.kept.get(topic) ?? []), sealed])
    for (const socket of this.subscribers.get(topic) ?? []) if (socket !== from) this.deliver(socket, topic, sealed)
  }

  private subscribe(socket: WebSocket, topic: string): string {
    const sockets = this.subscribers.get(topic) ?? new Set()
    this.subscribers.set(topic, sockets.add(socket))
    for (const sealed of this.kept.get(topic) ?? []) this.deliver(socket, topic, sealed)
    return topic
  }

  private deliver(socket: WebSocket, topic: string, data: object): void {
    const id = this.nextId++
    socket.send(
      JSON.stringify({ id, jsonrpc: '2.0', method: 'irn_subscription', params: { id: topic, data: { topic, ...data } } }),
    )
  }
}
