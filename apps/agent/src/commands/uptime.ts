import { join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import { createCalendar } from '@rackfair/rules/uptime/epoch'
import { readMonitors } from '@rackfair/sdk/uptime'
import { createWalletClient, http } from 'viem'
import { openChain } from '../chain/read/chainView.ts'
import type { AgentConfig } from '../config/agentConfig.ts'
import { loadOperatorKey } from '../config/operatorKey.ts'
import { inspectReports, proveContradiction } from '../uptime/disputeReports.ts'
import { openEvidence } from '../uptime/openEvidence.ts'
import type { Output } from './output.ts'

/**
 * Lists what monitors acknowledged for an order, and which of them reported otherwise. With `dispute` each contradiction is proved on chain
 * by the operator's key, which takes a part of the monitor's bond and its votes of the period.
 */
export async function uptime(config: AgentConfig, data: string, order: string, dispute: boolean, output: Output): Promise<void> {
  if (!/^\d{1,19}$/.test(order)) throw new AppError('bad_request', `${order} is not the number of an order`)
  const chain = await openChain(config)
  const contract = await readMonitors(chain.client, chain.addresses.access)
  if (!contract) throw new AppError('not_deployed_on_chain', 'this market has no monitors')
  const evidence = openEvidence(join(data, 'evidence.sqlite'))
  try {
    const { address: monitors, findings, pace } = contract
    const reading = {
      client: chain.client,
      monitors,
      findings,
      calendar: createCalendar(pace),
      chainId: config.chainId,
      evidence,
    }
    const { words, contradictions } = await inspectReports({ ...reading, now: (await chain.head()).timestamp }, BigInt(order))
    const sender = createWalletClient({ account: loadOperatorKey(config.operatorKeyFile), transport: http(config.rpcUrl) })
    const proved: string[] = []
    for (const one of dispute ? contradictions : []) {
      output.say(`${one.monitor} reports epoch ${one.epoch} as down and had acknowledged it`)
      proved.push(await proveContradiction(reading, sender, one))
    }
    const kept = [...words].map(([monitor, count]) => ({ monitor, acknowledgements: count }))
    const broken = contradictions.map(({ monitor, period, epoch }) => ({ monitor, period, epoch }))
    output.result({ kept, contradictions: broken, proved }, textOf(order, kept, broken, proved.length))
  } finally {
    evidence.close()
  }
}

function textOf(
  order: string,
  kept: readonly { monitor: string; acknowledgements: number }[],
  contradictions: readonly { monitor: string; epoch: number }[],
  proved: number,
): string {
  const lines = kept.map(({ monitor, acknowledgements }) => `${monitor}  ${acknowledgements} epochs acknowledged`)
  if (kept.length === 0) lines.push(`No monitor has acknowledged order ${order} in the periods that can still be disputed.`)
  if (contradictions.length === 0) return [...lines, 'No report contradicts them.'].join('\n')
  for (const { monitor, epoch } of contradictions) lines.push(`${monitor} reports epoch ${epoch} as down all the same`)
  lines.push(
    proved > 0
      ? `${proved} proved on chain, out of their bonds.`
      : 'Prove it with --dispute; half of what it costs them is yours.',
  )
  return lines.join('\n')
}
