import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { MAX_DOMAINS } from '@rackfair/protocol/door'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { dialBack } from './testing/dialBack.ts'
import { type StartedEdge, startEdge } from './testing/startEdge.ts'

const SOON = { timeout: 60_000, interval: 10 }
const cnames = new Map<string, string>()
let asked = 0
let broken = 'broken.test'
let edge: StartedEdge

beforeAll(async () => {
  const cname = async (name: string) => {
    asked += 1
    if (name === broken) throw new Error('no resolver answers')
    return [cnames.get(name)].filter((one) => one !== undefined)
  }
  edge = await startEdge({ records: { cname, txt: async () => [] } })
})
afterAll(() => edge.close())

/** An agent that says its own label to each visitor. */
const agent = async (label: string) => {
  const peer = await dialBack(edge, { serve: (socket) => void socket.end(`HTTP/1.1 200 OK\r\n\r\n${label}`) })
  onTestFinished(() => peer.close())
  const { name } = await peer.enter()
  const claim = async (domain: string, order = '12') => {
    const before = peer.received.length
    peer.send({ type: 'domains', add: [{ domain, order }], remove: [] })
    return vi.waitFor(() => {
      const found = peer.received.slice(before).find((one) => one.type === 'domain' && one.domain === domain)
      if (found?.type !== 'domain') throw new Error('not judged yet')
      return found.isServed
    }, SOON)
  }
  return { ...peer, name, claim }
}
/** What a visitor of a name reads; nothing where it is turned away. */
const visit = async (host: string) => {
  const socket = connect(edge.ports.plain, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  return (await text(socket)).split('\r\n\r\n')[1]
}

it('leads a domain to the agent of the order to which it points, whoever else claims it, as long as it is claimed', async () => {
  const [first, second] = [await agent('first'), await agent('second')]
  expect(await first.claim('shop.test')).toBe(false)
  cnames.set('shop.test', `o-12.${first.name}`)
  expect(await first.claim('shop.test', '13')).toBe(false)
  expect(await second.claim('shop.test')).toBe(false)
  expect(await visit('shop.test')).toBe('')
  expect(await first.claim('shop.test')).toBe(true)
  expect(await visit('shop.test')).toBe('first')
  expect(await second.claim('shop.test')).toBe(false)
  expect(await visit('shop.test'), 'another’s claim changes nothing').toBe('first')

  cnames.set('shop.test', `o-7.${second.name}`)
  expect(await second.claim('shop.test', '7')).toBe(true)
  expect(await visit('shop.test')).toBe('second')
  first.send({ type: 'domains', add: [], remove: ['shop.test'] })
  expect(await first.claim('broken.test')).toBe(false)
  expect(await visit('shop.test'), 'who has lost it cannot give it up').toBe('second')
  broken = 'shop.test'
  expect(await first.claim('shop.test', '7'), 'who had none gets none while no resolver answers').toBe(false)
  expect(await second.claim('shop.test', '7'), 'who had it keeps it').toBe(true)
  second.send({ type: 'domains', add: [], remove: ['shop.test'] })
  await vi.waitFor(async () => expect(await visit('shop.test')).toBe(''), SOON)
})

it('forgets those of an agent that leaves, and takes none of its own zone', async () => {
  const one = await agent('one')
  for (const own of ['edge.test', `x.${one.name}`, 'o-12.p-0000000000.edge.test']) {
    cnames.set(own, `o-12.${one.name}`)
    expect(await one.claim(own), own).toBe(false)
  }
  cnames.set('left.test', `o-12.${one.name}`)
  expect(await one.claim('left.test')).toBe(true)
  one.close()
  await vi.waitFor(async () => expect(await visit('left.test')).toBe(''), SOON)
})

it('looks up as many as a provider may have, however many are claimed', async () => {
  const { send, received, socket } = await agent('greedy')
  const before = asked
  for (let round = 0; round < 20; round += 1) {
    const add = Array.from({ length: 16 }, (_, at) => ({ domain: `d-${round * 16 + at}.test`, order: '12' }))
    send({ type: 'domains', add, remove: [] })
  }
  await vi.waitFor(() => expect(received.filter(({ type }) => type === 'domain')).toHaveLength(MAX_DOMAINS), SOON)
  expect(asked - before).toBe(MAX_DOMAINS)
  expect(socket.destroyed).toBe(false)
})
