import { useNamedNode } from '../../entities/node/useNamedNode.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { purchaseMessages } from './messages.ts'
import { Purchase } from './Purchase.tsx'
import { PurchaseSkeleton } from './PurchaseSkeleton.tsx'

/** `/addorder?provider=&node=` */
export function PurchaseScreen() {
  const text = useMessages(purchaseMessages)
  const { query, key, isMissing } = useNamedNode()
  const node = query.data
  return (
    <Page>
      <PageTitle
        title={node ? text.rentTitle(node.name) : text.title}
        trail={[
          { label: text.machines, to: '/nodelist' },
          ...(node ? [{ label: node.name, to: `/machine?provider=${node.provider}&node=${node.nodeId}` }] : []),
          { label: text.title },
        ]}
      />
      <Loaded
        query={query}
        failed={text.readFailed}
        safe={text.readSafe}
        missing={isMissing && { title: text.notFoundTitle, text: text.notFoundText, to: '/nodelist', label: text.otherMachines }}
        skeleton={<PurchaseSkeleton />}
      >
        {(node) => <Purchase key={key} node={node} />}
      </Loaded>
    </Page>
  )
}
