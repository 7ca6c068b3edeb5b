import { AppError, MAINTENANCE } from '@rackfair/core'
import type { ContractCall } from '@rackfair/sdk'
import type { Maintenance, MonitorsContract } from '@rackfair/sdk/uptime'
import { useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useErrorText } from '../../../lib/errors/useErrorText.ts'
import type { Market } from '../../../wallet/index.ts'
import { useMarket } from '../../../wallet/index.ts'
import { providerMessages } from '../messages.ts'
import { useMarketWrite } from '../useMarketWrite.ts'

/** Announces maintenance, or withdraws it. `refusal` says why the contract would not take it: then nothing was sent. */
export function useAnnouncement(account: `0x${string}`, monitors: MonitorsContract | undefined) {
  const text = useMessages(providerMessages).maintenance
  const errorText = useErrorText()
  const format = useFormat()
  const market = useMarket()
  const { write, state, busy } = useMarketWrite()
  const [refusal, setRefusal] = useState<string>()

  const send = async (what: 'announce' | 'withdraw', maintenance: Maintenance): Promise<boolean> => {
    if (market.status !== 'ready' || !monitors) return false
    setRefusal(undefined)
    try {
      const { calls, refused } = await callsOf(market.market, what, monitors, maintenance, account)
      if (refused) {
        setRefusal(text.refused[refused as keyof typeof text.refused] ?? refused)
        return false
      }
      const time = format.dateTime(maintenance.from)
      const receipt = await write(() => calls, {
        description: what === 'announce' ? text.describe(time) : text.describeWithdraw(time),
        success: what === 'announce' ? { title: text.announced, text: text.announcedText } : { title: text.withdrawn },
      })
      return receipt !== undefined
    } catch (error) {
      // The form has asked the same of this browser's clock.
      const isTooSoon = error instanceof AppError && error.code === 'bad_request'
      setRefusal(isTooSoon ? text.refused.MaintenanceTooSoon : errorText(error).full)
      return false
    }
  }
  return { send, refusal, state, busy }
}

/** The calls, of as many machines as the contract takes at once, and the name of the error with which it would answer one of them now. */
async function callsOf(
  { client }: Market,
  what: 'announce' | 'withdraw',
  monitors: MonitorsContract,
  { nodeIds, ...times }: Maintenance,
  account: `0x${string}`,
): Promise<{ calls: ContractCall[]; refused: string | undefined }> {
  const [{ announceMaintenance, withdrawMaintenance }, { BaseError, ContractFunctionRevertedError }, actions] = await Promise.all(
    [import('@rackfair/sdk/uptime'), import('viem'), import('viem/actions')],
  )
  const { timestamp } = await actions.getBlock(client)
  const make = what === 'announce' ? announceMaintenance : withdrawMaintenance
  const calls: ContractCall[] = []
  for (let at = 0; at < nodeIds.length; at += MAINTENANCE.maxNodes) {
    const some = { ...times, nodeIds: nodeIds.slice(at, at + MAINTENANCE.maxNodes) }
    // Monitors is not among the five contracts of an order, whose calls a transaction names.
    calls.push(make(monitors, some, Number(timestamp)) as unknown as ContractCall)
  }
  try {
    for (const call of calls) await actions.simulateContract(client, { ...call, account } as never)
    return { calls, refused: undefined }
  } catch (error) {
    const revert = error instanceof BaseError ? error.walk((one) => one instanceof ContractFunctionRevertedError) : null
    if (!(revert instanceof ContractFunctionRevertedError)) throw error
    return { calls, refused: revert.data?.errorName ?? revert.shortMessage }
  }
}
