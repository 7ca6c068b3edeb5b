import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

export function DesignScreen() {
  return (
    <Page>
      <PageTitle title="Design" />
    </Page>
  )
}
