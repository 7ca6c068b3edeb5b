import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createServer } from 'node:tls'
import { expect, it, onTestFinished } from 'vitest'
import { createLocalAuthority } from './createLocalAuthority.ts'

const NAME = 'o-12.m-3fa9c1.edge.localhost'

it('issues what holds for whoever trusts it, the same after a restart, and for no name but those of this machine', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-authority-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'authority', 'ca.pem')
  const first = await createLocalAuthority(file).issue(NAME)
  const ca = readFileSync(file, 'utf8')
  expect(new X509Certificate(ca).ca).toBe(true)
  expect(statSync(join(folder, 'authority', 'ca.key')).mode & 0o777).toBe(0o600)
  expect(await problemOf(first, ca, NAME)).toBeUndefined()
  const again = await createLocalAuthority(file).issue(NAME)
  expect(readFileSync(file, 'utf8')).toBe(ca)
  expect(await problemOf(again, ca, NAME)).toBeUndefined()
  expect(await problemOf(again, ca, 'o-13.m-3fa9c1.edge.localhost')).toMatch(/Hostname\/IP does not match/)
  const { issue } = createLocalAuthority(file)
  for (const elsewhere of ['bank.example', 'o-12.localhost.example', 'example'])
    expect(await problemOf(await issue(elsewhere), ca, elsewhere), elsewhere).toBe('permitted subtree violation')
})

/** Why a visitor who trusts `ca` refuses what a server with `pem` shows for the name; undefined where it does not. */
async function problemOf(pem: string, ca: string, servername: string): Promise<string | undefined> {
  const server = createServer({ key: pem, cert: pem }, (socket) => socket.end()).on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connectTcp((server.address() as AddressInfo).port, '127.0.0.1')
  const visitor = connect({ socket, ca, servername })
  try {
    return await once(visitor, 'secureConnect').then(
      () => undefined,
      (error: Error) => error.message,
    )
  } finally {
    visitor.destroy()
    server.close()
  }
}
