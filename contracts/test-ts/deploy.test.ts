import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { developmentAccounts, startAnvil, startChain } from '@rackfair/testkit'
import {
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  custom,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  publicActions,
  walletActions,
  zeroHash,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { testUsdtBytecode } from '../ts/bytecode.ts'
import { contractsOfOtherBuild } from '../ts/contractsOfOtherBuild.ts'
import { parseDeployConfig } from '../ts/deployConfig.ts'
import { deployMarket } from '../ts/deployMarket.ts'
import { deploymentOf } from '../ts/deployments.ts'
import { accessAbi, creditAbi, gateAbi, pledgeAbi, purseFactoryAbi, testUsdtAbi } from '../ts/index.ts'
import { purseAddress } from '../ts/purseAddress.ts'
import { requireSafeKeys } from '../ts/requireSafeKeys.ts'
import { timelockAbi } from '../ts/timelock.ts'

const configFile = fileURLToPath(new URL('../script/config/2985.json', import.meta.url))
const script = fileURLToPath(new URL('../script/deploy.ts', import.meta.url))
const config = parseDeployConfig(JSON.parse(readFileSync(configFile, 'utf8')))

it('deploys to the committed addresses on a fresh development chain', async () => {
  await using chain = disposable(await startChain())
  expect(chain.deployment).toEqual(deploymentOf(2985))
  expect(deploymentOf(985)).toBeUndefined()
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const { gate, credit } = chain.deployment
  const [reserves, supply] = await Promise.all([
    client.readContract({ address: gate, abi: gateAbi, functionName: 'reserves' }),
    client.readContract({ address: credit, abi: creditAbi, functionName: 'totalSupply' }),
  ])
  expect(reserves).toBe(supply)
})

it('knows the address of an owner’s purse without the chain', async () => {
  await using chain = disposable(await startChain())
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const factory = chain.deployment.purseFactory as Address
  for (const { address } of [chain.accounts.user, chain.accounts.otherUser]) {
    const [found] = await client.readContract({
      address: factory,
      abi: purseFactoryAbi,
      functionName: 'purseOf',
      args: [address],
    })
    expect(purseAddress(factory, address)).toBe(found)
  }
})

it('recognises the contracts of this build by their code, whatever their constructors set', async () => {
  await using chain = disposable(await startChain())
  const client = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl), cacheTime: 0 }).extend(publicActions)
  const { deployment } = chain
  expect(await contractsOfOtherBuild(client, deployment)).toEqual([])
  const code = (await client.getCode({ address: deployment.market })) ?? '0x'
  const otherHead = `0x6081${code.slice(6)}`
  const others = [`${code}00`, code.slice(0, -2), otherHead, '0x']
  for (const bytecode of others as Hex[]) {
    await client.setCode({ address: deployment.market, bytecode })
    expect(await contractsOfOtherBuild(client, deployment)).toEqual(['Market'])
  }
  for (const part of [deployment.office, deployment.lens] as Address[])
    await client.setCode({ address: part, bytecode: `${await client.getCode({ address: part })}00` as Hex })
  expect(await contractsOfOtherBuild(client, deployment)).toEqual(['Market', 'MarketOffice', 'MarketLens'])
  await client.setCode({ address: deployment.registry, bytecode: code })
  expect(await contractsOfOtherBuild(client, deployment)).toEqual(['Registry', 'Market', 'MarketOffice', 'MarketLens'])
})

it('prints a dry run, deploys, then refuses to overwrite', async () => {
  await using anvil = disposable(await startAnvil())
  using folder = temporaryFolder()
  const out = join(folder.path, 'deployment.json')
  const client = createPublicClient({ transport: http(anvil.rpcUrl), cacheTime: 0 })
  const run = (...args: string[]) => runScript(['--config', configFile, '--rpc', anvil.rpcUrl, '--out', out, ...args])

  const dry = await run()
  expect(dry.stdout).toMatch(/dry run: about \d+ gas, nothing was sent/)
  expect(dry.status).toBe(0)
  expect(await client.getTransactionCount({ address: developmentAccounts().owner.address })).toBe(0)

  const deployed = await run('--broadcast')
  expect(deployed.stderr).toBe('')
  expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(deploymentOf(2985))

  const again = await run('--broadcast')
  expect(again.status).toBe(1)
  expect(again.stderr).toContain('is deployed on chain 2985 already')
})

it('detects every planted mistake, without --broadcast and before anything is sent with it', async () => {
  await using anvil = disposable(await startAnvil({ chainId: 1985, blockTime: 0 }))
  using folder = temporaryFolder()
  const file = join(folder.path, 'config.json')
  const client = createPublicClient({ transport: http(anvil.rpcUrl), cacheTime: 0 })
  const poor = generatePrivateKey()
  const planted = { ...config, chainId: 985, commissionBps: 2_000, usdt: 'test', epochSeconds: 15 }
  writeFileSync(file, JSON.stringify(planted))
  for (const mode of [[], ['--broadcast']]) {
    const out = join(folder.path, 'deployment.json')
    const { status, stderr } = await runScript(['--config', file, '--rpc', anvil.rpcUrl, '--out', out, ...mode], poor)
    expect(status).toBe(1)
    expect(stderr).toContain(`everybody has the key of ${config.owner}: it cannot be owner on chain 985`)
    expect(stderr).toContain('the chain is 1985, the config is for 985')
    expect(stderr).toContain('only the owner can mint')
    expect(stderr).toContain('Credit comes through the gate on chain 985: leave mint empty')
    expect(stderr).toContain('monitors count in epochs of 300 s and periods of 96 on chain 985')
    expect(stderr).toContain('a USDT that anybody creates would make Credit out of nothing on chain 985')
    expect(stderr).toMatch(/Market refuses its configuration: ParamOutOfBounds\(commissionBps, 2000, 0, 1000\)/)
    expect(stderr).toMatch(/the deployer has 0 for gas, the deployment costs about 0\.\d+/)
    expect(stderr.length).toBeLessThan(1_000)
    expect(existsSync(out)).toBe(false)
  }
  expect(await client.getTransactionCount({ address: privateKeyToAccount(poor).address })).toBe(0)
})

it.each([985, 1985])('deploys on chain %i with its own keys, and leaves it to a timelock', async (chainId) => {
  await using anvil = disposable(await startAnvil({ chainId, blockTime: 0 }))
  using folder = temporaryFolder()
  const client = createTestClient({ mode: 'anvil', transport: http(anvil.rpcUrl), cacheTime: 0 }).extend(publicActions)
  const key = generatePrivateKey()
  const usdt = chainId === 985 ? await deployUsdt(anvil.rpcUrl) : 'test'
  const [owner, guardian, rewarder, treasury] = Array.from({ length: 4 }, () => privateKeyToAccount(generatePrivateKey()).address)
  const file = join(folder.path, 'config.json')
  writeFileSync(file, JSON.stringify({ ...config, chainId, owner, guardian, rewarder, treasury, mint: [], usdt }))
  const out = join(folder.path, `${chainId}.json`)
  const run = async (deployerKey: string) =>
    (await runScript(['--config', file, '--rpc', anvil.rpcUrl, '--out', out, '--broadcast'], deployerKey)).stderr

  expect(await run('')).toContain('set RACKFAIR_DEPLOYER_KEY')
  const known = Buffer.from(developmentAccounts().owner.getHdKey().privateKey as Uint8Array).toString('hex')
  expect(await run(`0x${known}`)).toContain(`cannot be deployer on chain ${chainId}`)
  expect(existsSync(out)).toBe(false)

  await client.setBalance({ address: privateKeyToAccount(key).address, value: 10n ** 20n })
  expect(await run(key)).toBe('')
  const deployment = JSON.parse(readFileSync(out, 'utf8'))
  expect(deployment).toMatchObject({ chainId, access: expect.stringMatching(/^0x/), market: expect.stringMatching(/^0x/) })
  if (chainId === 985) expect(deployment.usdt).toBe(usdt)
  const gate = { address: deployment.gate, abi: gateAbi } as const
  expect(await client.readContract({ ...gate, functionName: 'usdt' })).toBe(deployment.usdt)
  expect(await client.readContract({ ...gate, functionName: 'scale' })).toBe(10n ** 12n)
  const access = { address: deployment.access, abi: accessAbi } as const
  expect(await client.readContract({ ...access, functionName: 'validator' })).toBe(deployment.findings)
  expect(await client.readContract({ ...access, functionName: 'CurrentVer' })).toBe(1)
  for (const [address, abi] of [
    [deployment.access, accessAbi],
    [deployment.pledge, pledgeAbi],
    [deployment.credit, creditAbi],
  ] as const)
    expect(await client.readContract({ address, abi, functionName: 'owner' })).toBe(deployment.timelock)
  expect(await run(key)).toContain(`is deployed on chain ${chainId} already`)
})

it('offers Access to an owner other than the deployer', async () => {
  await using anvil = disposable(await startAnvil())
  const owner = privateKeyToAccount(generatePrivateKey()).address
  const transport = http(anvil.rpcUrl)
  const publicClient = createPublicClient({ transport, pollingInterval: 50, cacheTime: 0 })
  const walletClient = createWalletClient({ account: developmentAccounts().owner, transport })
  const deployment = await deployMarket({ publicClient, walletClient, config: { ...config, owner, mint: [] } })
  expect(await publicClient.readContract({ address: deployment.access, abi: accessAbi, functionName: 'pendingOwner' })).toBe(
    owner,
  )
  expect(await publicClient.readContract({ address: deployment.credit, abi: creditAbi, functionName: 'owner' })).toBe(owner)
})

it('makes every change by the owner wait for a week where money is real, and leaves the deployer nothing', async () => {
  await using anvil = disposable(await startAnvil({ chainId: 1985, blockTime: 0 }))
  const transport = http(anvil.rpcUrl)
  const client = createTestClient({ mode: 'anvil', transport, cacheTime: 0 }).extend(publicActions).extend(walletActions)
  const [deployer, owner, next] = [newAccount(), newAccount(), newAccount().address]
  const [guardian, rewarder, treasury] = [newAccount().address, newAccount().address, newAccount().address]
  for (const { address } of [deployer, owner]) await client.setBalance({ address, value: 10n ** 20n })
  const publicClient = createPublicClient({ transport, pollingInterval: 50, cacheTime: 0 })
  const walletClient = createWalletClient({ account: deployer, transport })
  const { access, timelock } = await deployMarket({
    publicClient,
    walletClient,
    config: { ...config, owner: owner.address, guardian, rewarder, treasury, chainId: 1985, mint: [] },
  })
  const call = (account: PrivateKeyAccount) => ({ address: timelock as Address, abi: timelockAbi, chain: null, account }) as const

  const setRole = (functionName: 'announceRole' | 'setRole') =>
    [access, 0n, encodeFunctionData({ abi: accessAbi, functionName, args: [0, next] }), zeroHash, zeroHash] as const
  const announce = setRole('announceRole')
  const direct = { address: access, abi: accessAbi, functionName: 'announceRole', args: [0, next] } as const
  for (const account of [deployer, owner])
    await expect(client.simulateContract({ ...direct, account })).rejects.toThrow('Ownable')
  const day = 86_400n
  const schedule = (account: PrivateKeyAccount, delay: bigint) =>
    client.simulateContract({ ...call(account), chain: undefined, functionName: 'schedule', args: [...announce, delay] })
  await expect(schedule(deployer, 7n * day)).rejects.toThrow('AccessControlUnauthorizedAccount')
  await expect(schedule(owner, 7n * day - 1n)).rejects.toThrow('TimelockInsufficientDelay')
  const sooner = client.simulateContract({ ...call(owner), chain: undefined, functionName: 'updateDelay', args: [0n] })
  await expect(sooner).rejects.toThrow('TimelockUnauthorizedCaller')

  await client.writeContract({ ...call(owner), functionName: 'schedule', args: [...announce, 7n * day] })
  await client.writeContract({ ...call(owner), functionName: 'schedule', args: [...setRole('setRole'), 14n * day] })
  const execute = (args: ReturnType<typeof setRole>) => client.writeContract({ ...call(deployer), functionName: 'execute', args })
  await client.increaseTime({ seconds: Number(7n * day) - 60 })
  await client.mine({ blocks: 1 })
  await expect(execute(announce)).rejects.toThrow('TimelockUnexpectedOperationState')
  await client.increaseTime({ seconds: 120 })
  await client.mine({ blocks: 1 })
  // Whoever wants to may carry out what has waited.
  await execute(announce)
  await expect(execute(setRole('setRole'))).rejects.toThrow('TimelockUnexpectedOperationState')
  await client.increaseTime({ seconds: Number(7n * day) })
  await client.mine({ blocks: 1 })
  await execute(setRole('setRole'))
  expect(await client.readContract({ address: access, abi: accessAbi, functionName: 'guardian' })).toBe(next)
})

it('does not wait forever on a slow chain that mines no blocks on its own', async () => {
  await using anvil = disposable(await startAnvil({ blockTime: 0 }))
  const direct = createTestClient({ mode: 'anvil', transport: http(anvil.rpcUrl) })
  await direct.setAutomine(false)
  const asked = new Map<string, number>()
  const request = async ({ method, params }: { method: string; params?: [string, unknown] }) => {
    const answer = await direct.request({ method, params } as never)
    if (params?.[1] === true) await new Promise((resolve) => setTimeout(resolve, 1000))
    if (method === 'eth_getTransactionReceipt' && params) {
      const times = (asked.get(params[0]) ?? 0) + 1
      asked.set(params[0], times)
      if (times === 2) await direct.mine({ blocks: 1 })
    }
    return answer
  }
  const transport = custom({ request })
  const publicClient = createPublicClient({ transport, cacheTime: 0 })
  const walletClient = createWalletClient({ account: developmentAccounts().owner, transport })
  expect(await deployMarket({ publicClient, walletClient, config })).toEqual(deploymentOf(2985))
})

it('refuses another chain, and a mint reserved to the owner, before it sends anything', async () => {
  await using anvil = disposable(await startAnvil())
  const transport = http(anvil.rpcUrl)
  const publicClient = createPublicClient({ transport, cacheTime: 0 })
  const walletClient = createWalletClient({ account: developmentAccounts().owner, transport })
  const safe = privateKeyToAccount(generatePrivateKey())
  const roles = { owner: safe.address, guardian: safe.address, rewarder: safe.address, treasury: safe.address }
  const foreign = {
    publicClient,
    walletClient: createWalletClient({ account: safe, transport }),
    config: { ...config, ...roles },
  }
  await expect(deployMarket({ ...foreign, config: { ...foreign.config, chainId: 1985 } })).rejects.toThrow('the chain is 2985')
  await expect(deployMarket({ publicClient, walletClient, config: { ...config, owner: safe.address } })).rejects.toThrow(
    'only the owner',
  )
  expect(await publicClient.getTransactionCount({ address: developmentAccounts().owner.address })).toBe(0)
})

it('refuses well-known keys on any chain but 2985', () => {
  const safe = privateKeyToAccount(generatePrivateKey()).address
  const production = { ...config, chainId: 985, owner: safe, guardian: safe, treasury: safe, mint: [] }
  expect(() => requireSafeKeys(production, safe)).toThrow('cannot be rewarder on chain 985')
  expect(() => requireSafeKeys({ ...production, rewarder: safe }, config.owner)).toThrow('cannot be deployer on chain 985')
  expect(() => requireSafeKeys({ ...production, rewarder: safe }, safe)).not.toThrow()
  expect(() => requireSafeKeys(config, config.owner)).not.toThrow()
})

it.each([
  ['owner', 'nobody', 'owner is not an address'],
  ['commissionBps', 1.5, 'commissionBps is not a whole number'],
  ['interestRate', '0x5', 'interestRate is not wei in decimal'],
  ['mint', 5, 'mint is not a list'],
  ['mint', [{ to: 'me', amount: '1' }], 'mint does not name an address'],
  ['usdt', '0x1', 'usdt is neither an address nor "test"'],
  ['usdt', undefined, 'Without it nobody could have Credit'],
])('refuses a config whose %s is %s', (field, value, message) => {
  expect(() => parseDeployConfig({ ...config, [field]: value })).toThrow(message)
})

const newAccount = () => privateKeyToAccount(generatePrivateKey())

/** The output of the script. Asynchronous, because the chain stalls once nobody reads its own output. */
async function runScript(args: readonly string[], deployerKey?: string) {
  const env = { ...process.env, ...(deployerKey === undefined ? {} : { RACKFAIR_DEPLOYER_KEY: deployerKey }) }
  return promisify(execFile)(process.execPath, [script, ...args], { env }).then(
    ({ stdout, stderr }) => ({ status: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ status: code, stdout, stderr }),
  )
}

/** A USDT deployed before the market. */
async function deployUsdt(rpcUrl: string) {
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl), cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
  const account = privateKeyToAccount(generatePrivateKey())
  await client.setBalance({ address: account.address, value: 10n ** 18n })
  const hash = await client.deployContract({
    account,
    chain: null,
    abi: testUsdtAbi,
    bytecode: testUsdtBytecode,
    args: [account.address],
  })
  return getAddress((await client.waitForTransactionReceipt({ hash })).contractAddress as Address)
}

function disposable<T extends { stop(): Promise<void> }>(started: T): T & AsyncDisposable {
  return Object.assign(started, { [Symbol.asyncDispose]: () => started.stop() })
}

function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'rackfair-deploy-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
