import type { Provider } from '@rackfair/core'
import { useLocation } from 'wouter'
import { useMessages } from '../../i18n/useMessages.ts'
import { useErrorText } from '../../lib/errors/useErrorText.ts'
import { useParam } from '../../lib/searchParams.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { RequireWallet } from '../../wallet/index.ts'
import { FundsNotice } from './FundsNotice.tsx'
import { providerMessages } from './messages.ts'
import { EditNode } from './nodes/EditNode.tsx'
import { NodeForm } from './nodes/NodeForm.tsx'
import { EMPTY_NODE } from './nodes/nodeDraft.ts'
import { useNodeWrite } from './nodes/useNodeWrite.ts'
import { useDraft } from './useDraft.ts'
import { useOwnProvider } from './useOwnProvider.ts'

/** Adds a node, or edits the one that `?id=` names. */
export function AddNodeScreen() {
  const text = useMessages(providerMessages).editNode
  const all = useMessages(providerMessages)
  const errorText = useErrorText()
  const id = useParam('id')
  const own = useOwnProvider()
  const node = own.data?.nodes.find((entry) => entry.exist && String(entry.nodeId) === id)
  const title = id === undefined ? text.title : text.editTitle(node?.name ?? `#${id}`)
  return (
    <Page>
      <PageTitle title={title} trail={[{ label: all.title, to: '/providerinfo' }, { label: title }]} />
      <RequireWallet>
        <Loaded
          query={own}
          failed={all.loadFailed}
          safe={all.readSafe}
          details={(error) => errorText(error).details}
          skeleton={<Skeleton size="page" />}
        >
          {(provider) =>
            !provider ? (
              <EmptyState
                title={text.needProviderTitle}
                action={
                  <ButtonLink to="/addprovider" variant="primary">
                    {all.becomeProvider}
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

function AddNode({ provider }: { provider: Provider }) {
  const text = useMessages(providerMessages)
  const [, navigate] = useLocation()
  const draft = useDraft(`rackfair.draft.node.${provider.address}`, EMPTY_NODE)
  const { state, busy, add } = useNodeWrite()
  return (
    <>
      <FundsNotice />
      <NodeForm
        fields={draft.fields}
        onChange={draft.setFields}
        submitLabel={text.form.submit}
        busy={busy}
        state={state}
        note={text.wizard.kept}
        onSubmit={async (input) => {
          const receipt = await add(input)
          if (!receipt) return false
          draft.clear(draft.fields)
          navigate('/providerinfo')
          return true
        }}
      />
    </>
  )
}
