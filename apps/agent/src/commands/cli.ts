import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import { createErrorGuard } from '@rackfair/rules/errors/errorGuard'
import { Command, Option } from 'commander'
import pino from 'pino'
import { type AgentConfig, loadConfig } from '../config/agentConfig.ts'
import { checkLines } from '../foundation/Check.ts'
import { EX_CONFIG } from '../foundation/exitCodes.ts'
import { redacted } from '../foundation/hiddenSecrets.ts'
import { createLog, LOG_LEVELS, type LogLevel } from '../foundation/log.ts'
import { timesOfProcess } from '../foundation/times.ts'
import { AGENT_VERSION } from '../foundation/version.ts'
import { runApart } from '../runtime/apart.ts'
import { createOutput, printError } from './output.ts'

/** A command loads its modules on demand: chain, engine and hardware together take most of a second to load. */
const load = {
  doctor: () => import('./doctor/doctor.ts'),
  proveCluster: () => import('./proveCluster.ts'),
  halt: () => import('./halt.ts'),
  init: () => import('./init.ts'),
  installService: () => import('./installService.ts'),
  importNodes: () => import('./nodeFile/importNodes.ts'),
  maintenance: () => import('./maintenance.ts'),
  machine: () => import('./machineCommands.ts'),
  nodes: () => import('./nodeCommands.ts'),
  payout: () => import('./payout.ts'),
  pledge: () => import('./pledgeCommands.ts'),
  prices: () => import('./prices/followPrices.ts'),
  register: () => import('./register.ts'),
  start: () => import('../start.ts'),
  uninstallService: () => import('./uninstallService.ts'),
  uptime: () => import('./uptime.ts'),
  withdraw: () => import('./withdraw.ts'),
}

/** What Docker or a cluster starts is not this process's to end, and has other process ids. */
const startsOwnEngine = (config?: AgentConfig) => !config?.dockerSocket && !config?.kubernetes
const OVERSELL = 'offer more than the machine has; remembered in the configuration'
const collect = (value: string, before: string[] = []) => [...before, value]
const DEFAULT_CONFIG = process.getuid?.() === 0 ? '/etc/rackfair/agent.json' : 'rackfair-agent.json'

const program = new Command('rackfair-agent')
  .description('Runs the orders of the Rackfair market on this machine')
  .version(AGENT_VERSION)
  .showHelpAfterError()

const withConfig = (command: Command) =>
  command
    .option('--config <file>', 'configuration file', DEFAULT_CONFIG)
    .option('--data <folder>', 'where the agent keeps its state (default: data beside the configuration)')
    .option('--json', 'print the result as JSON, and the progress on stderr', false)
    .option('--yes', 'ask no questions', false)

withConfig(program.command('init'))
  .description('detect the hardware, make the operator key, register the provider and its nodes')
  .option('--rpc <url>', 'RPC of the chain')
  .option('--rpc-file <file>', 'a file that holds it, where the address contains a key')
  .option('--platform <url>', 'platform to connect to; may be repeated', collect)
  .option('--provider <address>', 'the provider, when its key is not in RACKFAIR_PROVIDER_KEY')
  .option('--access <address>', 'the Access contract, where it is not a known deployment')
  .option('--purses <address>', 'the factory of purses, where it is not of a known deployment')
  .option('--deployment <file>', 'a deployment file that names both')
  .option('--name <name>', 'name of the provider (default: this machine)')
  .option('--ip <address>', 'address that buyers reach the gateway at (default on the local chain: 127.0.0.1)')
  .option('--domain <name>', 'domain whose wildcard leads to the gateway')
  .option('--edge <edge>', 'reach it through this edge, edge.example#FINGERPRINT, without an open port; may be repeated', collect)
  .option('--acme-terms', 'agree to the terms of Let’s Encrypt, whose certificates names below an edge then get', false)
  .option('--gateway-host <address>', 'address the gateway listens on')
  .option('--gateway-port <port>', 'port of the gateway (default: 7070)')
  .option('--gateway-port-range <from-to>', 'a port of its own for each order, or none (default: the 100 above)')
  .option('--pledge <usd>', 'pledge in USD (default: what is pledged, or the penalty of the offered nodes, at least 10)')
  .option('--nodes <count>', 'nodes to split this machine into (default: 2)')
  .option('--cpu-price <usd>', 'per processor and month (default: the market, else the price list)')
  .option(
    '--gpu-price <usd>',
    'per GPU and month; MODEL=USD for one model, other=USD where no price is known; may be given more than once',
    collect,
  )
  .option('--memory-price <usd>', 'per GB and month')
  .option('--disk-price <usd>', 'per GB and month')
  .option('--oversell', OVERSELL, false)
  .option('--docker-socket <path>', 'use Docker at this socket instead of podman')
  .option('--image-cache <folder>', 'where built images are kept as tar files')
  .option('--start', 'keep running as the agent when everything is ready', false)
  .action(async (options) => {
    await (await load.init()).init(options, createOutput(options))
    if (options.start) await run(options)
  })

withConfig(program.command('start'))
  .description('run the agent')
  .addOption(new Option('--log-level <level>', 'the lowest level to log').choices(LOG_LEVELS).default('info'))
  .action(run)

withConfig(program.command('halt'))
  .description('stop what an agent that was killed left running; data, images and state stay')
  .action(async (options) => (await load.halt()).halt(loadConfig(options.config), dataOf(options), createOutput(options)))

withConfig(program.command('doctor'))
  .description('check every requirement of this machine')
  .action(async (options) => {
    const config = existsSync(options.config) ? loadConfig(options.config) : undefined
    if (startsOwnEngine(config) && (await runApart())) return
    const output = createOutput(options)
    const checks = await (await load.doctor()).doctor(config, { data: dataOf(options), say: output.say })
    output.result(checks, checkLines(checks))
    if (checks.some((one) => !one.ok)) process.exitCode = 1
  })

withConfig(program.command('register'))
  .description('say on chain who the provider is, where it is reached, and which key is its operator')
  .option('--name <name>', 'name of the provider')
  .option('--pledge <usd>', 'pledge in USD', '1')
  .action(async (options) => (await load.register()).register(loadConfig(options.config), options, createOutput(options)))

const node = program.command('node').description('the nodes of this provider')
const withNode = (command: Command) =>
  withConfig(command)
    .option('--cpu-model <name>')
    .option('--cpus <count>', 'processors')
    .option('--cores <count>', 'cores offered of each processor')
    .option('--cpu-price <usd>', 'per processor and month')
    .option('--gpu-model <name>')
    .option('--gpus <count>')
    .option('--gpu-price <usd>', 'per GPU and month')
    .option('--memory <gb>')
    .option('--memory-price <usd>', 'per GB and month')
    .option('--disk <gb>')
    .option('--disk-price <usd>', 'per GB and month')
    .option('--oversell', OVERSELL, false)
withNode(node.command('add'))
  .description('offer another node')
  .option('--another', 'even if an unsold node is just like it', false)
  .action(async (options) => (await load.nodes()).addNode(nodeContext(options), options, createOutput(options)))
withNode(node.command('edit <id>'))
  .description('change an unsold node')
  .action(async (id, options) => (await load.nodes()).editNode(nodeContext(options), id, options, createOutput(options)))
withConfig(node.command('import <file>'))
  .description('make the nodes those of a .csv or .yaml file; nothing is sent unless all of it is right')
  .option('--dry-run', 'say what would be sent', false)
  .option('--oversell', OVERSELL, false)
  .action(async (file, options) =>
    (await load.importNodes()).importNodes(nodeContext(options), file, options.dryRun, createOutput(options)),
  )
withConfig(node.command('remove <id>'))
  .description('delete an unsold node')
  .action(async (id, options) => (await load.nodes()).removeNode(loadConfig(options.config), id, createOutput(options)))
withConfig(node.command('drain <id>'))
  .description('take a node off the market; what runs keeps running')
  .option('--undo', 'put it back', false)
  .action(async (id, options) =>
    (await load.nodes()).drainNode(loadConfig(options.config), id, options.undo, createOutput(options)),
  )

withConfig(node.command('term <id> <time>'))
  .description('sell a node for at least this time, such as 2h, 3d or 1mo; what runs keeps running')
  .action(async (id, time, options) => (await load.nodes()).setTerm(loadConfig(options.config), id, time, createOutput(options)))

withConfig(program.command('images').argument('<action>', 'sync').argument('[presets...]'))
  .description('build or pull the images of these applications, or of all that this machine can run, and pin them')
  .option('--update', 'pull again what is already here', false)
  .action(async (action, presets, options) => {
    if (action !== 'sync') throw new AppError('bad_request', 'images knows one action: sync')
    return (await load.machine()).syncImages(
      loadConfig(options.config),
      dataOf(options),
      { names: presets, update: options.update },
      createOutput(options),
    )
  })
withConfig(program.command('self-test'))
  .description('run nginx once on this machine, visit it, clean up')
  .action(async (options) => {
    const config = loadConfig(options.config)
    if (startsOwnEngine(config) && (await runApart())) return
    await (await load.machine()).selfTest(config, dataOf(options), createOutput(options))
  })
withConfig(program.command('conformance'))
  .description('try on the cluster of the configuration what no tenant may do there')
  .action(async (options) => (await load.proveCluster()).proveCluster(loadConfig(options.config), createOutput(options)))
withConfig(program.command('status'))
  .description('what runs, and what the chain says')
  .action(async (options) => (await load.machine()).status(loadConfig(options.config), dataOf(options), createOutput(options)))
withConfig(program.command('logs <order>'))
  .description('what the application of an order wrote')
  .option('--lines <count>', 'how many lines', '200')
  .action(async (order, options) =>
    (await load.machine()).logs(loadConfig(options.config), dataOf(options), order, options.lines, createOutput(options)),
  )
withConfig(program.command('uptime <order>'))
  .description('list what monitors acknowledged for an order, and which of them reported otherwise')
  .option('--dispute', 'prove it on the chain: the monitor loses a part of its bond, and its votes of the period', false)
  .action(async (order, options) =>
    (await load.uptime()).uptime(loadConfig(options.config), dataOf(options), order, options.dispute, createOutput(options)),
  )
withConfig(program.command('maintenance [nodes...]'))
  .description('announce maintenance, during which downtime carries no penalty; without times, list what is announced')
  .option('--from <time>', 'start, at least 24 hours ahead, such as 2030-01-31T02:00Z')
  .option('--until <time>', 'end; a node has 8 hours per 30-day month')
  .option('--withdraw', 'withdraw the announcement of these nodes and times', false)
  .action(async (nodes, options) =>
    (await load.maintenance()).maintenance(loadConfig(options.config), { nodes, ...options }, createOutput(options)),
  )
withConfig(program.command('withdraw'))
  .description('pay out what the provider earned')
  .option('--to <address>', 'to another address than the provider')
  .action(async (options) => {
    await (await load.withdraw()).withdraw(loadConfig(options.config), options.to, createOutput(options))
  })
withConfig(program.command('payout'))
  .description('withdraw to the address of the configuration once enough was earned; for a timer')
  .option('--dry-run', 'say what would be sent', false)
  .action(async (options) =>
    (await load.payout()).payout(loadConfig(options.config), dataOf(options), options, createOutput(options)),
  )
withConfig(program.command('prices'))
  .description('move the prices of unsold nodes by the rules of the configuration; for a timer')
  .option('--dry-run', 'say what would be sent', false)
  .action(async (options) =>
    (await load.prices()).followPrices(loadConfig(options.config), dataOf(options), options, createOutput(options)),
  )
withConfig(program.command('unpledge <usd>'))
  .description('take back part of the pledge, or all')
  .action(async (amount, options) => (await load.pledge()).unpledge(loadConfig(options.config), amount, createOutput(options)))
withConfig(program.command('interest'))
  .description('what interest the pledge has earned')
  .option('--withdraw', 'pay it out', false)
  .action(async (options) => (await load.pledge()).interest(loadConfig(options.config), options.withdraw, createOutput(options)))
withConfig(program.command('service').argument('<action>', 'install'))
  .description('install: run the agent at every start of this machine (systemd); uninstall: remove all that it made here')
  .option('--root <folder>', 'write the unit below another root, without starting it', '/')
  .option('--force', 'uninstall even if orders run here: their data is lost', false)
  .action(async (action, options) => {
    if (action === 'uninstall')
      return (await load.uninstallService()).uninstallService(
        loadConfig(options.config),
        dataOf(options),
        options,
        createOutput(options),
      )
    if (action !== 'install') throw new AppError('bad_request', 'service knows two actions: install, uninstall')
    return (await load.installService()).installService(options.config, dataOf(options), options.root, createOutput(options))
  })

async function run(options: { config: string; data?: string; logLevel?: LogLevel }): Promise<void> {
  let stopping = false
  const stop = (code = 0, choice?: { stopWorkloads: boolean }) => {
    if (stopping) return
    stopping = true
    starting.then((agent) => agent.stop(choice)).then(() => process.exit(code), fail)
  }
  const { startAgent } = await load.start()
  // Errors of libraries contain the addresses they requested. No key may reach the log.
  const logger = pino(
    { base: null, timestamp: pino.stdTimeFunctions.isoTime, level: options.logLevel ?? 'info' },
    { write: (line) => void process.stdout.write(redacted(line)) },
  )
  const log = createLog(logger)
  const guard = createErrorGuard({
    now: () => performance.now(),
    report: (facts, message) => log.error(message, facts),
    end: () => process.exit(1),
  })
  process.on('uncaughtException', guard.caught)
  const starting = startAgent({
    config: loadConfig(options.config),
    data: dataOf(options),
    logger,
    times: timesOfProcess(),
    uncaught: guard.count,
    onFatal: () => stop(EX_CONFIG, { stopWorkloads: false }),
  })
  await starting
  guard.serving()
  process.on('SIGTERM', () => stop())
  process.on('SIGINT', () => stop())
}

const nodeContext = (options: { config: string; data?: string; oversell: boolean }) => ({
  ...{ config: loadConfig(options.config), file: options.config, data: dataOf(options), oversell: options.oversell },
})

function dataOf(options: { config: string; data?: string }): string {
  return options.data ?? join(dirname(options.config), 'data')
}

function fail(error: unknown): void {
  const json = process.argv.includes('--json')
  if (error instanceof AppError)
    printError(json, error.code, [error.message, ...(typeof error.cause === 'string' ? [error.cause.trim()] : [])].join(': '))
  else printError(json, 'internal', (error as Error).stack ?? String(error))
  process.exitCode = 1
  // After a failed command nothing still running is worth waiting for.
  setTimeout(() => process.exit(), 100).unref()
}

program.parseAsync().catch(fail)
