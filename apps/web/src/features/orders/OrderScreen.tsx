import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

export function OrderScreen() {
  return (
    <Page>
      <PageTitle title="Order" />
    </Page>
  )
}
