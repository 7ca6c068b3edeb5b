import type { Provider } from '@rackfair/rules/provider/provider'
import { Fragment, type ReactNode } from 'react'
import { providerTexts } from '../../entities/provider/providerTexts.ts'
import { useOwnProvider } from '../../entities/provider/useOwnProvider.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { Badge } from '../../ui/Badge.tsx'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { RequireWallet } from '../../wallet/index.ts'
import { overviewMessages } from './messages.ts'

interface ProviderScreenProps {
  /** For a wallet that is no provider. */
  start: ReactNode
  children: (provider: Provider) => ReactNode
}

/** `/providerinfo`: the provider of the connected wallet. */
export function ProviderScreen({ start, children }: ProviderScreenProps) {
  const shared = useMessages(providerTexts)
  const text = useMessages(overviewMessages)
  const errorText = useErrorText()
  const own = useOwnProvider()
  const provider = own.data
  return (
    <Page>
      <PageTitle
        title={provider ? (provider.displayName ?? provider.name) : shared.title}
        badges={
          provider && (
            <Badge tone={provider.online ? 'idle' : 'off'} dot>
              {provider.online ? shared.online : shared.offline}
            </Badge>
          )
        }
        actions={
          provider ? (
            <ButtonLink to="/addnode">{text.addNode}</ButtonLink>
          ) : provider === null ? (
            <ButtonLink to="/addprovider" variant="primary">
              {shared.becomeProvider}
            </ButtonLink>
          ) : undefined
        }
      />
      <RequireWallet>
        <Loaded
          query={own}
          failed={shared.loadFailed}
          safe={shared.readSafe}
          details={(error) => errorText(error).details}
          skeleton={
            <>
              <Skeleton size="panel" />
              <Skeleton size="panel" />
            </>
          }
        >
          {(provider) => (provider ? <Fragment key={provider.address}>{children(provider)}</Fragment> : start)}
        </Loaded>
      </RequireWallet>
    </Page>
  )
}
