import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'

export function AddNodeScreen() {
  return (
    <Page>
      <PageTitle title="Add a node" />
    </Page>
  )
}
