import { join } from 'node:path'
import type { LocalMarket } from './deployContracts.ts'
import type { ProcessSpec } from './Supervisor.ts'

/** The platform on SQLite, serving the built web app and paying out the faucet. */
export function platformProcess(options: {
  root: string
  market: LocalMarket
  rpcUrl: string
  port: number
  stateDir: string
  web: string | undefined
}): ProcessSpec {
  return {
    name: 'platform',
    command: process.execPath,
    args: [
      join(options.root, 'apps', 'platform', 'src', 'main.ts'),
      ...['--port', String(options.port), '--rpc', options.rpcUrl, '--deployment', options.market.deploymentFile],
      ...['--data', join(options.stateDir, 'platform'), '--faucet-key-env', 'RACKFAIR_FAUCET_KEY'],
      ...(options.web === undefined ? [] : ['--web', options.web]),
    ],
    env: { RACKFAIR_FAUCET_KEY: options.market.faucetKey },
    isReady: async () => (await fetch(`http://127.0.0.1:${options.port}/readyz`, { signal: AbortSignal.timeout(5000) })).ok,
  }
}
