import type { OrderWire } from '@rackfair/core/wire'
import type { ReactNode } from 'react'
import { CancelDialog } from './CancelDialog.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'

export type OrderDialog = 'cancel' | 'confirm' | 'clean'

/** Draws the dialog that cleans an order's machine; it belongs to the deploy feature, so a route hands it in. */
export type RenderClean = (order: OrderWire, onClose: () => void) => ReactNode

export interface OrderDialogsProps {
  order: OrderWire
  dialog: OrderDialog | undefined
  onClose: () => void
  renderClean: RenderClean
}

/** The dialog of an order that is open, if one is. */
export function OrderDialogs({ order, dialog, onClose, renderClean }: OrderDialogsProps) {
  if (dialog === 'cancel') return <CancelDialog order={order} onClose={onClose} />
  if (dialog === 'confirm') return <ConfirmDialog order={order} onClose={onClose} />
  return dialog === 'clean' ? renderClean(order, onClose) : null
}
