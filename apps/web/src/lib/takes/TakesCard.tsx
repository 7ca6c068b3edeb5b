import type { ProviderTakes } from '@rackfair/core/wire'
import { Card } from '../../ui/Card.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { useTakesText } from './useTakesText.ts'

/** What a provider takes, before anything is paid. Nothing where its agent has not said. */
export function TakesCard({ takes }: { takes: ProviderTakes | undefined }) {
  const { title, facts } = useTakesText(takes)
  if (facts.length === 0) return null
  return (
    <Card title={title}>
      <Facts facts={facts} />
    </Card>
  )
}
