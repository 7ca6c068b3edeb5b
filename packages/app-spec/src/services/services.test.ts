import { describe, expect, test } from 'vitest'
import { parseAppText } from '../appText.ts'
import { type Application, imageList, mainService, startOrder } from './Application.ts'
import { applicationText, parseApplicationText, valueNames, valuesProblem } from './applicationText.ts'
import { parseApplication } from './parseApplication.ts'

const SHOP = {
  services: {
    web: {
      image: 'ghcr.io/acme/shop:2.1',
      ports: [{ protocol: 'http', port: 8000, ready: '/health' }],
      env: { CACHE_URL: 'redis://cache:6379' },
      secrets: ['DATABASE_URL'],
      after: { migrate: 'done', db: 'healthy' },
    },
    migrate: {
      image: 'ghcr.io/acme/shop:2.1',
      args: ['migrate'],
      once: true,
      secrets: ['DATABASE_URL'],
      after: { db: 'healthy' },
    },
    db: {
      image: 'postgres:16',
      volumes: { '/var/lib/postgresql/data/': 'db' },
      secrets: { POSTGRES_PASSWORD: 'DB_PASSWORD' },
      check: { command: ['pg_isready', '-U', 'postgres'] },
      memory: 2 ** 29,
      aliases: ['postgres', 'Shop_DB'],
    },
    cache: { image: 'redis:7' },
  },
}
const read = (value: unknown): Application => {
  const { application, problems } = parseApplication(value)
  if (!application) throw new Error(JSON.stringify(problems))
  return application
}
const one = (change: object) => ({ services: { a: { image: 'redis', ...change } } })
const two = (a: object, b: object) => ({ services: { a: { image: 'redis', ...a }, b: { image: 'redis', ...b } } })

describe('an application of several services', () => {
  test('is read whole', () => {
    const { services } = read(SHOP)
    expect(services.map(({ name }) => name)).toEqual(['cache', 'db', 'migrate', 'web'])
    expect(services[1]).toEqual({
      ...{ name: 'db', image: 'docker.io/library/postgres:16', env: {}, ports: [], after: {} },
      volumes: { '/var/lib/postgresql/data': 'db' },
      secrets: { POSTGRES_PASSWORD: 'DB_PASSWORD' },
      check: { command: ['pg_isready', '-U', 'postgres'], every: 10, failures: 3 },
      memory: 2 ** 29,
      aliases: ['Shop_DB', 'postgres'],
    })
    expect(services[3]).toMatchObject({ secrets: { DATABASE_URL: 'DATABASE_URL' }, after: { db: 'healthy', migrate: 'done' } })
  })

  test('has one text, whatever the order of its parts, and is read from nothing else', () => {
    const text = applicationText(read(SHOP))
    const { db, ...others } = SHOP.services
    expect(applicationText(read({ services: { db, ...others } }))).toBe(text)
    expect(parseApplicationText(text)).toEqual(read(SHOP))
    for (const other of [
      ` ${text}`,
      text.replace('"every":10,', ''),
      text.replace('{"services"', '{"x":1,"services"'),
      '{',
      '[]',
    ])
      expect(parseApplicationText(other)).toBeUndefined()
  })

  test.each<[string, unknown]>([
    ['the least', { image: 'redis' }],
    [
      'all there is',
      {
        ...{ image: 'redis:7', command: ['a'], args: ['b'], env: { B: '1', A: '2' }, secrets: ['S'], user: '1', workdir: '/w' },
        ...{
          ports: [{ protocol: 'tcp', port: 1 }],
          volumes: ['/data', '/b'],
          files: { '/z': 'text', '/a': { secret: 'S' } },
          job: 'cancel',
          sandbox: 'gvisor',
          sharedMemory: 2 ** 30,
        },
        registry: { username: 'bob', password: 'P' },
      },
    ],
  ])('of one container keeps the text that it has: %s', (_, spec) => {
    const text = applicationText(read(spec))
    expect(text).not.toContain('services')
    expect(parseAppText(text)).toBeDefined()
    expect(parseApplicationText(text)).toEqual(read(spec))
  })

  test('of one service with a name of its own is no such text', () =>
    expect(applicationText(read(one({})))).toBe('{"services":{"a":{"image":"docker.io/library/redis:latest"}}}'))

  test('starts those first that others wait for', () => {
    expect(startOrder(read(SHOP).services)?.map(({ name }) => name)).toEqual(['cache', 'db', 'migrate', 'web'])
    expect(startOrder(read(two({ after: { b: 'started' } }, {})).services)?.map(({ name }) => name)).toEqual(['b', 'a'])
  })

  test('is visited at its page, else at what can be called, else at what goes on', () => {
    expect(mainService(read(SHOP)).name).toBe('web')
    expect(mainService(read(two({}, { ports: [{ protocol: 'udp', port: 53 }] }))).name).toBe('b')
    expect(mainService(read(two({ once: true }, {}))).name).toBe('b')
  })

  test('needs each value once, and no other', () => {
    const shop = read(SHOP)
    expect(valueNames(shop)).toEqual(['DATABASE_URL', 'DB_PASSWORD'])
    expect(valuesProblem(shop, { DATABASE_URL: 'x', DB_PASSWORD: 'y' })).toBeUndefined()
    expect(valueNames(read(one({ secrets: ['A'], files: { '/a': { secret: 'A' }, '/b': { secret: 'B' } } })))).toEqual(['A', 'B'])
    expect(valuesProblem(shop, { DATABASE_URL: 'x' })).toBe('DB_PASSWORD has no value')
    expect(valuesProblem(shop, { DATABASE_URL: 'x', DB_PASSWORD: 'y', Z: '' })).toBe('Z is not asked for')
    expect(valuesProblem(shop, { DATABASE_URL: 'x'.repeat(40_000), DB_PASSWORD: 'y' })).toContain('32 KiB')
  })

  test('has one list of images, in whichever order they are known', () => {
    const [a, b] = [`sha256:${'1'.repeat(64)}`, `sha256:${'2'.repeat(64)}`]
    expect(
      imageList([
        { service: 'web', digest: b },
        { service: 'db', digest: a },
      ]),
    ).toBe(`db ${a}\nweb ${b}\n`)
  })

  test.each<[string, unknown, string[]]>([
    ['no services', { services: {} }, ['services missing']],
    ['a list of them', { services: [] }, ['services invalid']],
    [
      'too many',
      { services: Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`s${at}`, { image: 'a' }])) },
      ['services too_many'],
    ],
    ['another field beside them', { ...one({}), image: 'redis' }, ['image unsupported']],
    ['a name with capitals', { services: { Web: { image: 'a' } } }, ['services.Web invalid']],
    ['the name of every machine', { services: { localhost: { image: 'a' } } }, ['services.localhost invalid']],
    ['a service that is none', { services: { a: 'redis' } }, ['services.a invalid']],
    ['no image', { services: { a: {} } }, ['services.a.image missing']],
    ['an unknown field', one({ privileged: true }), ['services.a.privileged unsupported']],
    ['a job in a service', one({ job: 'keep' }), ['services.a.job unsupported']],
    ['once that is no switch', one({ once: 'yes' }), ['services.a.once invalid']],
    ['a volume without a name', one({ volumes: { '/data': '' } }), ['services.a.volumes./data invalid']],
    ['a volume over the names', one({ volumes: { '/etc/hosts': 'x' } }), ['services.a.volumes.0 no_privilege']],
    ['a way out as the name of a folder', one({ volumes: { '/data': '../x' } }), ['services.a.volumes./data invalid']],
    ['a value that is no name', one({ secrets: { A: 'x=y' } }), ['services.a.secrets.A invalid']],
    ['a file in place of the names', one({ files: { '/etc/hosts': '' } }), ['services.a.files./etc/hosts no_privilege']],
    [
      'more files than an order may have',
      two(
        { files: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`/a${at}`, ''])) },
        { files: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`/b${at}`, ''])) },
      ),
      ['services too_many'],
    ],
    [
      'larger files than an order may have',
      two({ files: { '/a': 'x'.repeat(20_000) } }, { files: { '/b': 'x'.repeat(20_000) } }),
      ['services too_large'],
    ],
    [
      'the password of a registry as a file',
      two({ registry: { username: 'bob', password: 'P' } }, { files: { '/a': { secret: 'P' } } }),
      ['services.b.files duplicate'],
    ],
    ['a secret twice', one({ secrets: ['A', 'A'] }), ['services.a.secrets duplicate']],
    ['a check without a command', one({ check: {} }), ['services.a.check.command missing']],
    ['a check all the time', one({ check: { command: ['a'], every: 0 } }), ['services.a.check.every invalid']],
    ['nothing that goes on', two({ once: true }, { once: true }), ['services.a.once invalid']],
    ['a job', { ...one({}), job: 'keep' }, ['job unsupported']],
    ['less memory than there can be', one({ memory: 1000 }), ['services.a.memory invalid']],
    ['an alias that is an address', one({ aliases: ['10.0.0.1'] }), ['services.a.aliases.0 invalid']],
    ['the alias of another', two({ aliases: ['b'] }, {}), ['services.a.aliases duplicate']],
    ['one alias of two', two({ aliases: ['x'] }, { aliases: ['X'] }), ['services.b.aliases duplicate']],
    [
      'two pages',
      two({ ports: [{ protocol: 'http', port: 1 }] }, { ports: [{ protocol: 'http', port: 1 }] }),
      ['services.b.ports too_many'],
    ],
    ['waiting for nobody', one({ after: { b: 'healthy' } }), ['services.a.after.b missing']],
    ['waiting for an unknown state', two({ after: { b: 'ready' } }, {}), ['services.a.after.b invalid']],
    ['waiting for the end of what goes on', two({ after: { b: 'done' } }, {}), ['services.a.after.b invalid']],
    ['waiting for itself', one({ after: { a: 'started' } }), ['services circular']],
    ['waiting for each other', two({ after: { b: 'started' } }, { after: { a: 'started' } }), ['services circular']],
    [
      'the password of a registry as a value',
      two({ registry: { username: 'bob', password: 'P' } }, { secrets: { A: 'P' } }),
      ['services.b.secrets.A duplicate'],
    ],
    [
      'more values than an order may have',
      two({ env: { A: 'x'.repeat(20_000) } }, { env: { A: 'x'.repeat(20_000) } }),
      ['services too_large'],
    ],
  ])('is refused with %s', (_, value, problems) =>
    expect(parseApplication(value).problems.map(({ field, code }) => `${field} ${code}`)).toEqual(problems),
  )
})
