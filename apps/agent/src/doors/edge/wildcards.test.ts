import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { Agent, get } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { dnsRecords } from '@rackfair/sdk/dnsRecords'
import { freePort, freePorts } from '@rackfair/testkit'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChallengeZones } from '../../../../edge/src/createChallengeZones.ts'
import { type StartedEdge, startEdge, ZONE } from '../../../../edge/src/testing/startEdge.ts'
import { checkCertificates } from '../../commands/doctor/checkCertificates.ts'
import { openAgentDb } from '../../db/openAgentDb.ts'
import { sayingLog } from '../../foundation/log.ts'
import { setupGateway } from '../../testing/setupGateway.ts'
import { type StartedKnot, startKnot, whyNoKnot } from '../../testing/startKnot.ts'
import { type StartedPebble, startPebble, whyNoPebble } from '../../testing/startPebble.ts'
import { createAuthority } from './createAuthority.ts'
import { createCertificates } from './createCertificates.ts'
import { createOwnDomains } from './createOwnDomains.ts'
import { changeTxt, type DnsServer } from './dns/changeTxt.ts'
import { challengeName, createDnsProof } from './dns/createDnsProof.ts'
import { openEdges, ownCertificates } from './openEdges.ts'

const SOON = { timeout: 60_000, interval: 20 }
const HOUR = 3_600_000
const OTHER = lowerCaseAddress('0x00000000000000000000000000000000000000bb')
const reason = whyNoPebble ?? whyNoKnot

describe.skipIf(reason)(
  `certificates without a port for TLS, of a real authority and a real name server (${reason ?? 'here'})`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'rackfair-wide-'))
    const app = createServer(({ url }, response) => response.end(JSON.stringify({ url })))
    let pebble: StartedPebble
    let knot: StartedKnot
    let edge: StartedEdge
    let door: Awaited<ReturnType<typeof setupGateway>>
    let domains: ReturnType<typeof createOwnDomains>
    let edges: Awaited<ReturnType<typeof openEdges>>
    let name = ''
    let server: DnsServer
    let zones: ReturnType<typeof createChallengeZones>

    beforeAll(async () => {
      app.listen(0, '127.0.0.1')
      await once(app, 'listening')
      door = await setupGateway({ orderOfDomain: (domain) => domains.orderOf(domain) })
      const appPort = (app.address() as AddressInfo).port
      for (const order of [1n, 2n]) door.put(order, { appPort })
      name = `p-${door.operator.address.toLowerCase().slice(2, 12)}.${ZONE}`
      const [plain = 0, dnsPort = 0] = await freePorts(2)
      const written = join(folder, 'dns')
      const places = () => [{ provider: OTHER, label: 'neighbour' }, ...(edge?.book.places() ?? [])]
      zones = createChallengeZones({ ...{ zone: ZONE, data: folder, folder: written, port: dnsPort, places } })
      zones.write()
      const more = { 'shop.example': `@ 1 A 127.0.0.1\n_rackfair 1 TXT "o-1.${name}"` }
      knot = await startKnot({ folder, written, zone: ZONE, port: dnsPort, more })
      // Nobody answers where it asks by TLS.
      pebble = await startPebble({ folder, tlsPort: await freePort(), httpPort: plain, dns: knot.dns })
      const records = dnsRecords([knot.dns])
      const challenges = {
        of: zones.of,
        write() {
          zones.write()
          knot.reload()
        },
      }
      edge = await startEdge({ records, challenges, ports: { control: 0, dial: 0, tls: 0, plain } })
      const { db } = openAgentDb(':memory:')
      const log = sayingLog(() => {})
      domains = createOwnDomains({ db, records, isOver: async () => false, now: () => 0, log })
      const provider = lowerCaseAddress(door.operator.address)
      edges = await openEdges({
        config: {
          ...{ chainId: 2985, provider },
          gateway: {
            edges: [{ host: '127.0.0.1', port: edge.ports.control, fingerprint: edge.certificate.fingerprint, spares: 2 }],
            ...{ port: 1, acme: { directory: pebble.directory, termsOfServiceAgreed: true } },
          },
        } as never,
        ...{ account: door.operator, data: folder, receive: door.receive, isLive: (orderId) => door.visits.has(orderId) },
        ...{ domains, log },
      })
      server = serverOf(name, provider, name.split('.')[0] as string)
    })
    afterAll(async () => {
      edges?.close()
      domains?.close()
      await door?.close()
      await edge?.close()
      app.close()
      app.closeAllConnections()
      await pebble?.close()
      await knot?.stop()
      rmSync(folder, { recursive: true, force: true })
    })
    const serverOf = (domain: string, provider: LowerCaseAddress, label: string): DnsServer => {
      const { port, secret } = zones.of({ provider, label })
      return { host: '127.0.0.1', port, key: { name: challengeName(domain), secret: Buffer.from(secret, 'base64') } }
    }
    const ask = (host: string, path = '/') =>
      new Promise<string>((resolve, reject) => {
        const agent = new Agent({ ca: readFileSync(pebble.rootFile), servername: host })
        const { tls } = edge.ports
        get({ agent, host: '127.0.0.1', port: tls, path, headers: { host: `${host}:${tls}` } }, (answer) =>
          text(answer).then(resolve, reject),
        ).on('error', reject)
      })
    const certificates = () => readdirSync(join(folder, 'certificates')).filter((file) => file.endsWith('.pem'))
    const saidOf = (zone: string) => knot.kdig(challengeName(zone), 'TXT')

    it('are one for all names of a provider, there before the first visitor, by a record that is gone again', async () => {
      await vi.waitFor(() => expect(certificates()).toEqual([`_.${name}.pem`]), SOON)
      for (const [host, path] of [
        [`o-1.${name}`, '/one'],
        [`o-2.${name}`, '/two'],
      ] as const)
        expect(JSON.parse(await ask(host, path))).toEqual({ url: path })
      expect(await ask(name), 'the name itself').toBeTypeOf('string')
      expect(certificates()).toHaveLength(1)
      const { subjectAltName } = new X509Certificate(readFileSync(join(folder, 'certificates', `_.${name}.pem`)))
      expect(subjectAltName?.split(', ').sort()).toEqual([`DNS:*.${name}`, `DNS:${name}`])
      await vi.waitFor(() => expect(saidOf(name)).toBe(''), SOON)
      expect(knot.kdig(`o-1.${name}`, 'A'), 'names beside the record keep their address').toBe('127.0.0.1')
    })

    it('can be had for no name of a neighbour: its key changes that one record alone', async () => {
      const neighbour = serverOf(`neighbour.${ZONE}`, OTHER, 'neighbour')
      const own = challengeName(`neighbour.${ZONE}`)
      const formerly = zones.of({ provider: lowerCaseAddress(door.operator.address), label: 'neighbour' })
      expect(formerly.secret, 'who had this name before').not.toBe(neighbour.key.secret.toString('base64'))
      await changeTxt(neighbour, { name: own, value: 'proof', ttl: 60 })
      expect(saidOf(`neighbour.${ZONE}`)).toBe('"proof"')
      const refused = { code: expect.stringMatching(/^(BADKEY|REFUSED|NOTAUTH)$/) }
      for (const target of [challengeName(name), ZONE, `x.${ZONE}`, `o-1.${name}`, 'shop.example'])
        await expect(changeTxt(neighbour, { name: target, value: 'stolen', ttl: 60 }), target).rejects.toMatchObject(refused)
      const stolen = { ...neighbour, key: { name: server.key.name, secret: neighbour.key.secret } }
      await expect(changeTxt(stolen, { name: server.key.name, value: 'stolen', ttl: 60 })).rejects.toMatchObject({
        code: 'BADSIG',
      })
      // Nor anything else of its own zone, nor without a key.
      const tell = (change: string, ...more: string[]) =>
        spawnSync('knsupdate', ['-v', '-t', '10', ...more], {
          input: `server 127.0.0.1 ${neighbour.port}\nzone ${own}.\n${change}\nsend\n`,
          encoding: 'utf8',
        }).status
      const signed = ['-y', `hmac-sha256:${own}:${neighbour.key.secret.toString('base64')}`]
      expect(tell(`add ${own}. 60 TXT "again"`, ...signed), 'another client, with the key').toBe(0)
      for (const change of [
        `add ${own}. 60 A 127.0.0.9`,
        `add below.${own}. 60 TXT "x"`,
        `del ${own}. NS`,
        `add ${own}. 60 CAA 0 issue ";"`,
      ])
        expect(tell(change, ...signed), change).not.toBe(0)
      expect(tell(`add ${own}. 60 TXT "stolen"`), 'unsigned').not.toBe(0)
      expect(knot.kdig(own, 'TXT').split('\n').sort()).toEqual(['"again"', '"proof"'])
      for (const value of ['proof', 'again']) await changeTxt(neighbour, { name: own, value, ttl: undefined })
      expect([saidOf(`neighbour.${ZONE}`), saidOf(name)]).toEqual(['', ''])
    })

    it('come by port 80 for a domain of a renter that nobody can ask for by TLS, and the doctor says by which check', async () => {
      await domains.add(1n, 'shop.example')
      expect(JSON.parse(await ask('shop.example', '/shop'))).toEqual({ url: '/shop' })
      const checks = ownCertificates(folder)
      expect(checks.map((one) => [one.name, one.by]).sort()).toEqual([
        [`*.${name}`, 'dns-01'],
        ['shop.example', 'http-01'],
      ])
      expect(checkCertificates(checks, Date.now())).toMatchObject({
        ok: true,
        found: expect.stringContaining('shop.example by http-01, until'),
      })
      const leads = (path: string) =>
        fetch(`http://127.0.0.1:${edge.ports.plain}${path}`, { redirect: 'manual', headers: { host: 'shop.example' } })
      expect((await leads('/.well-known/acme-challenge/none')).status, 'what nobody checks leads to TLS or to nothing').not.toBe(
        200,
      )
    })

    it('are renewed by a name server that was dead for a day of this, and hold meanwhile', async () => {
      const world = { time: Date.now(), messages: [] as string[] }
      const authority = createAuthority({
        ...{ directory: pebble.directory, accountFile: join(folder, 'other', 'account.key'), hearsHttp: true },
        serversOf: (domain) => (domain === name ? [server] : []),
      })
      const wideOf = (one: string) => (one.startsWith('*') ? undefined : `*.${name}`)
      const made = createCertificates({
        ...{ folder: join(folder, 'other'), issue: authority.issue, isOurs: () => true, wideOf },
        ...{ now: () => world.time, log: sayingLog((message) => world.messages.push(message)) },
      })
      const first = await made.of(`o-5.${name}`)
      expect(first).toBeDefined()
      const file = join(folder, 'other', `_.${name}.pem`)
      const before = readFileSync(file, 'utf8')
      const { validFromDate, validToDate } = new X509Certificate(before)
      // A certificate begins when it is issued, which is later than this test.
      world.time = validFromDate.getTime() + ((validToDate.getTime() - validFromDate.getTime()) * 2) / 3 + HOUR
      await knot.stop()
      for (let hour = 0; hour < 24; hour += 6) {
        await made.sweep()
        expect(await made.of(`o-5.${name}`), `hour ${hour}`).toBe(first)
        world.time += 6 * HOUR
      }
      expect(world.messages.filter((one) => one.startsWith('no certificate was issued'))).toHaveLength(4)
      expect(readFileSync(file, 'utf8')).toBe(before)
      await knot.start()
      await made.sweep()
      expect(readFileSync(file, 'utf8')).not.toBe(before)
      expect(await made.of(`o-5.${name}`)).not.toBe(first)
      expect(
        readdirSync(join(folder, 'other')).filter((one) => one.endsWith('.pem')),
        'none for a single name',
      ).toHaveLength(1)
      made.close()
    })

    it('are asked for with a key that the name server learns a little later', async () => {
      const other = { provider: OTHER, label: 'later' } as const
      const late = serverOf(`later.${ZONE}`, OTHER, other.label)
      const withLater = createChallengeZones({
        ...{ zone: ZONE, data: folder, folder: join(folder, 'dns'), port: late.port },
        places: () => [other, ...edge.book.places()],
      })
      const proof = createDnsProof(() => [late], { untilMs: 60_000, pauseMs: 20 })
      const putting = proof.put({ identifier: { value: `later.${ZONE}` } }, '', 'authorization')
      withLater.write()
      knot.reload()
      await putting
      expect(saidOf(`later.${ZONE}`)).toBe('"authorization"')
      const gone = createDnsProof(() => [{ ...late, key: { ...late.key, name: 'unknown.test' } }], { untilMs: 0, pauseMs: 1 })
      await expect(gone.put({ identifier: { value: `later.${ZONE}` } }, '', 'x')).rejects.toMatchObject({ code: 'BADKEY' })
      await proof.remove({ identifier: { value: `later.${ZONE}` } }, '', 'authorization')
      expect(saidOf(`later.${ZONE}`)).toBe('')
    })
  },
)
