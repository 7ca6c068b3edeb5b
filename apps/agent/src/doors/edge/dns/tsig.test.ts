import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signTsig, whyNotSigned } from './tsig.ts'
import { encodeName, encodeUpdate, readMessage, readName } from './wire.ts'

const NAME = '_acme-challenge.atlas.edge.example'
const KEY = { name: NAME, secret: Buffer.from('rackfair-test-key-of-32-bytes-xx') }
/** What knsupdate 3.2.6 sent with this key: one record added, and one taken away. */
const SENT = [
  '978b280000010000000100010f5f61636d652d6368616c6c656e67650561746c61730465646765076578616d706c650000060001c00c001000010000003c00100f67666a3958712e2e2e526738356e4d0f5f61636d652d6368616c6c656e67650561746c61730465646765076578616d706c650000fa00ff00000000003d0b686d61632d7368613235360000006b0abb8b012c0020bc0d9a0cb40c443de5fa8c2893efeff3b30bdf02d3bde22e8c0da7def7d28f15978b00000000',
  '415e280000010000000100010f5f61636d652d6368616c6c656e67650561746c61730465646765076578616d706c650000060001c00c001000fe0000000000100f67666a3958712e2e2e526738356e4d0f5f61636d652d6368616c6c656e67650561746c61730465646765076578616d706c650000fa00ff00000000003d0b686d61632d7368613235360000006b0abb8c012c00206345b3de3d0b452a293f87dd5c8a54523591410b44fc3c9e89f06725373ea085415e00000000',
].map((hex) => Buffer.from(hex, 'hex'))
const SENT_AT = 0x6b0abb8c
const NONE = Buffer.alloc(0)

describe('changes of the DNS', () => {
  it('are signed as another implementation signs them', () => {
    for (const message of SENT) {
      expect(whyNotSigned(message, KEY, NONE, SENT_AT)).toBeUndefined()
      expect(whyNotSigned(message, { ...KEY, secret: Buffer.from('another') }, NONE, SENT_AT)).toBe('its signature is wrong')
      expect(whyNotSigned(message, { ...KEY, name: 'other.example' }, NONE, SENT_AT)).toContain('not signed with this key')
      expect(whyNotSigned(message, KEY, NONE, SENT_AT + 302)).toBe('it was signed at another time')
      expect(whyNotSigned(message, KEY, Buffer.alloc(32), SENT_AT), 'as the answer to something').toBe('its signature is wrong')
    }
    // Except that it abbreviates the owner, which is the zone, the message is the same, and so is where the signature is put.
    const [added = NONE] = SENT
    const own = encodeUpdate(added.readUInt16BE(0), { name: NAME, value: 'gfj9Xq...Rg85nM', ttl: 60 })
    const abbreviated = Buffer.from(
      own.toString('hex').replace(new RegExp(`(?<=060001)${encodeName(NAME).toString('hex')}`), 'c00c'),
      'hex',
    )
    expect(signTsig(abbreviated, KEY, SENT_AT - 1).signed.toString('hex')).toBe(added.toString('hex'))
    const removed = encodeUpdate(7, { name: NAME, value: 'gfj9Xq...Rg85nM', ttl: undefined })
    expect(removed.toString('hex')).toContain('001000fe00000000001')
  })

  it('cannot be altered, nor cut, without that being noticed', () => {
    const { signed } = signTsig(encodeUpdate(1, { name: NAME, value: 'proof', ttl: 60 }), KEY, SENT_AT)
    expect(whyNotSigned(signed, KEY, NONE, SENT_AT)).toBeUndefined()
    const judge = (message: Buffer) => {
      try {
        return whyNotSigned(message, KEY, NONE, SENT_AT)
      } catch (error) {
        return (error as Error).message
      }
    }
    for (let at = 0; at < signed.length; at += 1) {
      expect(judge(signed.subarray(0, at)), `cut at ${at}`).toBeDefined()
      const altered = Buffer.from(signed)
      altered[at] = (altered[at] as number) ^ 1
      // Not signed are the number of the message, which a forwarder may change, and class and TTL of the record, which are fixed.
      const isFree = at < 2 || (at >= signed.length - 61 - 8 && at < signed.length - 61 - 2)
      if (!isFree) expect(judge(altered), `bit of ${at}`).toBeDefined()
    }
  })

  it('are read in bounded time, whatever comes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        try {
          readMessage(Buffer.from(bytes))
        } catch (error) {
          expect((error as Error).message).toMatch(/of the DNS/)
        }
      }),
    )
    expect(() => readName(Buffer.from([0xc0, 0x00]), 0)).toThrow('leads nowhere')
    expect(() => encodeName('a..b')).toThrow('no name')
    expect(() => encodeName(`${'a'.repeat(64)}.b`)).toThrow('no name')
    expect(() => encodeName(Array.from({ length: 9 }, () => 'a'.repeat(30)).join('.'))).toThrow('too long')
    expect(() => encodeUpdate(1, { name: NAME, value: 'x'.repeat(256), ttl: 1 })).toThrow('too long')
  })
})
