import { providerTexts } from '../../entities/provider/providerTexts.ts'
import { useOwnProvider } from '../../entities/provider/useOwnProvider.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useParam } from '../../platform/browser/searchParams.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { RequireWallet } from '../../wallet/index.ts'
import { AddNode } from './form/AddNode.tsx'
import { EditNode } from './form/EditNode.tsx'
import { ownNodeMessages } from './messages.ts'

/** Adds a node, or edits the one that `?id=` names. */
export function AddNodeScreen() {
  const text = useMessages(ownNodeMessages).editNode
  const shared = useMessages(providerTexts)
  const errorText = useErrorText()
  const id = useParam('id')
  const own = useOwnProvider()
  const node = own.data?.nodes.find((entry) => entry.exist && String(entry.nodeId) === id)
  const title = id === undefined ? text.title : text.editTitle(node?.name ?? `#${id}`)
  return (
    <Page>
      <PageTitle title={title} trail={[{ label: shared.title, to: '/providerinfo' }, { label: title }]} />
      <RequireWallet>
        <Loaded
          query={own}
          failed={shared.loadFailed}
          safe={shared.readSafe}
          details={(error) => errorText(error).details}
          skeleton={<Skeleton size="page" />}
        >
          {(provider) =>
            !provider ? (
              <EmptyState
                title={text.needProviderTitle}
                action={
                  <ButtonLink to="/addprovider" variant="primary">
                    {shared.becomeProvider}
                  </ButtonLink>
                }
              >
                {text.needProviderText}
              </EmptyState>
            ) : id === undefined ? (
              <AddNode key={provider.address} provider={provider} />
            ) : node ? (
              <EditNode key={`${node.provider}-${node.nodeId}`} node={node} />
            ) : (
              <EmptyState title={text.unknownTitle} action={<ButtonLink to="/providerinfo">{text.back}</ButtonLink>}>
                {text.unknownText}
              </EmptyState>
            )
          }
        </Loaded>
      </RequireWallet>
    </Page>
  )
}
