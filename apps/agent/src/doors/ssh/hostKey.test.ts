import ssh2 from 'ssh2'
import { expect, it } from 'vitest'
import { makeHostKey } from './hostKey.ts'

it('generates only keys that can be parsed, a thousand times', () => {
  for (let made = 0; made < 1000; made += 1) {
    const key = ssh2.utils.parseKey(makeHostKey())
    expect(key instanceof Error ? key.message : key.getPublicSSH().length).toBe(51)
  }
})
