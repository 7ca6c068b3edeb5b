// @vitest-environment node
import { contractErrorNames } from '@rackfair/contracts'
import { AppError, MONTH_SECONDS } from '@rackfair/core'
import { type ContractCall, contractCall, readAddresses, readMarket, sendCall, waitForReceipt } from '@rackfair/sdk'
import { startChain } from '@rackfair/testkit'
import { type Account, createPublicClient, createWalletClient, http, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Market } from '../../wallet/index.ts'
import { consoleFunctions } from './consoleFunctions.ts'
import { parseArgs } from './parseArgs.ts'
import { prefillArgs } from './prefill.ts'
import { resultJson } from './resultJson.ts'
import { runRead, runSimulation } from './runCall.ts'
import { typescriptOf } from './typescriptOf.ts'

/** Reads of a chain on which the account is a provider whose first node is sold in the first order. */
describe('every function of the five contracts, with its prefilled parameters, on a real chain', () => {
  let chain: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    chain = await setup()
  })
  afterAll(() => chain.stop())
  const argsOf = (entry: (typeof consoleFunctions)[number]) => {
    const parsed = parseArgs(entry.inputs, prefillArgs(entry, { account: chain.provider, credit: chain.market.addresses.credit }))
    if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
    return parsed.args
  }
  const named = (kind: 'read' | 'write') =>
    consoleFunctions.filter((entry) => entry.kind === kind).map((entry) => [`${entry.contract}.${entry.name}`, entry] as const)

  it.each(named('read'))('%s is read, and its answer is shown as JSON', async (_, entry) => {
    // What gives nothing back cannot be read: it only says, without a transaction, that it is refused.
    if (entry.outputs.length === 0)
      return expect(runRead(chain.market, entry, argsOf(entry))).rejects.toMatchObject({ code: 'RenounceDisabled' })
    const json = resultJson(await runRead(chain.market, entry, argsOf(entry)), entry.outputs)
    expect(() => JSON.parse(json)).not.toThrow()
  })

  it.each(named('write'))('%s would succeed, or is refused with the contract’s own error', async (_, entry) => {
    const outcome = await runSimulation(chain.market, entry, argsOf(entry), chain.stranger).catch((error: unknown) => error)
    if (outcome instanceof AppError)
      expect([entry.name, contractErrorNames]).toEqual([entry.name, expect.arrayContaining([outcome.code])])
    else expect(outcome).toMatchObject({ gas: expect.any(BigInt) })
  })

  it.each([...named('read'), ...named('write')])('%s is written as TypeScript that names it', (_, entry) => {
    const { access } = chain.market.addresses
    expect(typescriptOf(entry, { rpcUrl: 'http://127.0.0.1:8545', access, args: argsOf(entry) })).toContain(
      `'${entry.contract}', '${entry.name}', [`,
    )
  })
})

async function setup() {
  const chain = await startChain()
  const { faucet, provider, user, otherUser } = chain.accounts
  const transport = http(chain.rpcUrl)
  const client = createPublicClient({ transport, pollingInterval: 20, cacheTime: 0 })
  const addresses = await readAddresses(client, chain.deployment.access)
  const send = async (account: Account, call: ContractCall) =>
    waitForReceipt(client, await sendCall(client, createWalletClient({ account, transport }), call))
  for (const account of [provider, user])
    await send(faucet, contractCall(addresses, 'credit', 'transfer', [account.address, parseEther('1000')]))
  const place = { name: 'helios', ip: '203.0.113.7', domain: '', port: 7070 }
  await send(provider, contractCall(addresses, 'registry', 'register', [place]))
  await send(provider, contractCall(addresses, 'registry', 'add_node', [NODE]))
  await send(provider, contractCall(addresses, 'credit', 'approve', [addresses.pledge, parseEther('5')]))
  await send(provider, contractCall(addresses, 'pledge', 'pledge', [addresses.credit, parseEther('5')]))
  const [feeWei, rev] = await readMarket(client, addresses, 'market', 'feeOrder', [provider.address, 1n, MONTH_SECONDS])
  await send(user, contractCall(addresses, 'credit', 'approve', [addresses.market, feeWei]))
  const input = { provider: provider.address, nodeId: 1n, rev, duration: MONTH_SECONDS, maxFee: feeWei, app: '' }
  await send(user, contractCall(addresses, 'market', 'createOrder', [input]))
  const market = { client, addresses, chainId: chain.chainId } as unknown as Market
  return { market, provider: provider.address, stranger: otherUser.address, stop: () => chain.stop() }
}

const NODE = {
  cpuModel: 'Xeon Silver 4316',
  gpuModel: '',
  nCPU: 2,
  core: 20,
  nGPU: 0,
  nMEM: 0,
  nDISK: 0,
  pCPU: parseEther('43'),
  pGPU: 0n,
  pMEM: 0n,
  pDISK: 0n,
}
