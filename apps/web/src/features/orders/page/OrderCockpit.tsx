import { droppedBy } from '@rackfair/rules/order/money'
import { type Order, whoIs } from '@rackfair/rules/order/order'
import { isLive, standingOf } from '@rackfair/rules/order/status'
import { type ReactNode, Suspense, useState } from 'react'
import { useNow } from '../../../platform/browser/useNow.ts'
import { lazyPart } from '../../../platform/loading/lazyPart.ts'
import { useAccountState } from '../../../wallet/index.ts'
import { DroppedNotice } from '../DroppedNotice.tsx'
import { type OrderDialog, OrderDialogs, type RenderClean } from '../OrderDialogs.tsx'
import { OrderNotices } from '../OrderNotices.tsx'
import { RenewalNotice } from '../RenewalNotice.tsx'
import { AccessBand } from './AccessBand.tsx'
import { DowntimeNotice } from './DowntimeNotice.tsx'
import { EndNotice } from './EndNotice.tsx'
import { JobNotice } from './JobNotice.tsx'
import { MachineCard } from './MachineCard.tsx'
import { MoneyBand } from './MoneyBand.tsx'
import { MoveNotice } from './MoveNotice.tsx'
import { OrderHeader } from './OrderHeader.tsx'
import { OrderTabs } from './OrderTabs.tsx'
import { ProviderCard } from './ProviderCard.tsx'
import { WhoseOrder } from './WhoseOrder.tsx'

const AccessCard = lazyPart(() => import('../access/AccessCard.tsx').then((module) => module.AccessCard))
const DomainCard = lazyPart(() => import('../domains/DomainCard.tsx').then((module) => module.DomainCard))
const SshCard = lazyPart(() => import('../ssh/SshCard.tsx').then((module) => module.SshCard))

/** What belongs to other features, so that a route hands it in. */
export interface OrderParts {
  renderClean: RenderClean
  /** The latest deployment of the order in a line. */
  renderDeployment: (order: Order) => ReactNode
}

/** The page where a renter lives: what it is and what comes next, how it is reached, what it costs, what happens in it. */
export function OrderCockpit({ order, renderClean, renderDeployment }: OrderParts & { order: Order }) {
  const [dialog, setDialog] = useState<OrderDialog>()
  const now = useNow(NOW_MS)
  const account = useAccountState()
  const who = whoIs(order, account.lowerCase)
  const canSign = account.status === 'connected' && account.supported
  const mine = canSign && who === 'buyer'
  const dropped = droppedBy(order, now)
  return (
    <div className="order-page">
      <div className="order-band py-4">
        <OrderHeader order={order} now={now} mine={mine} onDialog={setDialog} />
      </div>
      <div className="order-notices">
        <WhoseOrder order={order} />
        {dropped && (
          <DroppedNotice order={order} dropped={dropped} who={who} onClose={canSign ? () => setDialog('cancel') : undefined} />
        )}
        {mine ? (
          <OrderNotices order={order} now={now} onCancel={() => setDialog('cancel')} />
        ) : (
          <RenewalNotice order={order} now={now} />
        )}
        {mine && standingOf(order, now) === 'active' && !dropped && <MoveNotice order={order} />}
        <DowntimeNotice order={order} />
        <EndNotice order={order} mine={mine} />
        {mine && <JobNotice order={order} now={now} onCancel={() => setDialog('cancel')} />}
      </div>
      <AccessBand order={order} now={now} mine={mine}>
        {renderDeployment(order)}
      </AccessBand>
      <MoneyBand order={order} mine={mine} />
      <div className="order-body">
        <OrderTabs order={order} mine={mine} />
        <div className="order-rail">
          <div>
            <MachineCard order={order} />
            <ProviderCard order={order} />
            {mine && isLive(standingOf(order, now)) && (
              <Suspense>
                <AccessCard order={order} />
                <SshCard order={order} />
                <DomainCard order={order} />
              </Suspense>
            )}
          </div>
        </div>
      </div>
      {(mine || (dropped && canSign)) && (
        <OrderDialogs order={order} dialog={dialog} onClose={() => setDialog(undefined)} renderClean={renderClean} />
      )}
    </div>
  )
}

/** What stands beside the ticking figures is drawn again less often. */
const NOW_MS = 5000
