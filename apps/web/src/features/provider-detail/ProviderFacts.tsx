import type { ProviderWire } from '@rackfair/core/wire'
import { useMessages } from '../../i18n/useMessages.ts'
import { Address } from '../../ui/Address.tsx'
import { Card } from '../../ui/Card.tsx'
import { ExternalLink } from '../../ui/ExternalLink.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { domainLink } from './domainLink.ts'
import { providerDetailMessages } from './messages.ts'

const NOBODY = /^0x0{40}$/

/** What the provider registered. Its own words, so only http and https become links. */
export function ProviderFacts({ provider }: { provider: ProviderWire }) {
  const text = useMessages(providerDetailMessages)
  const link = domainLink(provider.domain)
  return (
    <Card title={text.facts}>
      <Facts
        facts={[
          { term: text.name, value: provider.name },
          { term: text.ip, value: provider.ip },
          { term: text.port, value: String(provider.port) },
          {
            term: text.domain,
            value:
              provider.domain === '' ? (
                <span className="text-ink-3">{text.noDomain}</span>
              ) : link === undefined ? (
                provider.domain
              ) : (
                <ExternalLink to={link}>{provider.domain}</ExternalLink>
              ),
          },
          { term: text.address, value: <Address value={provider.address} /> },
          {
            term: text.operator,
            value: NOBODY.test(provider.operator) ? (
              <span className="text-ink-3">{text.noOperator}</span>
            ) : (
              <Address value={provider.operator} />
            ),
          },
        ]}
      />
    </Card>
  )
}
