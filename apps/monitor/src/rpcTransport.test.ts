import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorsAbi } from '@rackfair/contracts'
import { type MonitoredMarket, startMonitoredMarket } from '@rackfair/testkit'
import { BaseError, ContractFunctionRevertedError, createPublicClient, HttpRequestError } from 'viem'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { rpcTransport } from './rpcTransport.ts'

let market: MonitoredMarket
beforeAll(async () => {
  market = await startMonitoredMarket({ monitors: 1 })
})
afterAll(() => market?.stop())

const clientOf = (url: string) => createPublicClient({ transport: rpcTransport(url), cacheTime: 0 })

it('reads from a chain over one connection, and reports why a contract reverts', async () => {
  const client = clientOf(market.rpcUrl)
  expect(await client.getChainId()).toBe(2985)
  const contract = { address: market.contract, abi: monitorsAbi } as const
  expect(await client.readContract({ ...contract, functionName: 'monitors' })).toEqual([market.accounts[0]?.address])
  const refused = client.simulateContract({
    ...contract,
    functionName: 'join',
    args: [1n, market.user.address],
    account: market.user.address,
  })
  const error = await refused.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(BaseError)
  const reverted = (error as BaseError).walk((one) => one instanceof ContractFunctionRevertedError)
  expect((reverted as ContractFunctionRevertedError).data?.errorName).toBe('BondTooLow')
})

it('retries when a node fails temporarily', async () => {
  let asked = 0
  const url = await serve((request, response) => {
    asked += 1
    if (asked === 1) request.socket.destroy()
    else if (asked === 2) response.writeHead(503).end('busy')
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","id":1,"result":"0xba9"}')
  })
  expect(await clientOf(url).getChainId()).toBe(2985)
  expect(asked).toBe(3)
})

it.each([
  ['no JSON', 'hello'],
  ['more than it reads', ' '.repeat(11 * 1024 * 1024)],
])('treats %s as no response', async (_, text) => {
  const url = await serve((_request, response) => response.writeHead(200).end(text))
  await expect(clientOf(url).getChainId()).rejects.toBeInstanceOf(HttpRequestError)
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
