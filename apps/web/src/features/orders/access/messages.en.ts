export const en = {
  title: 'Access keys',
  what: 'Your wallet signed for these keys. Each opens the logs, terminal, usage and files of this order, encrypted from the machine to its browser or program, opens your application where it is protected, and can stop or restart it. None can move money, deploy or clean.',
  own: 'This browser',
  other: (key: string) => `Key ${key}`,
  until: (date: string) => `until ${date}`,
  used: (ago: string) => `used ${ago}`,
  revoke: 'Revoke',
  revokeLabel: (name: string) => `Revoke: ${name}`,
  askTitle: (name: string) => `Revoke the access of “${name}”?`,
  askOwn:
    'This browser loses logs, terminals, usage and files at once; what runs on the machine keeps running. Your wallet can sign for a new key at any time.',
  askOther:
    'Its pages and programs lose logs, terminals, usage and files at once; what runs on the machine keeps running. It cannot come back with the same key.',
  keep: 'Keep it',
  failed: 'The keys could not be read',
  notRevoked: 'The key was not revoked',
  retry: 'Try again',
}
