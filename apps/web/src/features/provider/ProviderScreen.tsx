import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../lib/errors/useErrorText.ts'
import { Badge } from '../../ui/Badge.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { RequireWallet } from '../../wallet/index.ts'
import { providerMessages } from './messages.ts'
import { NotYetProvider } from './NotYetProvider.tsx'
import { ProviderOverview } from './ProviderOverview.tsx'
import { useOwnProvider } from './useOwnProvider.ts'

export function ProviderScreen() {
  const text = useMessages(providerMessages)
  const errorText = useErrorText()
  const own = useOwnProvider()
  const provider = own.data
  return (
    <Page>
      <PageTitle
        title={provider ? (provider.displayName ?? provider.name) : text.title}
        badges={
          provider && (
            <Badge tone={provider.online ? 'idle' : 'off'} dot>
              {provider.online ? text.nodes.online : text.nodes.offline}
            </Badge>
          )
        }
        actions={
          provider ? (
            <ButtonLink to="/addnode">{text.addNode}</ButtonLink>
          ) : provider === null ? (
            <ButtonLink to="/addprovider" variant="primary">
              {text.becomeProvider}
            </ButtonLink>
          ) : undefined
        }
      />
      <RequireWallet>
        <Loaded
          query={own}
          failed={text.loadFailed}
          safe={text.readSafe}
          details={(error) => errorText(error).details}
          skeleton={
            <>
              <Skeleton size="panel" />
              <Skeleton size="panel" />
            </>
          }
        >
          {(provider) => (provider ? <ProviderOverview key={provider.address} provider={provider} /> : <NotYetProvider />)}
        </Loaded>
      </RequireWallet>
    </Page>
  )
}
