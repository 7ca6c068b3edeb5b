/** The Visit link of the specification, `{ip}:{port}/?OrderId=..&UserAddress=..`. An IPv6 address is put in brackets. */
export function visitUrl(provider: { ip: string; port: number }, orderId: bigint, userAddress: string): string {
  const host = provider.ip.includes(':') ? `[${provider.ip}]` : provider.ip
  return `http://${host}:${provider.port}/?OrderId=${orderId}&UserAddress=${userAddress}`
}
