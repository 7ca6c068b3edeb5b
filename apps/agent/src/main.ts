#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '@rackfair/core'
import { Command } from 'commander'
import { doctor } from './commands/doctor.ts'
import { init } from './commands/init.ts'
import { installService, logs, selfTest, status, syncImages } from './commands/machineCommands.ts'
import { createOutput } from './commands/output.ts'
import { addNode, drainNode, editNode, withdraw } from './commands/providerCommands.ts'
import { register } from './commands/register.ts'
import { startAgent } from './commands/startAgent.ts'
import { loadConfig } from './config/agentConfig.ts'
import { AGENT_VERSION } from './version.ts'

const DEFAULT_CONFIG = process.getuid?.() === 0 ? '/etc/rackfair/agent.json' : 'rackfair-agent.json'

const program = new Command('rackfair-agent')
  .description('Runs the orders of the Rackfair market on this machine')
  .version(AGENT_VERSION)
  .showHelpAfterError()

const withConfig = (command: Command) =>
  command
    .option('--config <file>', 'configuration file', DEFAULT_CONFIG)
    .option('--data <folder>', 'where the agent keeps its state (default: data beside the configuration)')
    .option('--json', 'print the result as JSON', false)

withConfig(program.command('init'))
  .description('detect the hardware, make the operator key, register the provider and its nodes')
  .requiredOption('--rpc <url>', 'RPC of the chain')
  .requiredOption('--platform <url>', 'platform to connect to')
  .option('--provider <address>', 'the provider, when its key is not in RACKFAIR_PROVIDER_KEY')
  .option('--access <address>', 'the Access contract, where it is not a known deployment')
  .option('--deployment <file>', 'a deployment file that names it')
  .option('--name <name>', 'name of the provider (default: this machine)')
  .option('--ip <address>', 'address that buyers reach the gateway at (default on the local chain: 127.0.0.1)')
  .option('--domain <name>', 'domain whose wildcard leads to the gateway')
  .option('--gateway-host <address>', 'address the gateway listens on')
  .option('--gateway-port <port>', 'port of the gateway', '7070')
  .option('--gateway-port-range <from-to>', 'a port of its own for each order')
  .option('--pledge <usd>', 'pledge in USD', '10')
  .option('--nodes <count>', 'nodes to split this machine into', '2')
  .option('--docker-socket <path>', 'use Docker at this socket instead of podman')
  .option('--image-cache <folder>', 'where built images are kept as tar files')
  .option('--yes', 'ask nothing', false)
  .action((options) => init(options, createOutput(options.json)))

withConfig(program.command('start'))
  .description('run the agent')
  .action(async (options) => {
    const config = loadConfig(options.config)
    const agent = await startAgent({ config, data: dataOf(options) })
    let stopping = false
    const stop = () => {
      if (stopping) return
      stopping = true
      agent.stop().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      )
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })

withConfig(program.command('doctor'))
  .description('check every requirement of this machine')
  .action(async (options) => {
    const config = existsSync(options.config) ? loadConfig(options.config) : undefined
    const checks = await doctor(config, dataOf(options))
    const text = checks.map(
      (one) => `${one.ok ? 'pass' : 'FAIL'}  ${one.name}: ${one.found}${one.fix ? `\n      ${one.fix}` : ''}`,
    )
    createOutput(options.json).result(checks, text.join('\n'))
    if (checks.some((one) => !one.ok)) process.exitCode = 1
  })

withConfig(program.command('register'))
  .description('say on chain who the provider is, where it is reached, and which key is its operator')
  .option('--name <name>', 'name of the provider')
  .option('--pledge <usd>', 'pledge in USD', '1')
  .action((options) => register(loadConfig(options.config), options, createOutput(options.json)))

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
withNode(node.command('add'))
  .description('offer another node')
  .action((options) => addNode(loadConfig(options.config), options, createOutput(options.json)))
withNode(node.command('edit <id>'))
  .description('change an unsold node')
  .action((id, options) => editNode(loadConfig(options.config), id, options, createOutput(options.json)))
withConfig(node.command('drain <id>'))
  .description('take a node off the market; what runs goes on')
  .option('--undo', 'put it back', false)
  .action((id, options) => drainNode(loadConfig(options.config), id, options.undo, createOutput(options.json)))

withConfig(program.command('images').argument('<action>', 'sync').argument('[presets...]'))
  .description('build or pull the images of the catalogue and pin them by digest')
  .action((action, presets, options) => {
    if (action !== 'sync') throw new AppError('bad_request', 'images knows one action: sync')
    return syncImages(loadConfig(options.config), dataOf(options), presets, createOutput(options.json))
  })
withConfig(program.command('self-test'))
  .description('run nginx once on this machine, visit it, clean up')
  .action((options) => selfTest(loadConfig(options.config), createOutput(options.json)))
withConfig(program.command('status'))
  .description('what runs, and what the chain says')
  .action((options) => status(loadConfig(options.config), dataOf(options), createOutput(options.json)))
withConfig(program.command('logs <order>'))
  .description('what the application of an order wrote')
  .option('--lines <count>', 'how many lines', '200')
  .action((order, options) => logs(loadConfig(options.config), dataOf(options), order, options.lines))
withConfig(program.command('withdraw'))
  .description('pay out what the provider earned')
  .option('--to <address>', 'to another address than the provider')
  .action((options) => withdraw(loadConfig(options.config), options.to, createOutput(options.json)))
withConfig(program.command('service').argument('<action>', 'install'))
  .description('run the agent at every start of this machine (systemd)')
  .action((action, options) => {
    if (action !== 'install') throw new AppError('bad_request', 'service knows one action: install')
    return installService(options.config, dataOf(options), createOutput(options.json))
  })

function dataOf(options: { config: string; data?: string }): string {
  return options.data ?? join(dirname(options.config), 'data')
}

function fail(error: unknown): void {
  const known = error instanceof AppError
  process.stderr.write(`rackfair-agent: ${known ? `${error.message} (${error.code})` : (error as Error).stack}\n`)
  process.exit(1)
}

program.parseAsync().catch(fail)
