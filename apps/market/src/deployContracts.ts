import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { creditAbi, pledgeAbi, testUsdtAbi } from '@rackfair/contracts'
import { contractsOfOtherBuild } from '@rackfair/contracts/build'
import { deployMarket } from '@rackfair/contracts/deploy'
import { parseDeployConfig } from '@rackfair/contracts/deployConfig'
import type { Deployment } from '@rackfair/contracts/deployments'
import { developmentAccount } from '@rackfair/contracts/developmentAccounts'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { type Address, createPublicClient, createWalletClient, defineChain, type Hex, toHex } from 'viem'
import { chainStateFile, saveState } from './chainState.ts'
import { joinMonitors } from './joinMonitors.ts'
import { localTransport } from './rpc.ts'

/** The roles of anvil's well-known accounts; 0 to 4 are set in the deployment's config. */
const OWNER = 0
const FAUCET = 4
const PROVIDER = 5
/** Enough for the provider's pledge. */
const PROVIDER_CREDIT_WEI = 1_000n * ONE_CREDIT_WEI
const PROVIDER_GAS_WEI = 10n * 10n ** 18n
/** Funds the interest pool, so that interest visibly accrues. */
const INTEREST_POOL_WEI = 1_000n * ONE_CREDIT_WEI
/** Monitors count faster here than the 5 minutes and 8 hours of every other chain, so that a refund is seen within 10 minutes. */
export const LOCAL_PACE = { epochSeconds: 20, epochsPerPeriod: 16 } as const
/** In base units of a token with six decimals. */
const ONE_USDT = 1_000_000n

export interface LocalMarket {
  deployment: Deployment
  deploymentFile: string
  faucetKey: Hex
  providerKey: Hex
  /** Files with the keys of the monitors. */
  monitorKeys: string[]
  /** Funds an account with a provider's starting gas and Credit, unless it has some. */
  fund: (to: Address) => Promise<void>
}

/**
 * Puts the contracts on the local chain unless they are there, gives this machine's provider its starting Credit and fills the pool of
 * interest, and lets the monitors join.
 * The file that names them is written once no kill can take them from the chain any more.
 */
export async function deployContracts(options: {
  root: string
  stateDir: string
  rpcUrl: string
  /** Whether it has monitors of its own. */
  monitors: boolean
  say: (text: string) => void
}): Promise<LocalMarket> {
  const { root, stateDir, rpcUrl, say } = options
  const publicClient = readerOf(rpcUrl)
  const account = developmentAccount(OWNER)
  const walletClient = createWalletClient({ account, chain: publicClient.chain, transport: localTransport(rpcUrl) })

  const deploymentFile = deploymentFileOf(stateDir)
  const stateFile = chainStateFile(stateDir)
  let deployment = readDeployment(deploymentFile)
  if (deployment && !(await hasCode(publicClient, deployment.market)))
    throw new Error(
      `The chain does not hold the contracts that ${deploymentFile} names: its state was lost or replaced. Nothing was changed.\nPut ${stateFile} back, or start over with "npm start -- --reset".`,
    )
  if (!deployment) {
    say('Deploying the contracts ...')
    const config = parseDeployConfig(
      JSON.parse(readFileSync(join(root, 'contracts', 'script', 'config', `${DEVELOPMENT_CHAIN_ID}.json`), 'utf8')),
    )
    deployment = await deployMarket({ publicClient: publicClient as never, walletClient, config: { ...config, ...LOCAL_PACE } })
    await saveState({ rpcUrl, stateFile })
    writeFileSync(`${deploymentFile}.new`, `${JSON.stringify(deployment, null, 2)}\n`)
    renameSync(`${deploymentFile}.new`, deploymentFile)
  }

  const provider = developmentAccount(PROVIDER)
  const credit = { address: deployment.credit, abi: creditAbi } as const
  const pledge = { address: deployment.pledge, abi: pledgeAbi } as const
  const usdt = { address: deployment.usdt, abi: testUsdtAbi } as const
  const wait = (hash: Hex) => publicClient.waitForTransactionReceipt({ hash })
  // The gate must hold USDT to back this Credit, too.
  const mint = async (to: Address, amount: bigint) => {
    await wait(await walletClient.writeContract({ ...credit, functionName: 'mint', args: [to, amount] }))
    const backing = amount / (ONE_CREDIT_WEI / ONE_USDT)
    await wait(await walletClient.writeContract({ ...usdt, functionName: 'mint', args: [deployment.gate, backing] }))
  }

  const fund = async (to: Address) => {
    if ((await publicClient.getBalance({ address: to })) === 0n)
      await wait(await walletClient.sendTransaction({ to, value: PROVIDER_GAS_WEI }))
    const held = await publicClient.readContract({ ...credit, functionName: 'balanceOf', args: [to] })
    if (held === 0n) await mint(to, PROVIDER_CREDIT_WEI)
  }
  await fund(provider.address)
  const [pool, owed] = await Promise.all([
    publicClient.readContract({ ...pledge, functionName: 'pool' }),
    publicClient.readContract({ ...pledge, functionName: 'owed' }),
  ])
  if (pool + owed === 0n) {
    await mint(account.address, INTEREST_POOL_WEI)
    const args = [pledge.address, INTEREST_POOL_WEI] as const
    await wait(await walletClient.writeContract({ ...credit, functionName: 'approve', args }))
    await wait(await walletClient.writeContract({ ...pledge, functionName: 'fundInterest', args: [INTEREST_POOL_WEI] }))
  }
  const { monitors, credit: token } = deployment
  const joining = { stateDir, stateFile, rpcUrl, client: publicClient, owner: walletClient, monitors, credit: token, mint }
  const monitorKeys = options.monitors ? await joinMonitors(joining) : []
  return { deployment, deploymentFile, faucetKey: keyOf(FAUCET), providerKey: keyOf(PROVIDER), monitorKeys, fund }
}

/**
 * The contracts on the local chain that another version of Rackfair put there, by name: what reads and signs here does not fit them.
 * None where nothing is deployed yet, or where the chain lost its contracts.
 */
export async function contractsOfOlderMarket(stateDir: string, rpcUrl: string): Promise<string[]> {
  const deployment = readDeployment(deploymentFileOf(stateDir))
  const client = readerOf(rpcUrl)
  return deployment && (await hasCode(client, deployment.market)) ? contractsOfOtherBuild(client, deployment) : []
}

const deploymentFileOf = (stateDir: string) => join(stateDir, 'deployment.json')

function readerOf(rpcUrl: string) {
  const chain = defineChain({
    id: DEVELOPMENT_CHAIN_ID,
    name: 'Rackfair Dev',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  return createPublicClient({ chain, transport: localTransport(rpcUrl), pollingInterval: 100, cacheTime: 0 })
}

function readDeployment(file: string): Deployment | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Deployment) : undefined
}

async function hasCode(
  client: { getCode(args: { address: Address }): Promise<Hex | undefined> },
  address: Address,
): Promise<boolean> {
  return ((await client.getCode({ address })) ?? '0x') !== '0x'
}

function keyOf(addressIndex: number): Hex {
  const key = developmentAccount(addressIndex).getHdKey().privateKey
  if (!key) throw new Error('the development mnemonic has no private keys')
  return toHex(key)
}
