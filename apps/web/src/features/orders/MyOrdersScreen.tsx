import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

export function MyOrdersScreen() {
  return (
    <Page>
      <PageTitle title="My orders" />
    </Page>
  )
}
