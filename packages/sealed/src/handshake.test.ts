import { expect, it } from 'vitest'
import { concat, fromUtf8, toBase64url, utf8 } from './bytes.ts'
import { exportSecrets, KEMS, makeEncryptionKeys, readPublicKey, suiteOf } from './encryptionKeys.ts'
import { readHello, startHello } from './handshake.ts'
import { openRequest, sealRequest } from './requests.ts'

const BOTH = ['x25519', 'p256'] as const

it.each(BOTH)(
  'establishes a session with %s, with equal keys and bindings, whose client only the agent can identify',
  async (kem) => {
    const keys = await makeEncryptionKeys()
    const hello = await startHello(keys.publicKeys, 'order 12', kem)
    const sent = await hello.seal(utf8('a grant'))
    expect(sent[0]).toBe(KEMS[kem])
    expect(Buffer.from(sent).includes('a grant')).toBe(false)
    const read = await readHello(keys, sent, 'order 12')
    expect(fromUtf8(read.payload)).toBe('a grant')
    expect(read.binding).toEqual(hello.binding)
    const accepted = await read.accept()
    const own = await hello.finish(accepted.answer)
    expect(fromUtf8(await accepted.keys.open(await own.seal(utf8('up'))))).toBe('up')
    expect(fromUtf8(await own.open(await accepted.keys.seal(utf8('down'))))).toBe('down')
  },
)

it.each(BOTH)('opens a hello with %s only unchanged, with its own keys and context', async (kem) => {
  const keys = await makeEncryptionKeys()
  const sent = await (await startHello(keys.publicKeys, 'order 12', kem)).seal(utf8('a grant'))
  await expect(readHello(keys, sent, 'order 13')).rejects.toMatchObject({ code: 'stream_broken' })
  await expect(readHello(await makeEncryptionKeys(), sent, 'order 12')).rejects.toMatchObject({ code: 'stream_broken' })
  for (const at of [0, 1, 40, sent.length - 1]) {
    const changed = sent.slice()
    changed[at] = (changed[at] as number) ^ 1
    await expect(readHello(keys, changed, 'order 12')).rejects.toMatchObject({ code: 'stream_broken' })
  }
  for (const short of [0, 1, 33, 66]) await expect(readHello(keys, sent.slice(0, short), 'order 12')).rejects.toThrow()
})

it('derives new keys for a replayed hello, so that recorded data does not open', async () => {
  const keys = await makeEncryptionKeys()
  const hello = await startHello(keys.publicKeys, 'c', 'x25519')
  const sent = await hello.seal(utf8('a grant'))
  const first = await (await readHello(keys, sent, 'c')).accept()
  const own = await hello.finish(first.answer)
  const recorded = await own.seal(utf8('rm -rf'))
  const second = await (await readHello(keys, sent, 'c')).accept()
  await expect(second.keys.open(recorded)).rejects.toMatchObject({ code: 'stream_broken' })
})

it('a hello whose own key leads to a secret that everybody knows is refused', async () => {
  const keys = await makeEncryptionKeys()
  const suite = suiteOf('x25519')
  const recipientPublicKey = await readPublicKey('x25519', keys.publicKeys.x25519)
  const sender = await suite.createSenderContext({ recipientPublicKey, info: utf8('rackfair session 1') })
  const lowOrder = new Uint8Array(32)
  const sealed = await sender.seal(concat(lowOrder, utf8('a grant')), utf8('c'))
  const hello = concat(Uint8Array.of(KEMS.x25519), new Uint8Array(sender.enc), new Uint8Array(sealed))
  const answered = readHello(keys, hello, 'c').then((read) => read.accept())
  await expect(answered).rejects.toMatchObject({ code: 'stream_broken' })
})

it('derives useless keys from an answer that the agent did not give', async () => {
  const keys = await makeEncryptionKeys()
  const hello = await startHello(keys.publicKeys, 'c', 'x25519')
  const sent = await hello.seal(utf8('a grant'))
  const accepted = await (await readHello(keys, sent, 'c')).accept()
  const stranger = await makeEncryptionKeys()
  const own = await hello.finish(Buffer.from(stranger.publicKeys.x25519, 'base64url'))
  await expect(own.open(await accepted.keys.seal(utf8('down')))).rejects.toMatchObject({ code: 'stream_broken' })
  await expect(hello.finish(new Uint8Array(5))).rejects.toMatchObject({ code: 'stream_broken' })
})

it('restores keys from their exported secrets', async () => {
  const keys = await makeEncryptionKeys()
  const again = await makeEncryptionKeys(await exportSecrets(keys))
  expect(again.publicKeys).toEqual(keys.publicKeys)
  expect(Buffer.from(keys.publicKeys.p256, 'base64url')).toHaveLength(65)
})

it.each(BOTH)('opens a request sealed with %s only with its own text', async (kem) => {
  const keys = await makeEncryptionKeys()
  const sealed = await sealRequest(keys.publicKeys, utf8('{"PASSWORD":"s3cret"}'), 'deploy text', kem)
  expect(Buffer.from(sealed).includes('s3cret')).toBe(false)
  expect(fromUtf8(await openRequest(keys, sealed, 'deploy text'))).toBe('{"PASSWORD":"s3cret"}')
  await expect(openRequest(keys, sealed, 'another text')).rejects.toMatchObject({ code: 'stream_broken' })
  sealed[sealed.length - 1] = (sealed.at(-1) as number) ^ 1
  await expect(openRequest(keys, sealed, 'deploy text')).rejects.toMatchObject({ code: 'stream_broken' })
  await expect(sealRequest({ ...keys.publicKeys, [kem]: toBase64url(utf8('short')) }, utf8('x'), '', kem)).rejects.toThrow()
})
