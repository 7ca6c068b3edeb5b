import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { createAddressesOf } from './createAddressesOf.ts'

/** A DNS that answers with these addresses to whatever is asked of IPv4, and says nothing to `silent.test`. */
async function startDns(addresses: readonly string[]) {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
  let asked = 0
  socket.on('message', (question, { port, address }) => {
    asked += 1
    if (question.includes('silent')) return
    const isIpv4 = question.readUInt16BE(question.indexOf(0, 12) + 1) === 1
    const records = (isIpv4 ? addresses : []).map((one) =>
      Buffer.concat([Buffer.from('c00c00010001000000000004', 'hex'), Buffer.from(one.split('.').map(Number))]),
    )
    const header = Buffer.from(question.subarray(0, 12))
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(records.length, 6)
    header.writeUInt16BE(0, 10)
    const asking = question.subarray(12, question.indexOf(0, 12) + 5)
    socket.send(Buffer.concat([header, asking, ...records]), port, address)
  })
  return { server: `127.0.0.1:${socket.address().port}`, asked: () => asked }
}

it('are those that the DNS says, few of them, each once, and of names alone', async () => {
  const dns = await startDns(['198.51.100.7', '198.51.100.7', ...Array.from({ length: 20 }, (_, at) => `203.0.113.${at}`)])
  const addressesOf = createAddressesOf([dns.server])
  expect(await addressesOf('Atlas.edge.test.')).toEqual(['198.51.100.7', '203.0.113.0', '203.0.113.1', '203.0.113.2'])
  const before = dns.asked()
  for (const wrong of ['', 'localhost', '10.0.0.1', 'a b.test', '_x.test', `${'a.'.repeat(200)}test`])
    expect(await addressesOf(wrong)).toEqual([])
  expect(dns.asked()).toBe(before)
  expect(await addressesOf('silent.test')).toEqual([])
})
