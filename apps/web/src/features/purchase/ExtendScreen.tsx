import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

export function ExtendScreen() {
  return (
    <Page>
      <PageTitle title="Extend the order" />
    </Page>
  )
}
