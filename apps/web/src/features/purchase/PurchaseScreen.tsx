import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../../i18n/useMessages.ts'
import { useAddressParam, useParam } from '../../platform/browser/searchParams.ts'
import { isNotFound } from '../../platform/errors/isNotFound.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { purchaseMessages } from './messages.ts'
import { Purchase } from './Purchase.tsx'
import { PurchaseSkeleton } from './PurchaseSkeleton.tsx'
import { nodeQuery } from './purchaseQueries.ts'

/** `/addorder?provider=&node=` */
export function PurchaseScreen() {
  const text = useMessages(purchaseMessages)
  const provider = useAddressParam('provider')
  const nodeId = Number(useParam('node'))
  const named = provider !== undefined && Number.isInteger(nodeId) && nodeId > 0
  const node = useQuery({ ...nodeQuery(provider ?? '', nodeId), enabled: named })
  const missing = !named || isNotFound(node.error)
  return (
    <Page>
      <PageTitle
        title={text.title}
        trail={[{ label: text.machines, to: '/nodelist' }, ...(node.data ? [{ label: node.data.name }] : [])]}
      />
      <Loaded
        query={node}
        failed={text.readFailed}
        safe={text.readSafe}
        missing={missing && { title: text.notFoundTitle, text: text.notFoundText, to: '/nodelist', label: text.otherMachines }}
        skeleton={<PurchaseSkeleton />}
      >
        {(node) => <Purchase key={`${provider}/${nodeId}`} node={node} />}
      </Loaded>
    </Page>
  )
}
