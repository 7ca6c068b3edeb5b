import type { ProviderTakes } from '@rackfair/rules/node/takes'
import { useQuery } from '@tanstack/react-query'
import { Card } from '../../../ui/Card.tsx'
import { Facts } from '../../../ui/Facts.tsx'
import { presetsQuery } from '../../order/queries.ts'
import { useTakesText } from './useTakesText.ts'

/** What a provider takes, before anything is paid. Nothing where its agent has not said. */
export function TakesCard({ takes }: { takes: ProviderTakes | undefined }) {
  const { title, facts, readyFacts } = useTakesText(takes)
  const presets = useQuery({ ...presetsQuery, enabled: takes?.ready !== undefined })
  if (facts.length === 0) return null
  return (
    <Card title={title}>
      <Facts facts={[...facts, ...readyFacts(presets.data)]} />
    </Card>
  )
}
