import { type Application, droppedBy, type Order, OrderStatus, shownStatus } from '@rackfair/core'
import { useMessages } from '../../i18n/useMessages.ts'
import { useApplication } from '../../lib/orders/useApplication.ts'
import { Badge } from '../../ui/Badge.tsx'
import type { Tone } from '../../ui/tone.ts'
import { orderMessages } from './messages.ts'
import { type StatusWord, statusWord } from './statusWord.ts'

const TONES: Record<StatusWord, Tone> = {
  ready: 'idle',
  waiting: 'warn',
  starting: 'run',
  running: 'run',
  expired: 'warn',
  completed: 'idle',
  userCancelled: 'off',
  providerCancelled: 'bad',
  dropped: 'bad',
  probationRefunded: 'off',
}

/** Before its time runs: whose turn it is. */
const CREATED: Partial<Record<Application['state'], StatusWord>> = { none: 'ready', busy: 'starting' }

/** The state of an order in a word, and Deployed beside it. */
export function OrderStatusBadge({ order, now }: { order: Order; now: number }) {
  const text = useMessages(orderMessages)
  const { application, latest } = useApplication(order, now)
  const status = shownStatus(order, now)
  const created = status === OrderStatus.Created ? CREATED[application.state] : undefined
  const word = droppedBy(order, now) ? 'dropped' : (created ?? statusWord(status))
  return (
    <>
      <Badge tone={TONES[word]} dot>
        {text.status[word]}
      </Badge>
      {application.state === 'present' && (
        <Badge tone={latest?.phase === 'Stopped' ? 'warn' : 'off'}>
          {latest?.phase === 'Stopped' ? text.stopped : latest?.phase === 'Finished' ? text.finished : text.deployed}
        </Badge>
      )}
    </>
  )
}
