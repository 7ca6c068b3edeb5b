import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from './openBook.ts'

/** Names of files in the folder for the name server, which deploy/knot/knot.conf includes. */
const FILES = { providers: 'providers.conf', zone: 'challenge.zone' } as const
const MASTER_BYTES = 32

type Named = Pick<Place, 'provider' | 'label'>
export type ChallengeZones = ReturnType<typeof createChallengeZones>

/**
 * What a name server beside this edge needs, so that each agent can prove by dns-01 that all its names are its own: for each provider one zone,
 * `_acme-challenge.<label>.<zone>`, in which the key of that name may change TXT records at its top, and nothing else. Zones of their own, as
 * a record below `*.<zone>` would end what that says of the names beside it (RFC 4592, 2.2.2).
 *
 * @param options `data`: where the secret is from which keys follow. `folder`: where the configuration for Knot DNS is written. `port`: of
 * the name server, for agents.
 */
export function createChallengeZones(options: {
  zone: string
  data: string
  folder: string
  port: number
  places: () => readonly Named[]
}) {
  const { zone, folder, port, places } = options
  const master = masterIn(options.data)
  const secretOf = ({ provider, label }: Named): string =>
    // Of both: a label may go to another provider.
    createHmac('sha256', master).update(`${provider} ${label}.${zone}`).digest('base64')
  const top = `@ 60 SOA ${zone}. hostmaster.${zone}. 1 3600 600 86400 1\n@ 60 NS ${zone}.\n`
  let written = ''
  return {
    /** What an agent is told. */
    of: (place: Named) => ({ port, secret: secretOf(place) }),
    /** Writes the zones of all providers, if there are others than before. */
    write(): void {
      const text = places()
        .map((one) => zoneOf(`_acme-challenge.${one.label}.${zone}`, secretOf(one)))
        .join('')
      if (text === written) return
      mkdirSync(folder, { recursive: true })
      replace(join(folder, FILES.zone), top)
      replace(join(folder, FILES.providers), `# Written by rackfair-edge.\n${text}`)
      written = text
    },
  }
}

const zoneOf = (name: string, secret: string): string => `key:
  - id: ${name}
    algorithm: hmac-sha256
    secret: ${secret}
acl:
  - id: ${name}
    key: ${name}
    action: update
    update-type: TXT
    update-owner: zone
    update-owner-match: equal
zone:
  - domain: ${name}
    template: challenge
    acl: ${name}
`

function masterIn(data: string): Buffer {
  const file = join(data, 'dns.key')
  if (!existsSync(file)) {
    mkdirSync(data, { recursive: true })
    writeFileSync(`${file}.new`, randomBytes(MASTER_BYTES), { mode: 0o600, flush: true })
    renameSync(`${file}.new`, file)
  }
  return readFileSync(file)
}

/** The name server may read it at any time; who else may is up to its folder. */
function replace(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  writeFileSync(`${file}.new`, text, { mode: 0o640, flush: true })
  renameSync(`${file}.new`, file)
}
