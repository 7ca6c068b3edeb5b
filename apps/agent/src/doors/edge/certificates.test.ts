import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PemConverter, X509CertificateGenerator } from '@peculiar/x509'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { sayingLog } from '../../foundation/log.ts'
import { createCertificates } from './createCertificates.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const NAME = 'o-1.atlas.edge.test'

describe('certificates, by a moved clock', () => {
  let keys: webcrypto.CryptoKeyPair
  let key = ''
  beforeAll(async () => {
    keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])
    key = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY')
  })
  /** An authority at the time of the clock, and the certificates that this agent has of it. */
  const setup = (lifeDays: number) => {
    const folder = mkdtempSync(join(tmpdir(), 'rackfair-certificates-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const world = { time: Date.UTC(2027, 0, 1), isDown: false, ours: new Set([NAME]), asked: [] as number[], issued: 0 }
    const issue = async (name: string) => {
      world.asked.push(world.time)
      if (world.isDown) throw new Error('no answer')
      world.issued += 1
      const certificate = await X509CertificateGenerator.createSelfSigned(
        {
          ...{ name: [{ CN: [name] }], keys, signingAlgorithm: ALGORITHM },
          ...{ notBefore: new Date(world.time - HOUR), notAfter: new Date(world.time + lifeDays * DAY) },
        },
        webcrypto,
      )
      return `${key}\n${certificate.toString('pem')}\n`
    }
    const open = () => {
      const made = createCertificates({
        ...{ folder, issue, isOurs: (name) => world.ours.has(name), now: () => world.time, log: sayingLog(() => {}) },
      })
      onTestFinished(() => made.close())
      return made
    }
    return { folder, world, open }
  }

  it.each([90, 45, 6])(
    'of %i days hold for 400 days, each of whose month has a day without authority or edge, through restarts',
    async (lifeDays) => {
      const { world, open } = setup(lifeDays)
      let certificates = open()
      const begin = world.time
      const seen = new Set<unknown>()
      for (let hour = 0; hour < 400 * 24; hour += 1) {
        const day = Math.floor(hour / 24)
        world.isDown = day % 30 === 29
        if (!world.isDown) world.ours.add(NAME)
        else if (hour % 24 === 0) {
          certificates.close()
          certificates = open()
          // No edge has answered since.
          world.ours.clear()
        }
        world.time = begin + hour * HOUR
        await certificates.sweep()
        if (world.ours.size === 0) continue
        const context = await certificates.of(NAME)
        if (!context) throw new Error(`none in hour ${hour}`)
        seen.add(context)
      }
      const least = (400 / lifeDays) * 1.5
      expect(world.issued).toBeGreaterThan(least * 0.85)
      expect(world.issued).toBeLessThan(least + 2)
      expect(seen.size).toBeGreaterThanOrEqual(world.issued)
    },
    60_000,
  )

  it('ask an authority that refuses four times an hour at most, whoever asks, and one visitor’s name once at a time', async () => {
    const { world, open } = setup(90)
    const certificates = open()
    world.isDown = true
    const begin = world.time
    for (let minute = 0; minute < 60; minute += 1) {
      world.time = begin + minute * 60_000
      const all = await Promise.all(Array.from({ length: 10 }, () => certificates.of(NAME)))
      expect(all.every((one) => one === undefined)).toBe(true)
    }
    expect(world.asked).toHaveLength(4)
    world.isDown = false
    world.time += HOUR
    const all = await Promise.all(Array.from({ length: 10 }, () => certificates.of(NAME)))
    expect(new Set(all).size).toBe(1)
    expect(world.issued).toBe(1)
  })

  it('are kept in files of this user only, not given for names of others, and removed once an ended order’s has ended', async () => {
    const { folder, world, open } = setup(90)
    const certificates = open()
    expect(await certificates.of('o-2.atlas.edge.test')).toBeUndefined()
    expect(await certificates.of(NAME)).toBeDefined()
    expect(readdirSync(folder)).toEqual([`${NAME}.pem`])
    expect(statSync(join(folder, `${NAME}.pem`)).mode & 0o777).toBe(0o600)
    world.ours.clear()
    expect(await certificates.of(NAME)).toBeUndefined()
    world.time += 89 * DAY
    await certificates.sweep()
    expect(readdirSync(folder)).toHaveLength(1)
    world.time += 2 * DAY
    await certificates.sweep()
    expect(readdirSync(folder)).toEqual([])
    expect(world.issued).toBe(1)
  })
})
