import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { DOOR_PORTS } from '@rackfair/protocol/door'
import { createErrorGuard } from '@rackfair/rules/errors/errorGuard'
import { redactor } from '@rackfair/rules/text/redactor'
import { readAddresses } from '@rackfair/sdk'
import { pino } from 'pino'
import { type Address, createPublicClient, http, isAddress } from 'viem'
import { loadCertificate } from './certificate.ts'
import { createChallengeZones } from './createChallengeZones.ts'
import { createEdge } from './createEdge.ts'
import { createMetrics, type Metrics } from './createMetrics.ts'
import { createSignerCheck } from './createSignerCheck.ts'
import { NO_RULES, readEdgeRules } from './edgeRules.ts'
import { listen } from './listen.ts'
import { type Book, openBook } from './openBook.ts'
import { toName } from './readServerName.ts'

const HELP = `rackfair-edge [fingerprint] --rpc-file FILE --access ADDRESS --zone NAME [options]

  Hands visitors to the agents of providers that have no open port. It can read none of what they say.
  fingerprint           prints what agents are configured with to know this edge

  --rpc-file FILE       holds the address of the chain's JSON-RPC, with the key that services put into it
  --rpc URL             the same on the command line, for an address without a key
  --access ADDRESS      the market's Access contract
  --zone NAME           the domain of this edge; *.NAME and all names below lead to this machine
  --data DIR            its certificate, and what it has given to whom      (./edge)
  --rules FILE          names for providers, what is blocked, gigabytes a month; read again on SIGHUP
  --host IP             where it listens                                    (0.0.0.0)
  --tls-port, --plain-port
                        for visitors                                        (443, 80)
  --control-port, --dial-port
                        for agents                                          (${DOOR_PORTS.control}, ${DOOR_PORTS.dial})
  --raw-ports FROM-TO   one for each provider                               (20000-20999)
  --dns DIR             writes there what a Knot DNS beside this edge needs, so that agents get certificates for all their names
  --dns-port PORT       of that name server                                 (53)
  --metrics-port PORT   for a Prometheus on this machine                    (5997)
  --drain SECONDS       how long visitors may go on when it is stopped      (20)
`
/** EX_CONFIG of sysexits.h: a restart would not help. */
const EX_CONFIG = 78
const RETRY_MS = 2_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rpc: { type: 'string' },
    'rpc-file': { type: 'string' },
    access: { type: 'string' },
    zone: { type: 'string' },
    data: { type: 'string', default: 'edge' },
    rules: { type: 'string' },
    host: { type: 'string', default: '0.0.0.0' },
    'tls-port': { type: 'string', default: '443' },
    'plain-port': { type: 'string', default: '80' },
    'control-port': { type: 'string', default: String(DOOR_PORTS.control) },
    'dial-port': { type: 'string', default: String(DOOR_PORTS.dial) },
    'raw-ports': { type: 'string', default: '20000-20999' },
    dns: { type: 'string' },
    'dns-port': { type: 'string', default: '53' },
    'metrics-port': { type: 'string', default: '5997' },
    drain: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
})
const [command = 'run', ...rest] = positionals
if (values.help || rest.length > 0 || !['run', 'fingerprint'].includes(command)) usage(values.help)
let redact = redactor([])
// Errors of libraries contain the addresses they requested. No key may reach the log.
const log = pino({}, { write: (line: string) => void process.stdout.write(redact(line)) })
const fail = (sentence: string): never => {
  log.error(sentence)
  process.exit(EX_CONFIG)
}
const named = toName(values.zone ?? '')
if (typeof named === 'string') usage(false)
const zone = (named as { name: string }).name
const certificate = await loadCertificate(values.data, zone)
if (command === 'fingerprint') {
  process.stdout.write(`${certificate.fingerprint}\n`)
  process.exit(0)
}
const { access, 'rpc-file': rpcFile } = values
if (!access || !isAddress(access) || (values.rpc === undefined) === (rpcFile === undefined)) usage(false)
const rpc = values.rpc ?? readLine(rpcFile as string)
if (!/^https?:/.test(rpc) || !URL.canParse(rpc)) fail(`${rpcFile ?? '--rpc'} holds no http address`)
redact = redactor([rpc])
await run()

function usage(isAsked: boolean): never {
  process[isAsked ? 'stdout' : 'stderr'].write(HELP)
  process.exit(isAsked ? 0 : 2)
}

/** The single line of a file that holds a secret. No message contains any part of it. */
function readLine(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return fail(`${file} cannot be read`)
  }
}

function portOf(name: 'tls-port' | 'plain-port' | 'control-port' | 'dial-port' | 'dns-port' | 'metrics-port'): number {
  const port = Number(values[name])
  return /^\d{1,5}$/.test(values[name]) && port <= 65_535 ? port : fail(`--${name} ${values[name]}: not a port`)
}

function rawPorts(): [number, number] {
  const [, from, to] = /^(\d{4,5})-(\d{4,5})$/.exec(values['raw-ports']) ?? []
  const range = [Number(from), Number(to)] as [number, number]
  const isRange = range[0] >= 1024 && range[0] <= range[1] && range[1] <= 65_535
  return isRange ? range : fail(`--raw-ports ${values['raw-ports']}: two ports from 1024 on, the smaller first`)
}

/** @throws Error where the folder cannot be written. */
function challengesOf({ places }: Book) {
  if (values.dns === undefined) return undefined
  const zones = createChallengeZones({ zone, data: values.data, folder: values.dns, port: portOf('dns-port'), places })
  zones.write()
  return zones
}

function rulesNow() {
  return values.rules === undefined ? NO_RULES : readEdgeRules(values.rules)
}

async function run(): Promise<void> {
  const drainSeconds = Number(values.drain)
  if (!(drainSeconds >= 0 && drainSeconds <= 3600)) fail(`--drain ${values.drain}: seconds, 3600 at most`)
  const ports = {
    control: portOf('control-port'),
    dial: portOf('dial-port'),
    tls: portOf('tls-port'),
    plain: portOf('plain-port'),
  }
  const guard = createErrorGuard({
    now: () => performance.now(),
    report: (facts, message) => log.error(facts, message),
    end: () => process.exit(1),
  })
  process.on('uncaughtException', guard.caught)
  const metrics = createMetrics(guard.count)
  const client = createPublicClient({ transport: http(rpc), cacheTime: 0 })
  const book = openBook(join(values.data, 'providers.sqlite'), { rawPorts: rawPorts(), now: () => Math.floor(Date.now() / 1000) })
  const edge = await (async () => {
    const rules = rulesNow()
    const { chainId, addresses } = await awaitMarket(client)
    const isSigned = createSignerCheck(client, addresses)
    const { host } = values
    return createEdge({
      host,
      ports,
      zone,
      rules,
      book,
      challenges: challengesOf(book),
      chainId,
      certificate,
      isSigned,
      metrics,
      log,
    })
  })().catch((error: Error) => fail(error.message))
  const served = await serveMetrics(metrics, portOf('metrics-port')).catch((error: Error) => fail(error.message))
  log.info({ zone, fingerprint: certificate.fingerprint, ...edge.ports, metrics: served.port }, 'open')
  guard.serving()
  process.on('SIGHUP', () => {
    try {
      edge.apply(rulesNow())
      log.info('the rules were read')
    } catch (error) {
      log.error({ reason: String(error) }, 'the rules stay as they were')
    }
  })
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
  })
  await edge.close(drainSeconds * 1000)
  served.close()
  book.close()
  log.info('closed')
}

/** The market, once its chain answers: an edge may start before it. */
async function awaitMarket(client: Parameters<typeof createSignerCheck>[0]) {
  for (let told = ''; ; ) {
    try {
      const [chainId, addresses] = await Promise.all([client.getChainId(), readAddresses(client, access as Address)])
      return { chainId, addresses }
    } catch (error) {
      const reason = String(error)
      if (reason !== told) log.warn({ reason }, 'waiting for the chain')
      told = reason
      await sleep(RETRY_MS)
    }
  }
}

async function serveMetrics(metrics: Metrics, port: number) {
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
    const isMetrics = request.url === '/metrics'
    response.setHeader('connection', 'close')
    if (!isMetrics) return void response.writeHead(request.url === '/healthz' ? 200 : 404).end()
    metrics.text().then(
      (text) => response.writeHead(200, { 'content-type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.maxConnections = 64
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { port: await listen(server, port, '127.0.0.1'), close }
}
