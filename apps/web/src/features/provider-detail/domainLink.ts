/** Where a registered domain may lead: http and https only. A bare host name counts as https; anything else is text, not a link. */
export function domainLink(domain: string): string | undefined {
  const address = /^[a-z0-9.-]+(?::\d{1,5})?(?:\/.*)?$/i.test(domain) && domain.includes('.') ? `https://${domain}` : domain
  const url = URL.parse(address)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' ? url.href : undefined
}
