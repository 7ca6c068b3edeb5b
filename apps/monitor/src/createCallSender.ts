import { findingsAbi, marketAbi, monitorsAbi } from '@rackfair/contracts'
import { receiptOf } from '@rackfair/contracts/receiptOf'
import { withGasMargin } from '@rackfair/sdk'
import { type Address, BaseError, ContractFunctionRevertedError } from 'viem'
import type { MonitorOptions } from './MonitorOptions.ts'

const OF_MONITORS = ['commit', 'draw', 'reveal', 'earn'] as const
const OF_FINDINGS = ['submit', 'proveWrongImage', 'credit', 'finish', 'fund'] as const
type Call = (typeof OF_MONITORS)[number] | (typeof OF_FINDINGS)[number] | 'creditDowntime'
/** `failed`: the outcome is unknown. */
type Outcome = 'sent' | 'refused' | 'failed'

/**
 * Sends a call to `Monitors`, `Findings`, or the Market that it names; skips it if a simulation reverts, for example because another monitor was
 * faster.
 */
export function createCallSender({ account, client, writer, monitors, findings, metrics, log }: MonitorOptions) {
  const own = (name: Call) =>
    OF_MONITORS.some((one) => one === name) ? { address: monitors, abi: monitorsAbi } : { address: findings, abi: findingsAbi }
  return async (functionName: Call, args: readonly unknown[], market?: Address): Promise<Outcome> => {
    const call = {
      ...(market ? { address: market, abi: marketAbi } : own(functionName)),
      functionName,
      args,
      account,
    } as never
    try {
      const { request } = await client.simulateContract(call)
      const gas = withGasMargin(await client.estimateContractGas(call))
      const hash = await writer.writeContract({ ...request, gas } as never)
      const { status } = await receiptOf(client, hash)
      metrics.transactions.inc({ call: functionName, status })
      log.info({ call: functionName, hash, status }, 'sent')
      return status === 'success' ? 'sent' : 'failed'
    } catch (error) {
      if (error instanceof BaseError && error.walk((one) => one instanceof ContractFunctionRevertedError)) return 'refused'
      // Whatever is due is retried at the next step.
      log.warn({ call: functionName, reason: String(error) }, 'cannot be sent')
      return 'failed'
    }
  }
}
