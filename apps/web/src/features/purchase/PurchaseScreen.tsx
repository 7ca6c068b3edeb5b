import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

export function PurchaseScreen() {
  return (
    <Page>
      <PageTitle title="Purchasing computing power" />
    </Page>
  )
}
