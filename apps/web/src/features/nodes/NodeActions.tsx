import type { MarketNode } from '@rackfair/rules/node/node'
import { checkoutBlocker } from '@rackfair/rules/order/checkout'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import type { ButtonSize } from '../../ui/buttonClass.ts'
import { machinePath, purchasePath } from './machinePath.ts'
import { nodeMessages } from './messages.ts'
import type { NodeRowProps } from './nodeRowProps.ts'
import { useBlockerText } from './useBlockerText.ts'

export interface NodeActionsProps extends Pick<NodeRowProps, 'user' | 'now' | 'buy' | 'detail' | 'along'> {
  node: MarketNode
  size?: ButtonSize
}

/** Detail; Edit on one's own machine; Buy, or why not. */
export function NodeActions({ node, user, now, buy, detail, along, size = 'md' }: NodeActionsProps) {
  const text = useMessages(nodeMessages)
  const blockerText = useBlockerText(now)
  const blocker = checkoutBlocker({ machine: node }, { address: user }, { now, penalty: node.penalty })
  const reason = blocker && blocker.code !== 'own_node' ? blockerText(blocker) : undefined
  return (
    <div className="flex items-center justify-end gap-1">
      {detail && (
        <ButtonLink to={machinePath(node, along)} variant="quiet" size="sm" aria-label={text.detailOf(node.name)}>
          {text.detail}
        </ButtonLink>
      )}
      {user === node.provider && node.exist && (
        <ButtonLink to={`/addnode?id=${node.nodeId}`} size={size} aria-label={text.editOf(node.name)}>
          {text.edit}
        </ButtonLink>
      )}
      {buy && blocker === undefined && (
        <ButtonLink to={purchasePath(node, along)} variant="accent" size={size} aria-label={text.buyOf(node.name)}>
          {text.buy}
        </ButtonLink>
      )}
      {buy && reason && (
        <Button size={size} disabledReason={reason.long} reasonAs="tooltip">
          {reason.short}
        </Button>
      )}
    </div>
  )
}
