import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MonitoredMarket } from '@rackfair/testkit'
import { bytesToHex, type HDAccount } from 'viem'
import { agentConfig, saveConfig } from '../../../agent/src/config/agentConfig.ts'
import { runCli } from '../../../agent/src/testing/runCli.ts'
import type { SimulatedAgent } from './setupMonitoredAgents.ts'

const keyOf = (account: HDAccount) => bytesToHex(account.getHdKey().privateKey ?? new Uint8Array())

/** Runs `rackfair-agent` as the first provider of the market would on its machine, with the evidence that its agent keeps there. */
export async function runAgent<Answer>(
  market: MonitoredMarket,
  { data, port, provider }: SimulatedAgent,
  args: readonly string[],
) {
  const config = join(data, 'agent.json')
  const operatorKeyFile = join(data, 'operator.key')
  const { accounts, deployment } = market.chain
  writeFileSync(operatorKeyFile, keyOf(accounts.operator), { mode: 0o600 })
  saveConfig(
    config,
    agentConfig.parse({
      ...{ instance: 'a9e417', chainId: 2985, rpcUrl: market.rpcUrl, access: deployment.access, provider: provider.address },
      ...{ operatorKeyFile, platforms: ['http://127.0.0.1:1'], gateway: { host: '127.0.0.1', port, publicHost: '127.0.0.1' } },
    }),
  )
  const at = ['--config', config, '--data', data, '--json', '--yes']
  return runCli<Answer>([...args, ...at], { providerKey: keyOf(accounts.provider) })
}
