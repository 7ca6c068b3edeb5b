export const en = {
  title: 'Own domain',
  how: 'Let a domain of yours point here, with a CNAME record:',
  apex: (name: string) =>
    `Where it can have none, as the top of a domain: A and AAAA records with the addresses of this name, and a TXT record ${name} that says it.`,
  none: 'No domain leads here yet.',
  served: 'leads here',
  waiting: 'waits for the edge, which does not see it',
  add: 'Add a domain',
  label: 'Domain',
  hint: 'Add it once the record is set. The machine gets a certificate with its first visitor.',
  save: 'Add',
  cancel: 'Cancel',
  remove: 'Remove',
  removeLabel: (domain: string) => `Remove ${domain}`,
  notRemoved: 'The domain was not removed',
  what: 'It ends with the order. Remove the record then.',
}
