import type { ProviderFields } from '@rackfair/rules/formRules'
import type { Provider } from '@rackfair/rules/provider/provider'
import { plainNumber } from '@rackfair/rules/text/plainNumber'

export const PROVIDER_FIELDS = ['name', 'ip', 'port', 'domain'] as const satisfies readonly (keyof ProviderFields)[]
export const EMPTY_PROVIDER: ProviderFields = { name: '', ip: '', port: '', domain: '' }

/** Checked fields as the Registry takes them. */
export function providerArgument(fields: ProviderFields) {
  return { name: fields.name.trim(), ip: fields.ip.trim(), domain: fields.domain.trim(), port: Number(plainNumber(fields.port)) }
}

/** A registered provider as the form shows it. */
export function fieldsOfProvider(provider: Provider): ProviderFields {
  return { name: provider.name, ip: provider.ip, port: String(provider.port), domain: provider.domain }
}
