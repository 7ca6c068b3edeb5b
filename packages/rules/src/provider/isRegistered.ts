/** Whether buyers can reach what an account has registered: without domain and ip it does not count as a provider. */
export function isRegistered(provider: { ip: string; domain: string }): boolean {
  return provider.ip !== '' || provider.domain !== ''
}
