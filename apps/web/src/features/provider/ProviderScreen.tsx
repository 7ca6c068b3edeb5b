import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../lib/errors/useErrorText.ts'
import { Badge } from '../../ui/Badge.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { RequireWallet } from '../../wallet/index.ts'
import { providerMessages } from './messages.ts'
import { NotYetProvider } from './NotYetProvider.tsx'
import { ProviderOverview } from './ProviderOverview.tsx'
import { type OwnProvider, useOwnProvider } from './useOwnProvider.ts'

export function ProviderScreen() {
  const text = useMessages(providerMessages)
  const own = useOwnProvider()
  return (
    <Page>
      <PageTitle
        title={own.status === 'registered' ? (own.provider.displayName ?? own.provider.name) : text.title}
        badges={
          own.status === 'registered' && (
            <Badge tone={own.provider.online ? 'idle' : 'off'} dot>
              {own.provider.online ? text.nodes.online : text.nodes.offline}
            </Badge>
          )
        }
        actions={
          own.status === 'registered' ? (
            <ButtonLink to="/addnode">{text.addNode}</ButtonLink>
          ) : own.status === 'none' ? (
            <ButtonLink to="/addprovider" variant="primary">
              {text.becomeProvider}
            </ButtonLink>
          ) : undefined
        }
      />
      <RequireWallet>
        <OwnProviderBody own={own} />
      </RequireWallet>
    </Page>
  )
}

function OwnProviderBody({ own }: { own: OwnProvider }) {
  const text = useMessages(providerMessages)
  const errorText = useErrorText()
  switch (own.status) {
    case 'loading':
      return (
        <>
          <Skeleton size="panel" />
          <Skeleton size="panel" />
        </>
      )
    case 'failed':
      return (
        <ErrorState title={text.loadFailed} details={errorText(own.error).details} onRetry={own.retry} retrying={own.retrying}>
          {text.readSafe}
        </ErrorState>
      )
    case 'none':
      return <NotYetProvider />
    case 'registered':
      return <ProviderOverview key={own.provider.address} provider={own.provider} />
  }
}
