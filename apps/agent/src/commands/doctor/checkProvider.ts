import { createServer } from 'node:net'
import { MIN_GAS_WEI, MIN_PLEDGE_WEI } from '@rackfair/rules/limits'
import { formatCredit } from '@rackfair/rules/money'
import { readMarket } from '@rackfair/sdk'
import { dnsRecords } from '@rackfair/sdk/dnsRecords'
import { isAddressEqual } from 'viem'
import { openChain } from '../../chain/read/chainView.ts'
import { type AgentConfig, hasOwnOrigins } from '../../config/agentConfig.ts'
import { loadOperatorKey } from '../../config/operatorKey.ts'
import { ownCaa, ownCertificates } from '../../doors/edge/openEdges.ts'
import { gatewayAnswers } from '../../doors/gateway/gatewayAnswers.ts'
import { type Check, check } from '../../foundation/Check.ts'
import { hostOf } from '../../foundation/hiddenSecrets.ts'
import { checkCaa } from './checkCaa.ts'
import { checkCertificates } from './checkCertificates.ts'
import { checkTls } from './checkTls.ts'

const LOCAL_CHAIN = 2985
const MAX_DRIFT_SECONDS = 300

/** Checks that chain, platforms and gateway match the configuration. */
export async function checkProvider(config: AgentConfig, data: string): Promise<Check[]> {
  const { gateway } = config
  return [
    ...(await checkChain(config)),
    ...(await Promise.all(config.platforms.map(checkPlatform))),
    ...(await checkGateway(gateway)),
    ...(await checkNames(gateway, data)),
  ]
}

async function checkNames(gateway: AgentConfig['gateway'], data: string): Promise<Check[]> {
  const { domain, acme } = gateway
  if (!acme) return []
  const kept = checkCertificates(ownCertificates(data), Date.now())
  if (!domain) return [kept]
  return [
    kept,
    checkCaa(
      domain,
      ownCaa(gateway, data),
      await dnsRecords()
        .issuers(domain)
        .catch(() => undefined),
    ),
  ]
}

async function checkChain(config: AgentConfig): Promise<Check[]> {
  const checks: Check[] = []
  try {
    const operator = loadOperatorKey(config.operatorKeyFile)
    checks.push(check('operator key', true, operator.address, ''))
    const chain = await openChain(config)
    checks.push(check('chain', true, `${config.chainId} at ${hostOf(config.rpcUrl)}`, ''))
    const info = await chain.providerInfo()
    checks.push(check('provider registered', info.exist, info.exist ? info.name : 'no', 'run rackfair-agent register'))
    const appointed = isAddressEqual(info.operator, operator.address)
    const appoint = `the provider must call setOperator(${operator.address}); run rackfair-agent register`
    checks.push(check('operator appointed', appointed, info.operator, appoint))
    const { pledge, locked } = await readMarket(chain.client, chain.addresses, 'pledge', 'getPledge', [config.provider])
    const pledged = `${formatCredit(pledge, { max: 2 })} USD, ${formatCredit(locked, { max: 2 })} locked behind orders`
    checks.push(
      check(
        'pledge',
        pledge >= MIN_PLEDGE_WEI,
        pledged,
        'nobody can buy below 1 USD, nor a node whose penalty is more than is free; run rackfair-agent register --pledge 10',
      ),
    )
    checks.push(check('nodes listed', info.nNode > 0, String(info.nNode), 'run rackfair-agent node add'))
    const gas = await chain.client.getBalance({ address: operator.address })
    const fill = `send a little of the chain's own currency to ${operator.address}`
    checks.push(check('gas of the operator', gas > MIN_GAS_WEI, formatCredit(gas, { max: 6 }), fill))
    const drift = Math.abs(Date.now() / 1000 - (await chain.head()).timestamp)
    const right = config.chainId === LOCAL_CHAIN || drift < MAX_DRIFT_SECONDS
    const found = `${Math.round(drift)} s from the chain`
    checks.push(check('clock', right, found, 'synchronise the clock (chrony, systemd-timesyncd)'))
  } catch (error) {
    checks.push(check('chain and key', false, (error as Error).message, 'see the message'))
  }
  return checks
}

async function checkPlatform(url: string): Promise<Check> {
  const answer = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(5000) }).catch((error: Error) => error)
  const ok = answer instanceof Response && answer.ok
  const found = ok ? url : `${url}: ${answer instanceof Error ? answer.message : answer.status}`
  return check('platform', ok, found, 'check --platform and the network')
}

async function checkGateway(gateway: AgentConfig['gateway']): Promise<Check[]> {
  const { host, port, domain, portRange } = gateway
  const answers = await gatewayAnswers(gateway)
  const problem = answers ? undefined : await whyNotFree(host, port)
  const found = answers ? `${port}, the agent answers` : `${port} ${problem ?? 'free'}`
  const origin = domain ? `o-<order>.${domain}` : portRange ? `ports ${portRange.join(' to ')}` : 'one for all orders'
  const give = 'give one with init --domain or --gateway-port-range; without it, only public applications can run here'
  return [
    check('gateway port', problem === undefined, found, 'choose another with init --gateway-port or --gateway-host'),
    check('origin of each order', hasOwnOrigins(gateway), origin, give),
    checkTls(gateway),
  ]
}

function whyNotFree(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRINUSE' ? 'taken' : `cannot be opened at ${host} (${code})`),
    )
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}
