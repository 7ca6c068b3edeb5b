#!/usr/bin/env node
import { dirname, join } from 'node:path'
import { AppError } from '@rackfair/core'
import { Command } from 'commander'
import { init } from './commands/init.ts'
import { createOutput } from './commands/output.ts'
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
    const agent = await startAgent({ config, data: options.data ?? join(dirname(options.config), 'data') })
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

function fail(error: unknown): void {
  const known = error instanceof AppError
  process.stderr.write(`rackfair-agent: ${known ? `${error.message} (${error.code})` : (error as Error).stack}\n`)
  process.exit(1)
}

program.parseAsync().catch(fail)
