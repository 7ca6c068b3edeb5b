import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Chain, startChain } from '@rackfair/testkit'
import { pino } from 'pino'
import type { Settings } from '../src/settings/Settings.ts'
import { type Platform, startPlatform } from '../src/startPlatform.ts'
import { type Actor, actorOn } from './actorOn.ts'

export interface Market {
  chain: Chain
  platform: Platform
  settings: Settings
  act: Actor
  get<Body = unknown>(path: string, init?: RequestInit): Promise<{ status: number; headers: Headers; body: Body }>
  stop(): Promise<void>
}

/** Lower-case addresses, as the platform stores them. */
export function deploymentOf(chain: Chain): Settings['deployment'] {
  const { chainId, fromBlock, access, registry, pledge, market, credit, monitors, purseFactory } = chain.deployment
  const low = (address: string) => address.toLowerCase() as `0x${string}`
  return {
    chainId,
    fromBlock,
    access: low(access),
    registry: low(registry),
    pledge: low(pledge),
    market: low(market),
    credit: low(credit),
    monitors: low(monitors),
    purseFactory: purseFactory && low(purseFactory),
  }
}

/** Defaults of an installation without a site file. */
export const NO_LINKS: Settings['site'] = {
  explorerUrl: null,
  creditLink: null,
  walletConnectProjectId: null,
  walletConnectRelayUrl: 'wss://relay.walletconnect.org',
  mainnetRpcUrl: null,
  contact: null,
  social: [],
}

export function settingsFor(chain: Chain, dataFolder: string, change: Partial<Settings> = {}): Settings {
  return {
    role: 'all',
    host: '127.0.0.1',
    port: 0,
    rpcUrl: chain.rpcUrl,
    publicRpcUrl: chain.rpcUrl,
    wsUrl: undefined,
    pollMs: 50,
    dataFolder,
    databaseUrl: undefined,
    webFolder: undefined,
    presetsFolder: fileURLToPath(new URL('../../../presets/', import.meta.url)),
    faucetKey: undefined,
    minAgentVersion: undefined,
    smtp: undefined,
    origins: [],
    relayUrls: [],
    trustedProxies: 0,
    rateScale: 0,
    deployment: deploymentOf(chain),
    site: NO_LINKS,
    ...change,
  }
}

/** A real chain with the market on it and a platform that follows it, at `rpcUrl` if that stands before the chain. */
export async function startMarket(
  change: Partial<Settings> = {},
  clock?: () => number,
  rpcUrl?: (chain: Chain) => Promise<string>,
): Promise<Market> {
  const chain = await startChain()
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-platform-'))
  const settings = settingsFor(chain, folder, { ...(rpcUrl && { rpcUrl: await rpcUrl(chain) }), ...change })
  const platform = await startPlatform(settings, pino({ level: 'silent' }), { clock })
  const deadline = Date.now() + 120_000
  while (!(await fetch(`${platform.url}/readyz`)).ok && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50))
  return {
    chain,
    platform,
    settings,
    act: actorOn(chain),
    async get(path, init) {
      const wanted = Number(/minBlock=(\d+)/.exec(path)?.[1] ?? 0)
      for (;;) {
        const answer = await fetch(`${platform.url}${path}`, init)
        const text = await answer.text()
        // A busy machine may need longer than the platform waits by default.
        const isBehind =
          Number(answer.headers.get('x-rackfair-block') ?? wanted) < wanted || (answer.status === 404 && wanted > 0)
        if (isBehind && Date.now() < deadline) continue
        const isJson = answer.headers.get('content-type')?.includes('json')
        return { status: answer.status, headers: answer.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
      }
    },
    async stop() {
      await platform.stop()
      await chain.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
