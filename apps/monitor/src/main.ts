import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { accessAbi, creditAbi, monitorsAbi } from '@rackfair/contracts'
import { isDevelopmentAccount } from '@rackfair/contracts/developmentAccounts'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/core'
import { readAddresses } from '@rackfair/sdk'
import { pino } from 'pino'
import { type Address, createPublicClient, createWalletClient, type Hex, http, isAddress, isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createMonitor } from './createMonitor.ts'
import { openObservations } from './openObservations.ts'
import { startServer } from './startServer.ts'

const HELP = `rackfair-monitor [join | resign] --rpc URL --access ADDRESS --key-file FILE [options]

  Observes the nodes of a market, reports downtime, and submits what enough monitors agree on.
  join               puts up the bond of 1,000 Credit first
  resign             stops monitoring; the bond can be taken back after 14 days

  --rpc URL          JSON-RPC of the chain
  --access ADDRESS   the market's Access contract
  --key-file FILE    the monitor's private key, 0x and 64 hex digits
  --data DIR         what it saw, 400 days of it         (./monitor)
  --host, --port     where its reports are published     (127.0.0.1, 7080)
  --peer URL         where another monitor publishes; once for each
`
const TICK_MS = 10_000
const RETRY_MS = 15_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rpc: { type: 'string' },
    access: { type: 'string' },
    'key-file': { type: 'string' },
    data: { type: 'string', default: 'monitor' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '7080' },
    peer: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  },
})
const { rpc, access, 'key-file': keyFile } = values
const [command = 'run', ...rest] = positionals
if (
  values.help ||
  !rpc ||
  !keyFile ||
  !access ||
  !isAddress(access) ||
  rest.length > 0 ||
  !['run', 'join', 'resign'].includes(command)
) {
  process.stderr.write(HELP)
  process.exit(values.help ? 0 : 2)
}
const log = pino()
const key = readFileSync(keyFile, 'utf8').trim()
if (!isHex(key) || key.length !== 66) throw new Error(`${keyFile} holds no private key`)
const account = privateKeyToAccount(key)
const transport = http(rpc, { retryCount: 3, timeout: 20_000 })
const client = createPublicClient({ transport, cacheTime: 0, pollingInterval: 1_000 })
const writer = createWalletClient({ account, transport })
const chainId = await client.getChainId()
if (chainId !== DEVELOPMENT_CHAIN_ID && isDevelopmentAccount(account.address))
  throw new Error(`everybody has the key of ${account.address}: it cannot monitor chain ${chainId}`)
const addresses = await readAddresses(client, access as Address)

if (command === 'run') await run()
else await changeMembership(command)

async function run(): Promise<void> {
  const now = () => Math.floor(Date.now() / 1000)
  const observations = openObservations(join(values.data, 'observations.sqlite'))
  const monitor = await createMonitor({
    ...{ account, client, writer, chainId, addresses, observations, peers: values.peer, now, retryMs: RETRY_MS, log },
  })
  const server = await startServer({ host: values.host, port: Number(values.port), monitor: account.address, observations, now })
  log.info({ monitor: account.address, contract: monitor.monitors, port: server.port }, 'monitoring')
  let stopped = false
  const stop = () => {
    stopped = true
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const every = async (step: () => Promise<void>, failure: string) => {
    while (!stopped) {
      await step().catch((error: unknown) => log.warn({ reason: String(error) }, failure))
      for (let waited = 0; waited < TICK_MS && !stopped; waited += 250) await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
  await Promise.all([every(monitor.observe, 'nodes cannot be observed'), every(monitor.report, 'reports cannot be sent')])
  await server.stop()
  observations.close()
}

async function changeMembership(what: string): Promise<void> {
  const address = await client.readContract({ address: addresses.access, abi: accessAbi, functionName: 'validator' })
  const contract = { address, abi: monitorsAbi, chain: null } as const
  const wait = async (hash: Hex) => {
    const { status } = await client.waitForTransactionReceipt({ hash })
    log.info({ hash, status }, what)
    if (status !== 'success') process.exitCode = 1
  }
  if (what === 'resign') return wait(await writer.writeContract({ ...contract, functionName: 'resign' }))
  const bond = await client.readContract({ ...contract, functionName: 'MIN_BOND' })
  const credit = { address: addresses.credit, abi: creditAbi, chain: null } as const
  await wait(await writer.writeContract({ ...credit, functionName: 'approve', args: [address, bond] }))
  await wait(await writer.writeContract({ ...contract, functionName: 'join', args: [bond] }))
}
