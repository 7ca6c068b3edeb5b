import { droppedBy } from '@rackfair/rules/order/money'
import type { Order } from '@rackfair/rules/order/order'
import { OrderStatus, shownStatus } from '@rackfair/rules/order/status'
import { useApplication } from '../../entities/order/useApplication.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Badge } from '../../ui/Badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { orderMessages } from './messages.ts'
import { applicationWord, type StatusWord, statusWord } from './statusWord.ts'

const TONES: Record<StatusWord, Tone> = {
  ready: 'idle',
  waiting: 'warn',
  starting: 'run',
  running: 'run',
  stopped: 'warn',
  finished: 'off',
  degraded: 'bad',
  failed: 'bad',
  expired: 'warn',
  completed: 'idle',
  userCancelled: 'off',
  providerCancelled: 'bad',
  dropped: 'bad',
  probationRefunded: 'off',
}

/** The state of an order in one word: what its application does, or how it ended. */
export function OrderStatusBadge({ order, now }: { order: Order; now: number }) {
  const text = useMessages(orderMessages)
  const { application, latest } = useApplication(order, now)
  const status = shownStatus(order, now)
  const isOn = status === OrderStatus.Created || status === OrderStatus.Active
  const word = droppedBy(order, now) ? 'dropped' : isOn ? applicationWord(status, application, latest) : statusWord(status)
  return (
    <>
      {application.state === 'present' && <span className="sr-only">{text.deployed}</span>}
      <Badge tone={TONES[word]} dot>
        {text.status[word]}
      </Badge>
    </>
  )
}
