// @vitest-environment node
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { contractErrorNames } from '@rackfair/contracts'
import { MONTH_SECONDS } from '@rackfair/rules/duration'
import { AppError } from '@rackfair/rules/errors/AppError'
import { type ContractCall, contractCall, readAddresses, readMarket, sendCall, waitForReceipt } from '@rackfair/sdk'
import { developmentAccounts, startChain } from '@rackfair/testkit'
import { type Account, createPublicClient, createWalletClient, http, parseEther, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Market } from '../../wallet/index.ts'
import { consoleFunctions, findFunction } from './consoleFunctions.ts'
import { parseArgs } from './parseArgs.ts'
import { prefillArgs } from './prefill.ts'
import { resultJson } from './resultJson.ts'
import { runRead, runSimulation } from './runCall.ts'
import { typescriptOf } from './typescriptOf.ts'

const TSC = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc')

/** Reads of a chain on which the account is a provider whose first node is sold in the first order. */
describe('every function of the five contracts with its prefilled parameters, on a real chain', () => {
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

  it.each(named('read'))('reads %s, and shows the result as JSON', async (_, entry) => {
    // A function without a result has nothing to read: called without a transaction, it only reverts.
    if (entry.outputs.length === 0)
      return expect(runRead(chain.market, entry, argsOf(entry))).rejects.toMatchObject({ code: 'RenounceDisabled' })
    const json = resultJson(await runRead(chain.market, entry, argsOf(entry)), entry.outputs)
    expect(() => JSON.parse(json)).not.toThrow()
  })

  it.each(named('write'))('simulates %s successfully or with the contract’s own error', async (_, entry) => {
    const outcome = await runSimulation(chain.market, entry, argsOf(entry), chain.stranger).catch((error: unknown) => error)
    if (outcome instanceof AppError)
      expect([entry.name, contractErrorNames]).toEqual([entry.name, expect.arrayContaining([outcome.code])])
    else expect(outcome).toMatchObject({ gas: expect.any(BigInt) })
  })

  it('copies each as an SDK program that compiles', () => {
    const { folder, write } = programs()
    for (const entry of consoleFunctions) write(`${entry.contract}-${entry.name}.ts`, programOf(entry))
    const options = { target: 'ES2024', module: 'NodeNext', strict: true, noEmit: true, skipLibCheck: true, types: ['node'] }
    const compilerOptions = { ...options, allowImportingTsExtensions: true, lib: ['ES2024', 'DOM'] }
    write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const run = spawnSync(process.execPath, [TSC, '-p', folder], { encoding: 'utf8' })
    expect(run.stdout + run.stderr).toBe('')
    expect(readdirSync(folder)).toHaveLength(consoleFunctions.length + 1)
  })

  it('runs a copied read and a copied write', () => {
    const { folder, write } = programs()
    const run = (contract: string, name: string) => {
      const entry = findFunction(contract, name)
      if (!entry) throw new Error(`${contract}.${name} is no function`)
      const file = write(`${name}.ts`, programOf(entry))
      const key = toHex(developmentAccounts().provider.getHdKey().privateKey ?? new Uint8Array())
      const { stdout, stderr } = spawnSync(process.execPath, [file], {
        ...{ cwd: folder, encoding: 'utf8', env: { ...process.env, PRIVATE_KEY: key } },
      })
      return stdout + stderr
    }
    expect(run('registry', 'get_node')).toContain("cpuModel: 'Xeon Silver 4316'")
    expect(run('registry', 'setOperator')).toMatch(/^success \d+n\n$/)
  })

  /** A folder within this package, where the sdk resolves, until the test ends. */
  function programs() {
    const parent = fileURLToPath(new URL('../../../test-results/', import.meta.url))
    mkdirSync(parent, { recursive: true })
    const folder = mkdtempSync(join(parent, 'console-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    return { folder, write }
  }

  const programOf = (entry: (typeof consoleFunctions)[number]) =>
    typescriptOf(entry, { rpcUrl: chain.rpcUrl, access: chain.market.addresses.access, args: argsOf(entry) })
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
  await send(provider, contractCall(addresses, 'credit', 'approve', [addresses.pledge, parseEther('50')]))
  await send(provider, contractCall(addresses, 'pledge', 'pledge', [addresses.credit, parseEther('50')]))
  const asked = [provider.address, 1n, MONTH_SECONDS] as const
  const [feeWei, rev, conditions] = await readMarket(client, addresses, 'market', 'quoteOrder', asked)
  await send(user, contractCall(addresses, 'credit', 'approve', [addresses.market, feeWei]))
  const input = { provider: provider.address, nodeId: 1n, rev, duration: MONTH_SECONDS, maxFee: feeWei, conditions, app: '' }
  await send(user, contractCall(addresses, 'market', 'createOrder', [input]))
  const market = { client, addresses, chainId: chain.chainId } as unknown as Market
  return { market, rpcUrl: chain.rpcUrl, provider: provider.address, stranger: otherUser.address, stop: () => chain.stop() }
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
