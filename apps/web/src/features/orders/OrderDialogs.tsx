import type { Order } from '@rackfair/rules/order/order'
import type { PowerAction } from '@rackfair/sdk/workspace'
import { type ReactNode, Suspense } from 'react'
import { lazyPart } from '../../platform/loading/lazyPart.ts'
import { CancelDialog } from './CancelDialog.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'

export type OrderDialog = 'cancel' | 'confirm' | 'clean' | PowerAction

const PowerDialog = lazyPart(() => import('./power/PowerDialog.tsx').then((module) => module.PowerDialog))

/** Renders the dialog that cleans an order's machine; it belongs to the deploy feature, so a route passes it in. */
export type RenderClean = (order: Order, onClose: () => void) => ReactNode

export interface OrderDialogsProps {
  order: Order
  dialog: OrderDialog | undefined
  onClose: () => void
  renderClean: RenderClean
}

/** The dialog of an order that is open, if one is. */
export function OrderDialogs({ order, dialog, onClose, renderClean }: OrderDialogsProps) {
  if (dialog === 'cancel') return <CancelDialog order={order} onClose={onClose} />
  if (dialog === 'confirm') return <ConfirmDialog order={order} onClose={onClose} />
  if (dialog === 'clean') return renderClean(order, onClose)
  if (dialog === undefined) return null
  return (
    <Suspense>
      <PowerDialog order={order} action={dialog} onClose={onClose} />
    </Suspense>
  )
}
