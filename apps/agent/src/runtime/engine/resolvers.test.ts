import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { resolversOfMachine } from './resolvers.ts'

it('uses only resolvers of this machine that a container can reach, and the upstreams of a local one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-resolvers-'))
  const [own, behind] = [join(folder, 'resolv.conf'), join(folder, 'systemd')]
  writeFileSync(behind, 'nameserver 192.168.1.1\nnameserver fe80::1\n nameserver 10.0.0.2\n')
  writeFileSync(own, '# a router\nnameserver 127.0.0.53\nsearch office.example\n')
  expect(resolversOfMachine([own, behind])).toEqual(['192.168.1.1', '10.0.0.2'])
  writeFileSync(own, 'nameserver 9.9.9.10\nnameserver 1.0.0.1\nnameserver 1.1.1.2\nnameserver 8.8.4.4\n')
  expect(resolversOfMachine([own, behind])).toEqual(['9.9.9.10', '1.0.0.1', '1.1.1.2'])
  expect(resolversOfMachine([join(folder, 'missing')])).toEqual([])
  rmSync(folder, { recursive: true })
})
