import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { type Chain, freePort, startChain } from '@rackfair/testkit'
import pino from 'pino'
import { createTestClient, http, toHex } from 'viem'
import { type InitChoices, init } from '../commands/init.ts'
import { type AgentConfig, loadConfig, saveConfig } from '../config/agentConfig.ts'
import { fasterTimes } from '../foundation/times.ts'
import { removeEngine } from '../runtime/engine/removeEngine.ts'
import { type StartOptions, startAgent } from '../start.ts'
import { startRelayPeer } from './relayPeer.ts'
import { createTestBuyer } from './testBuyer.ts'

/** Images are built and imported once; the agents of all tests read them here. */
export const IMAGE_CACHE = fileURLToPath(new URL('../../../../.rackfair/images', import.meta.url))

/** A market on a real chain with one provider on this machine, set up by `init` like a real one. */
export async function setupMarket(change: (config: AgentConfig) => AgentConfig = (config) => config, chainId?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-agent-'))
  const chain = chainId === undefined ? await startChain() : await startChainAs(chainId)
  const buyer = await createTestBuyer(chain)
  const peer = await startRelayPeer()
  const { provider, user, otherUser } = chain.accounts
  for (const account of [provider, user, otherUser]) await buyer.fund(account.address, 100_000n * ONE_CREDIT_WEI)
  const file = join(folder, 'config.json')
  const key = provider.getHdKey().privateKey
  process.env.RACKFAIR_PROVIDER_KEY = toHex(key as Uint8Array)
  const lines: string[] = []
  const runInit = (more: Partial<InitChoices> = {}) =>
    init(
      {
        config: file,
        rpc: chain.rpcUrl,
        platform: peer.url,
        access: chain.deployment.access,
        gatewayPort: String(gatewayPort),
        ip: '127.0.0.1',
        imageCache: IMAGE_CACHE,
        pledge: '100',
        nodes: '2',
        ...more,
      },
      {
        say: (line) => lines.push(line),
        result: (_value, text) => lines.push(text),
        ask: async (_question, otherwise) => otherwise,
        confirm: async () => true,
      },
    )
  const gatewayPort = await freePort()
  await runInit()
  saveConfig(file, change({ ...loadConfig(file), wipeAfterSeconds: 0, overcommitDisk: true }))
  return {
    folder,
    file,
    data: join(folder, 'data'),
    chain,
    buyer,
    peer,
    lines,
    runInit,
    provider: provider.address.toLowerCase() as `0x${string}`,
    gateway: `http://127.0.0.1:${gatewayPort}`,
    config: () => loadConfig(file),
    async close() {
      await peer.close()
      await chain.stop()
      await removeEngine(join(folder, 'data'), `/run/rackfair-${loadConfig(file).instance}`)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type TestMarket = Awaited<ReturnType<typeof setupMarket>>

/** The test keys are public, and the market can be deployed with them only on the development chain: it gets its chain id afterwards. */
async function startChainAs(chainId: number): Promise<Chain> {
  const chain = await startChain()
  const control = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) })
  await control.request({ method: 'anvil_setChainId', params: [chainId] } as never)
  return { ...chain, chainId }
}

/** Ports of applications which are not the gateway's own, wherever that is. */
export const portsBeside = (gatewayPort: number): [number, number] => [gatewayPort + 1, gatewayPort + 51]

/** The agent of a test market, in this process. */
export async function startTestAgent(market: TestMarket, options: Pick<StartOptions, 'clock' | 'onFatal' | 'times'> = {}) {
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(line) })
  const agent = await startAgent({ config: market.config(), data: market.data, logger, times: fasterTimes(10), ...options })
  await market.peer.connected()
  return { ...agent, lines }
}
