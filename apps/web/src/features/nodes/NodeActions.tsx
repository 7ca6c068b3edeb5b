import { nodeBlocker } from '@rackfair/core'
import type { NodeWire } from '@rackfair/core/wire'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import type { ButtonSize } from '../../ui/buttonClass.ts'
import { nodeMessages } from './messages.ts'
import type { NodeRowProps } from './nodeRowProps.ts'
import { useBlockerText } from './useBlockerText.ts'

export interface NodeActionsProps extends Pick<NodeRowProps, 'user' | 'now' | 'buy' | 'detail' | 'runs'> {
  node: NodeWire
  size?: ButtonSize
}

/** Detail; Edit on one's own machine; Buy, or why not. */
export function NodeActions({ node, user, now, buy, detail, runs, size = 'md' }: NodeActionsProps) {
  const text = useMessages(nodeMessages)
  const blockerText = useBlockerText(now)
  const blocker = nodeBlocker(node, user, now)
  const reason = blocker && blocker.code !== 'own_node' ? blockerText(blocker) : undefined
  return (
    <div className="flex items-center justify-end gap-1">
      {detail && (
        <ButtonLink to={`/providerdetail?address=${node.cp}`} variant="quiet" size="sm" aria-label={text.detailOf(node.nodename)}>
          {text.detail}
        </ButtonLink>
      )}
      {user === node.cp && node.exist && (
        <ButtonLink to={`/addnode?id=${node.id}`} size={size} aria-label={text.editOf(node.nodename)}>
          {text.edit}
        </ButtonLink>
      )}
      {buy && blocker === undefined && (
        <ButtonLink
          to={`/addorder?provider=${node.cp}&node=${node.id}${runs ? `&run=${runs}` : ''}`}
          variant="accent"
          size={size}
          aria-label={text.buyOf(node.nodename)}
        >
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
