import { redactor, secretHider } from '@rackfair/rules/text/redactor'

/** The address of the chain's node, in which services put their keys; set as soon as it is known. */
let addresses: string[] = []

/** From now on, nothing that this program prints or logs contains the secrets of this address. */
export function hideSecretsOf(address: string): void {
  addresses = [...new Set([...addresses, address])]
}

/** For what people read: other addresses stay as they are. */
export const withoutSecrets = (text: string): string => secretHider(addresses)(text)

/** For the log, which texts of libraries reach: other addresses lose all but their host. */
export const redacted = (text: string): string => redactor(addresses)(text)

/** How a sentence names the chain's node. */
export const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : 'the given address')
