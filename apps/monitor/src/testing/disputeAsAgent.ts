import { lowerCaseAddress } from '@rackfair/rules/address'
import type { Address } from 'viem'
import type { ChainView } from '../../../agent/src/chain/read/chainView.ts'
import { createOutbox } from '../../../agent/src/chain/transactions/outbox.ts'
import { openAgentDb } from '../../../agent/src/db/openAgentDb.ts'
import { disputeFindings } from '../../../agent/src/uptime/disputeFindings.ts'
import type { MonitoredAgents, SimulatedAgent } from './setupMonitoredAgents.ts'

const silent = () => {}
const log = { debug: silent, info: silent, warn: silent, error: silent }

/** What an agent does about findings once per epoch, with its own outbox and the evidence that it holds. */
export async function disputeAsAgent({ market }: MonitoredAgents, { operator, provider, side }: SimulatedAgent) {
  const { client, addresses, contract, findings, calendar } = market
  const state = openAgentDb(':memory:')
  const outbox = createOutbox({
    ...{ db: state.db, account: operator, provider: provider.address, log, times: { transactionRetryMs: 1, receiptMs: 20 } },
    chain: { client, addresses, chainId: 2985 } as unknown as ChainView,
    onDone: async () => {},
  })
  const now = Number((await client.getBlock()).timestamp)
  const evidence = side.evidence
  const target = {
    client,
    monitors: contract as Address,
    findings,
    calendar,
    chainId: 2985,
    provider: lowerCaseAddress(provider.address),
  }
  await disputeFindings({ ...target, evidence, outbox, log, now })
  outbox.stop()
  state.close()
}
