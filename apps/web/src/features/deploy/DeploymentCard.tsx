import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { orderActions } from '@rackfair/rules/order/actions'
import { type Order, whoIs } from '@rackfair/rules/order/order'
import { isTerminal } from '@rackfair/rules/order/status'
import { useQuery } from '@tanstack/react-query'
import { keptApp } from '../../entities/deployment/keptApp.ts'
import { deploymentQuery, presetsQuery } from '../../entities/order/queries.ts'
import { VisitButton } from '../../entities/workspace/VisitButton.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Card } from '../../ui/Card.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useAccountState } from '../../wallet/index.ts'
import { DeploymentFacts } from './DeploymentFacts.tsx'
import { DeploymentProgress } from './DeploymentProgress.tsx'
import { deployMessages } from './messages.ts'

/** The latest deployment of an order, live. `action` draws Visit once it runs. */
export function DeploymentCard({ order, action = false }: { order: Order; action?: boolean }) {
  const text = useMessages(deployMessages)
  const format = useFormat()
  const deployment = useQuery(deploymentQuery(order.id))
  const presets = useQuery(presetsQuery)
  const now = useNow(15_000)
  const { lowerCase } = useAccountState()
  if (deployment.isError)
    return (
      <ErrorState title={text.latestFailed} details={deployment.error.message} onRetry={() => void deployment.refetch()}>
        {text.readSafe}
      </ErrorState>
    )
  const latest = deployment.data
  const canVisit = orderActions(order, latest, whoIs(order, lowerCase), now).visit === 'yes'
  const canEdit =
    latest?.phase === 'Failed' &&
    latest.deployId === OWN_APP_DEPLOY_ID &&
    keptApp(order.id) !== undefined &&
    !isTerminal(order.status)
  const preset = presets.data?.find((entry) => entry.id === latest?.deployId)
  const title = latest
    ? latest.deployId === 0
      ? text.cleaningOf
      : latest.deployId === OWN_APP_DEPLOY_ID
        ? text.ownTitle
        : (preset?.title ?? text.latest)
    : text.latest
  return (
    <Card title={title} aside={latest && text.requested(format.stamp(Math.floor(latest.requestedAt / 1000)))}>
      {latest ? (
        <>
          <DeploymentProgress deployment={latest} preset={preset} />
          <DeploymentFacts order={order} deployment={latest} />
          {canEdit && (
            <div className="mt-3 flex flex-wrap items-center gap-3">
              <ButtonLink to={`/orderdeploy/${order.id}/?app=own`} variant="primary">
                {text.editAgain}
              </ButtonLink>
              <span className="text-xs text-ink-3">{text.editAgainText}</span>
            </div>
          )}
          {action && canVisit && (
            <div className="mt-3">
              <VisitButton order={order} latest={latest} variant="primary" />
            </div>
          )}
        </>
      ) : latest === null ? (
        <p className="text-ink-2">{text.latestNone}</p>
      ) : (
        <Skeleton size="line" />
      )}
    </Card>
  )
}
