import { leadsToProvider } from '@rackfair/rules/deployment/visitUrl'
import { expect, it } from 'vitest'
import type { AgentConfig } from '../config/agentConfig.ts'
import { visitLinkOf } from './visitLinkOf.ts'

const DOMAIN = 'p-5b38da6a70.edge.example'
const PLACE = '203.0.113.7:7070/?OrderId=12&UserAddress=0xab'
const named = { edges: [], domain: DOMAIN, acme: { directory: 'https://acme.example/', termsOfServiceAgreed: true as const } }

it.each<[Partial<AgentConfig['gateway']>, string]>([
  [{}, `http://${PLACE}`],
  [{ tls: true }, `https://${PLACE}`],
  [{ domain: DOMAIN }, `http://${PLACE}`],
  [{ ...named, acme: undefined }, `http://${PLACE}`],
  [named, `https://o-12.${DOMAIN}/`],
  [{ ...named, edges: undefined }, `http://${PLACE}`],
  [{ ...named, edges: undefined, names: { tls: 443, plain: 80 } }, `https://o-12.${DOMAIN}/`],
  [{ ...named, edges: undefined, names: { tls: 8443, plain: null } }, `https://o-12.${DOMAIN}:8443/`],
  [{ ...named, namesPort: 8443 }, `https://o-12.${DOMAIN}:8443/`],
  [{ ...named, acme: undefined, localAuthority: 'ca.pem' }, `https://o-12.${DOMAIN}/`],
])('%o leads to the provider by %s', (gateway, link) => {
  const told = visitLinkOf({ host: '::', port: 7070, publicHost: '203.0.113.7', tls: false, ...gateway }, 12n, '0xab')
  expect(told).toBe(link)
  expect(leadsToProvider(told, { ip: '203.0.113.7', domain: gateway.domain ?? '' }, 12n)).toBe(true)
})
