import { type Provider, type ProviderFields, plainNumber } from '@rackfair/core'

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
