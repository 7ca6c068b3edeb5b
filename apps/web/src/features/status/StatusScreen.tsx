import type { ReactNode } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageTitle } from '../../ui/PageTitle.tsx'
import { Section } from '../../ui/Section.tsx'
import { CapacityHistory } from './CapacityHistory.tsx'
import { MarketLine } from './MarketLine.tsx'
import { statusMessages } from './messages.ts'
import { NetworkBlocks } from './NetworkBlocks.tsx'

/** `/status`: the network in figures. `nodes` is the list of its machines, without Buy. */
export function StatusScreen({ nodes }: { nodes: ReactNode }) {
  const text = useMessages(statusMessages)
  return (
    <Page wide>
      <PageTitle title={text.title} lead={<MarketLine />} actions={<ButtonLink to="/nodelist">{text.toBuy}</ButtonLink>} />
      <NetworkBlocks />
      <CapacityHistory />
      <Section title={text.nodes}>{nodes}</Section>
    </Page>
  )
}
