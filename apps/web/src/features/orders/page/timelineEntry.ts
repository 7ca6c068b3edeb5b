import { OrderStatus } from '@rackfair/rules/order/status'
import { eventAmount, type OrderEvent } from '@rackfair/sdk/http'
import type { MessagesOf } from '../../../i18n/defineMessages.ts'
import type { Format } from '../../../i18n/format.ts'
import type { Tone } from '../../../ui/tone.ts'
import type { en } from '../messages.en.ts'
import { statusWord } from '../statusWord.ts'

export interface TimelineEntry {
  key: string
  /** Unix seconds: whole ones for an event of the chain, with milliseconds for what the machine reported. */
  time: number
  tone: Tone
  text: string
  /** Why, in words. */
  reason?: string
  /** Undefined for what the machine reported. */
  transactionHash?: string
}

/** Compares two entries so that the newest comes first; of the same moment, the one whose key is later. */
export function byNewest(a: TimelineEntry, b: TimelineEntry): number {
  return b.time - a.time || b.key.localeCompare(a.key, 'en', { numeric: true })
}

/** An event of the chain as a sentence. One that this build does not know is shown under its own name. */
export function timelineEntry(
  event: OrderEvent,
  texts: MessagesOf<typeof en>,
  format: Format,
  providerName: string,
): TimelineEntry {
  const wei = (name: string) => format.usd(eventAmount(event, name), { max: 6 })
  const seconds = (name: string) => Number(event.args[name] ?? 0)
  const [tone, text] = ((): [Tone, string] => {
    switch (event.name) {
      case 'OrderCreated':
        return ['off', texts.events.created(wei('totalValue'))]
      case 'OrderActivated':
        return ['idle', texts.events.activated(providerName)]
      case 'OrderDeployed':
        return ['run', texts.events.deployed]
      case 'OrderConfirmed':
        return ['idle', texts.events.confirmed]
      case 'OrderExtended':
        return ['run', texts.events.extended(format.duration(seconds('duration'), 1), wei('paid'))]
      case 'OrderSettled':
        return ['off', texts.events.settled(wei('gross'), format.dateTime(seconds('upTo')))]
      case 'DowntimeCredited':
        return seconds('total') === 0
          ? ['off', texts.events.noDowntime(format.dateTime(seconds('asOf')))]
          : ['warn', texts.events.downtime(format.duration(seconds('total')))]
      case 'Found':
        return ['warn', texts.events.found(format.dateTime(seconds('finalAt')))]
      case 'FindingDropped':
        return ['off', texts.events.findingDropped]
      case 'DowntimeFinal':
        return ['warn', texts.events.downtimeFinal(format.duration(seconds('total')))]
      case 'MaintenanceFinal':
        return ['off', texts.events.maintenanceFinal(format.duration(seconds('maintenance')))]
      case 'PaymentPending':
        return ['off', texts.events.pending(wei('amount'), format.dateTime(seconds('until')))]
      case 'PendingSettled':
        return [
          'off',
          eventAmount(event, 'refunded') === 0n ? texts.events.pendingPaid : texts.events.pendingBack(wei('refunded')),
        ]
      case 'OrderClosed': {
        const status = seconds('status') as OrderStatus
        const word = texts.status[statusWord(status)]
        return [status === OrderStatus.ProviderCancelled ? 'bad' : 'off', texts.events.closedBack(word, wei('refunded'))]
      }
      case 'BuyerCompensated':
        return ['warn', texts.events.compensated(wei('fromPledge'))]
      case 'DowntimeCompensated':
        return ['warn', texts.events.downtimePaid(wei('amount'), format.duration(seconds('total')))]
      case 'OrderMoved':
        return ['idle', texts.events.moved(String(event.args.from ?? ''))]
      case 'AppSet': {
        const app = String(event.args.app ?? '')
        return ['run', app === '' ? texts.events.appNone : texts.events.app(app)]
      }
      default:
        return ['off', event.name]
    }
  })()
  return {
    key: `${event.block}-${event.logIndex}`,
    time: event.time,
    tone,
    text,
    transactionHash: event.transactionHash,
  }
}
