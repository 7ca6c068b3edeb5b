import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

export function StatusScreen() {
  return (
    <Page>
      <PageTitle title="Status" />
    </Page>
  )
}
