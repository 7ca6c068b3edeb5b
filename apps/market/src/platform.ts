import { join } from 'node:path'
import type { LocalMarket } from './deployContracts.ts'
import type { ProcessSpec } from './Supervisor.ts'

/** The platform on SQLite, serving the built web app and paying out the faucet. */
export function platformProcess(options: {
  /** Its program file, as returned by `builtProgram`. */
  program: string
  market: LocalMarket
  rpcUrl: string
  port: number
  stateDir: string
  /** The built web app; undefined while a development server on `pagePort` serves it. */
  web: string | undefined
  pagePort: number
  siteFile: string | undefined
}): ProcessSpec {
  return {
    name: 'platform',
    command: process.execPath,
    args: [
      options.program,
      ...['--port', String(options.port), '--rpc', options.rpcUrl, '--deployment', options.market.deploymentFile],
      ...['--poll-ms', '1000'],
      // Everybody on this market calls from one address.
      ...['--rate-scale', '0'],
      ...['--data', join(options.stateDir, 'platform'), '--faucet-key-env', 'RACKFAIR_FAUCET_KEY'],
      ...(options.siteFile === undefined ? [] : ['--site', options.siteFile]),
      ...(options.web === undefined ? publicUrls(options.pagePort) : ['--web', options.web]),
    ],
    env: { RACKFAIR_FAUCET_KEY: options.market.faucetKey },
    isReady: async () => (await fetch(`http://127.0.0.1:${options.port}/readyz`, { signal: AbortSignal.timeout(5000) })).ok,
  }
}

/** The platform accepts requests from pages on another port only if their origin is configured. */
function publicUrls(port: number): string[] {
  return ['--public-url', `http://127.0.0.1:${port}`, '--public-url', `http://localhost:${port}`]
}
