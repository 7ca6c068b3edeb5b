import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { sshFingerprint } from './sshAccess.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'

test('the fingerprint of a host key is the one that ssh-keygen shows', () => {
  // GitHub's, as it publishes it.
  expect(sshFingerprint(KEY)).toBe('SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU')
})

test.skipIf(spawnSync('ssh-keygen', ['-?']).error !== undefined)('so says ssh-keygen itself', () => {
  const { stdout } = spawnSync('ssh-keygen', ['-l', '-f', '-'], { input: KEY, encoding: 'utf8' })
  expect(stdout.split(' ')[1]).toBe(sshFingerprint(KEY))
})
