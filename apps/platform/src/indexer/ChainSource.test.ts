import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { openChain } from './ChainSource.ts'

const ADDRESS = `0x${'d1'.repeat(20)}`
const log = (block: number, logIndex: number, change: object = {}) => ({
  ...{ address: ADDRESS, topics: [`0x${'0'.repeat(64)}`], data: '0x', blockHash: '0xb', transactionHash: '0xa' },
  ...{ blockNumber: `0x${block.toString(16)}`, logIndex: `0x${logIndex.toString(16)}`, blockTimestamp: '0x1', ...change },
})

it('reads logs that a node answers out of order and twice, each once and in order', async () => {
  const chain = await chainOf([log(2, 0), log(1, 10), log(1, 2), log(2, 0), log(1, 2)])
  const read = await chain.logs(1, 2, [ADDRESS])
  expect(read.map(({ block, logIndex }) => [block, logIndex])).toEqual([
    [1, 2],
    [1, 10],
    [2, 0],
  ])
})

it.each([
  ['two logs at one place', [log(1, 2), log(1, 2, { data: '0x01' })]],
  ['a log of a block that was not asked for', [log(3, 0)]],
  ['a log without a block', [log(1, 0, { blockNumber: null })]],
  ['a log without topics', [log(1, 0, { topics: undefined })]],
  ['nothing', null],
])('throws for %s', async (_, answer) => {
  const chain = await chainOf(answer)
  await expect(chain.logs(1, 2, [ADDRESS])).rejects.toThrow()
})

it('fails no other request with an answer of logs that is too large', async () => {
  const chain = await chainOf([{ ...log(1, 0), data: `0x${'0'.repeat(11_000_000)}` }])
  const [logs, chainId] = await Promise.allSettled([chain.logs(1, 2, [ADDRESS]), chain.chainId()])
  expect([logs.status, chainId]).toEqual(['rejected', { status: 'fulfilled', value: 1 }])
})

async function chainOf(logs: readonly object[] | null) {
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const asked = JSON.parse(text) as { id: number; method: string } | { id: number; method: string }[]
    const answerOf = ({ id, method }: { id: number; method: string }) => ({
      ...{ jsonrpc: '2.0', id },
      result: method === 'eth_getLogs' ? logs : '0x1',
    })
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(answerOf) : answerOf(asked)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return openChain(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}
