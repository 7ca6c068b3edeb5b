import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createPublicClient, createWalletClient, formatEther, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { checkDeployment, sentenceOf } from '../ts/checkDeployment.ts'
import { predictAddresses } from '../ts/contractsOf.ts'
import { parseDeployConfig } from '../ts/deployConfig.ts'
import { deployMarket } from '../ts/deployMarket.ts'
import { DEVELOPMENT_CHAIN_ID, developmentAccount } from '../ts/developmentAccounts.ts'

const USAGE = `usage: node contracts/script/deploy.ts --config <file> --rpc <url> [--out <file>] [--broadcast]

Deploys the market. Without --broadcast it runs all checks and constructors, and sends nothing.
The deployer's key is read from RACKFAIR_DEPLOYER_KEY; on chain ${DEVELOPMENT_CHAIN_ID} it defaults to anvil's account 0.
--out defaults to contracts/deployments/<chainId>.json and is never overwritten.`

const { values } = parseArgs({
  options: {
    config: { type: 'string' },
    rpc: { type: 'string' },
    out: { type: 'string' },
    broadcast: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help || !values.config || !values.rpc) {
  console.log(USAGE)
  process.exit(values.help ? 0 : 2)
}

try {
  await main(values.config, values.rpc)
} catch (error) {
  console.error(sentenceOf(error))
  process.exit(1)
}

async function main(configFile: string, rpc: string): Promise<void> {
  const config = parseDeployConfig(JSON.parse(readFileSync(configFile, 'utf8')))
  const out = values.out ?? fileURLToPath(new URL(`../deployments/${config.chainId}.json`, import.meta.url))
  if (existsSync(out))
    throw new Error(`${out} exists: the market is deployed on chain ${config.chainId} already. Choose another --out.`)

  const account = deployer(config.chainId)
  // A deployment is worth waiting for a busy node.
  const transport = http(rpc, { timeout: 60_000 })
  const publicClient = createPublicClient({ transport, pollingInterval: 500 })
  const walletClient = createWalletClient({ account, transport })
  const nonce = await publicClient.getTransactionCount({ address: account.address })
  const balance = await publicClient.getBalance({ address: account.address })

  console.log(`chain ${config.chainId}, deployer ${account.address} (nonce ${nonce}, ${formatEther(balance)} for gas)`)
  for (const [name, address] of Object.entries(predictAddresses(account.address, nonce, config)))
    console.log(`  ${name.padEnd(9)}${address}`)
  for (const [name, value] of Object.entries(config)) console.log(`  ${name.padEnd(13)}${JSON.stringify(value)}`)
  if (!values.broadcast) {
    const gas = await checkDeployment({ publicClient, deployer: account.address, config })
    console.log(`dry run: about ${gas} gas, nothing was sent. Repeat with --broadcast to deploy.`)
    return
  }

  const deployment = await deployMarket({ publicClient, walletClient, config, onStep: (step) => console.log(`- ${step}`) })
  const json = `${JSON.stringify(deployment, null, 2)}\n`
  try {
    writeFileSync(out, json, { flag: 'wx' })
  } catch (error) {
    throw new Error(`deployed and verified, but ${out} could not be written (${(error as Error).message}). Keep this:\n${json}`)
  }
  console.log(`deployed and verified, written to ${out}`)
}

function deployer(chainId: number) {
  const key = process.env.RACKFAIR_DEPLOYER_KEY
  if (key) return privateKeyToAccount(key as Hex)
  if (chainId === DEVELOPMENT_CHAIN_ID) return developmentAccount(0)
  throw new Error('set RACKFAIR_DEPLOYER_KEY to the private key of the deployer')
}
