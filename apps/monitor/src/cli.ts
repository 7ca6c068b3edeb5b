import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { creditAbi, monitorsAbi } from '@rackfair/contracts'
import { isDevelopmentAccount } from '@rackfair/contracts/developmentAccounts'
import { receiptOf } from '@rackfair/contracts/receiptOf'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { createErrorGuard } from '@rackfair/rules/errors/errorGuard'
import { formatCredit } from '@rackfair/rules/money'
import { redactor } from '@rackfair/rules/text/redactor'
import { createCalendar } from '@rackfair/rules/uptime/epoch'
import { monitorPayWei } from '@rackfair/rules/uptime/monitorPay'
import { readAddresses } from '@rackfair/sdk'
import { isMonitorUrl, readMonitors } from '@rackfair/sdk/uptime'
import { pino } from 'pino'
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  type Hex,
  HttpRequestError,
  isAddress,
  isAddressEqual,
  isHex,
  RpcRequestError,
  TimeoutError,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createAddressesOf } from './createAddressesOf.ts'
import { createMetrics } from './createMetrics.ts'
import { createMonitor } from './createMonitor.ts'
import { explainRefusal } from './explainRefusal.ts'
import { createHardwareTester } from './hardware/createHardwareTester.ts'
import { openResults } from './hardware/openResults.ts'
import { openObservations } from './openObservations.ts'
import { createFleetReader } from './readFleet.ts'
import { rpcTransport } from './rpcTransport.ts'
import { scheduleOf } from './schedule.ts'
import { createOwnIps } from './standsApart.ts'
import { startServer } from './startServer.ts'

const HELP = `rackfair-monitor [address | join | key | claim | resign | withdraw] --rpc-file FILE --access ADDRESS --key-file FILE [options]

  Observes the nodes of a market, reports downtime, and submits what enough monitors agree on.
  address            prints the account of the key, which needs Credit for the bond and gas
  join               puts up the bond of 1,000 Credit first
  key                names another key that signs from then on; restart the monitor with it
  claim              takes what it was paid for its reports
  resign             stops monitoring
  withdraw           takes the bond back, 14 days after resigning

  --rpc-file FILE    holds the address of the chain's JSON-RPC, with the key that services put into it
  --rpc URL          the same on the command line, for an address without a key
  --access ADDRESS   the market's Access contract
  --key-file FILE    the monitor's private key, 0x and 64 hex digits
  --signing-key-file FILE
                     the key that signs for the monitor, if another; it holds no money
  --data DIR         what it saw, 400 days of it         (./monitor)
  --host, --port     where its reports are published     (127.0.0.1, 7080)
  --own-ip IP        an address that this machine is seen at, where it knows only a private one; may be given several times.
                     It is silent about machines of its own /24, with IPv6 /48
  --url URL          where others reach that; it is written on the chain. Without it nobody submits this monitor's votes but itself
`
/** EX_CONFIG of sysexits.h: a restart would not help. */
const EX_CONFIG = 78
/** Between two tries to reach a chain that does not answer. */
const RETRY_MS = 2_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rpc: { type: 'string' },
    'rpc-file': { type: 'string' },
    access: { type: 'string' },
    'key-file': { type: 'string' },
    'signing-key-file': { type: 'string' },
    data: { type: 'string', default: 'monitor' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '7080' },
    url: { type: 'string' },
    'own-ip': { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean', default: false },
  },
})
const { access, 'key-file': keyFile, 'rpc-file': rpcFile } = values
const [command = 'run', ...rest] = positionals
if (
  values.help ||
  (values.rpc === undefined) === (rpcFile === undefined) ||
  !keyFile ||
  !access ||
  !isAddress(access) ||
  rest.length > 0 ||
  !['run', 'address', 'join', 'key', 'claim', 'resign', 'withdraw'].includes(command)
) {
  process[values.help ? 'stdout' : 'stderr'].write(HELP)
  process.exit(values.help ? 0 : 2)
}
let redact = redactor([])
// Errors of libraries contain the addresses they requested. No key may reach the log.
const log = pino({}, { write: (line: string) => void process.stdout.write(redact(line)) })
const fail = (sentence: string): never => {
  log.error(sentence)
  process.exit(EX_CONFIG)
}
const account = readKey(keyFile)
const signer = values['signing-key-file'] === undefined ? account : readKey(values['signing-key-file'])
if (command === 'address') {
  process.stdout.write(`${account.address}\n`)
  process.exit(0)
}
const rpc = rpcFile === undefined ? (values.rpc as string) : readSecret(rpcFile)
if (!/^https?:/.test(rpc) || !URL.canParse(rpc)) fail(`${rpcFile ?? '--rpc'} holds no http address`)
redact = redactor([rpc])
const transport = rpcTransport(rpc)
const client = createPublicClient({ transport, cacheTime: 0, pollingInterval: 1_000 })
const writer = createWalletClient({ account, transport })
const { chainId, addresses, found } = await openMarket()
for (const { address } of [account, signer])
  if (chainId !== DEVELOPMENT_CHAIN_ID && isDevelopmentAccount(address))
    fail(`everybody has the key of ${address}: it cannot monitor chain ${chainId}`)
const { url } = values
if (url !== undefined && !isMonitorUrl(url, chainId))
  fail(`--url ${url}: other monitors read https:// with a name, of 128 characters at most`)
const named = values['own-ip']
for (const ip of named) if (isIP(ip) === 0) fail(`--own-ip ${ip}: this is not an IP address`)
const { address: monitors, findings, pace } = found ?? fail('the validator of this market is not a contract of monitors')
const contract = { address: monitors, abi: monitorsAbi } as const

try {
  if (command === 'run') await run()
  else await changeMembership(command)
} catch (error) {
  const reverted = error instanceof BaseError ? error.walk((one) => one instanceof ContractFunctionRevertedError) : undefined
  const data = reverted instanceof ContractFunctionRevertedError ? reverted.data : undefined
  if (data) fail(explainRefusal(data.errorName, data.args ?? []))
  log.error({ reason: String(error) }, 'it could not be done')
  process.exit(1)
}

/** The market, once its chain answers: a monitor may start before it. Other commands try once. */
async function openMarket() {
  let told = ''
  for (;;) {
    try {
      const [chainId, addresses, found] = await Promise.all([
        client.getChainId(),
        readAddresses(client, access as Address),
        readMonitors(client, access as Address),
      ])
      return { chainId, addresses, found }
    } catch (error) {
      const reason = String(error)
      if (!isAway(error) || command !== 'run') {
        log.error(
          { reason },
          isAway(error) ? 'the chain does not answer; nothing was sent, try again later' : 'the market cannot be read',
        )
        process.exit(1)
      }
      if (reason !== told) log.warn({ reason }, 'waiting for the chain')
      told = reason
      await sleep(RETRY_MS)
    }
  }
}

/** Whether the chain gave no answer, which a later try may get. */
function isAway(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause)
    if (one instanceof HttpRequestError || one instanceof RpcRequestError || one instanceof TimeoutError) return true
  return false
}

/** The single line of a file that holds a secret. No message contains any part of it. */
function readSecret(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return fail(`${file} cannot be read`)
  }
}

function readKey(file: string) {
  const key = readSecret(file)
  if (!isHex(key) || key.length !== 66) fail(`${file} holds no private key`)
  return privateKeyToAccount(key as Hex)
}

/** Agents take no other key for the monitor's, and it would report as down what does not answer it. */
async function requireNamedKey(): Promise<void> {
  const named = await client.readContract({ ...contract, functionName: 'keyOf', args: [account.address] })
  if (named !== zeroAddress && !isAddressEqual(named, signer.address))
    fail(
      `the chain names ${named} as the key that signs, and this one is ${signer.address}: name it with the command "key" first`,
    )
}

async function run(): Promise<void> {
  await requireNamedKey()
  const now = () => Math.floor(Date.now() / 1000)
  const [calendar, schedule] = [createCalendar(pace), scheduleOf(pace)]
  const observations = openObservations(join(values.data, 'observations.sqlite'), calendar)
  const guard = createErrorGuard({
    now: () => performance.now(),
    report: (facts, message) => log.error(facts, message),
    end: () => process.exit(1),
  })
  process.on('uncaughtException', guard.caught)
  const metrics = createMetrics(guard.count)
  const ownIps = createOwnIps({ named, url })
  const fleet = createFleetReader(client, addresses)
  const monitor = createMonitor({
    ...{
      account,
      signer,
      client,
      writer,
      chainId,
      addresses,
      monitors,
      findings,
      calendar,
      schedule,
      addressesOf: createAddressesOf(),
      observations,
      fleet,
      ownIps,
      metrics,
      now,
      log,
    },
  })
  const results = openResults(join(values.data, 'hardware.sqlite'))
  const testHardware = createHardwareTester({
    ...{ account, signer, client, chainId, addresses, monitors, calendar, results, fleet, ownIps, metrics, now, log },
  })
  const published = { host: values.host, port: Number(values.port), monitor: lowerCaseAddress(account.address) }
  const server = await startServer({ ...published, observations, hardware: results, calendar, metrics, now })
  log.info({ monitor: account.address, contract: monitors, port: server.port }, 'monitoring')
  guard.serving()
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const steps = { observe: monitor.observe, report: monitor.report, hardware: testHardware }
  const every = async (step: keyof typeof steps, pauseMs: number, failure: string) => {
    while (!stopping.signal.aborted) {
      await steps[step]().catch((error: unknown) => {
        metrics.failures.inc({ step })
        log.warn({ reason: String(error) }, failure)
      })
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  if (url !== undefined) await announce(url).catch((error: unknown) => log.warn({ reason: String(error) }, 'not announced'))
  await Promise.all([
    every('observe', schedule.observeMs, 'nodes cannot be observed'),
    every('report', schedule.reportMs, 'reports cannot be sent'),
    every('hardware', schedule.observeMs, 'hardware cannot be tested'),
  ])
  await server.stop()
  observations.close()
  results.close()
}

/** Announces on the chain where the reports are, once. */
async function announce(where: string): Promise<void> {
  if ((await client.readContract({ ...contract, functionName: 'urlOf', args: [account.address] })) === where) return
  await wait(await writer.writeContract({ ...contract, chain: null, functionName: 'announce', args: [where] }))
}

async function changeMembership(what: string): Promise<void> {
  if (what === 'claim') return claim()
  if (what === 'key')
    return wait(await writer.writeContract({ ...contract, chain: null, functionName: 'nameKey', args: [signer.address] }))
  if (what === 'resign') return wait(await writer.writeContract({ ...contract, chain: null, functionName: 'resign' }))
  if (what === 'withdraw') return wait(await writer.writeContract({ ...contract, chain: null, functionName: 'takeBond' }))
  const bond = await client.readContract({ ...contract, functionName: 'MIN_BOND' })
  const credit = { address: addresses.credit, abi: creditAbi, chain: null } as const
  await wait(await writer.writeContract({ ...credit, functionName: 'approve', args: [monitors, bond] }))
  await wait(await writer.writeContract({ ...contract, chain: null, functionName: 'join', args: [bond, signer.address] }))
}

async function claim(): Promise<void> {
  const [earned, pool, { length }] = await Promise.all([
    client.readContract({ ...contract, functionName: 'earned', args: [account.address] }),
    client.readContract({ ...contract, functionName: 'pool' }),
    client.readContract({ ...contract, functionName: 'monitors' }),
  ])
  log.info({ earned: formatCredit(earned), nextPeriod: formatCredit(monitorPayWei(pool, length)) }, 'Credit')
  await wait(await writer.writeContract({ ...contract, chain: null, functionName: 'takePay' }))
}

async function wait(hash: Hex): Promise<void> {
  const { status } = await receiptOf(client, hash)
  log.info({ hash, status }, 'sent')
  if (status !== 'success') process.exitCode = 1
}
