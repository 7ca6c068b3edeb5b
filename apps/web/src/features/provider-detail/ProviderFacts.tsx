import type { Provider } from '@rackfair/rules/provider/provider'
import { useMessages } from '../../i18n/useMessages.ts'
import { Address } from '../../ui/Address.tsx'
import { Card } from '../../ui/Card.tsx'
import { ExternalLink } from '../../ui/ExternalLink.tsx'
import { Facts } from '../../ui/Facts.tsx'
import { domainLink } from './domainLink.ts'
import { providerDetailMessages } from './messages.ts'

/** What the provider registered. Its own words, so only http and https become links. */
export function ProviderFacts({ provider }: { provider: Provider }) {
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
            value: provider.operator ? (
              <Address value={provider.operator} />
            ) : (
              <span className="text-ink-3">{text.noOperator}</span>
            ),
          },
        ]}
      />
    </Card>
  )
}
