import { MAINTENANCE } from '@rackfair/rules/uptime/maintenance'
import { type SendableCall, toAppError } from '@rackfair/sdk'
import type { Maintenance, MonitorsContract } from '@rackfair/sdk/uptime'
import { useState } from 'react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import type { Market } from '../../wallet/index.ts'
import { useMarket, useTransaction } from '../../wallet/index.ts'
import { maintenanceMessages } from './messages.ts'

/** Announces maintenance, or withdraws it. `refusal` says why the contract would not take it: then nothing was sent. */
export function useAnnouncement(account: `0x${string}`, monitors: MonitorsContract | undefined) {
  const text = useMessages(maintenanceMessages)
  const errorText = useErrorText()
  const format = useFormat()
  const market = useMarket()
  const { send: sendCalls, state, busy } = useTransaction()
  const [refusal, setRefusal] = useState<string>()

  const send = async (what: 'announce' | 'withdraw', maintenance: Maintenance): Promise<boolean> => {
    if (market.status !== 'ready' || !monitors) return false
    setRefusal(undefined)
    try {
      const calls = await callsOf(market.market, what, monitors, maintenance, account)
      const time = format.dateTime(maintenance.from)
      const receipt = await sendCalls(() => calls, {
        description: what === 'announce' ? text.describe(time) : text.describeWithdraw(time),
        success: what === 'announce' ? { title: text.announced, text: text.announcedText } : { title: text.withdrawn },
      })
      return receipt !== undefined
    } catch (error) {
      const refused = toAppError(error)
      // The form has asked the same of this browser's clock.
      const code = refused.code === 'bad_request' ? 'MaintenanceTooSoon' : refused.code
      setRefusal(text.refused[code as keyof typeof text.refused] ?? errorText(refused).full)
      return false
    }
  }
  return { send, refusal, state, busy }
}

/** The calls, of as many machines as the contract takes at once. @throws what the contract or the chain would answer one of them now. */
async function callsOf(
  { client }: Market,
  what: 'announce' | 'withdraw',
  monitors: MonitorsContract,
  { nodeIds, ...times }: Maintenance,
  account: `0x${string}`,
): Promise<SendableCall[]> {
  const [{ announceMaintenance, withdrawMaintenance }, actions] = await Promise.all([
    import('@rackfair/sdk/uptime'),
    import('./chainReads.ts'),
  ])
  const { timestamp } = await actions.getBlock(client)
  const make = what === 'announce' ? announceMaintenance : withdrawMaintenance
  const calls: SendableCall[] = []
  for (let at = 0; at < nodeIds.length; at += MAINTENANCE.maxNodes) {
    const some = { ...times, nodeIds: nodeIds.slice(at, at + MAINTENANCE.maxNodes) }
    calls.push(make(monitors, some, Number(timestamp)))
  }
  for (const call of calls) await actions.simulateContract(client, { ...call, account })
  return calls
}
