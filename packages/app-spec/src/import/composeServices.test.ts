import { describe, expect, test } from 'vitest'
import { applicationText, asSpec, parseApplicationText, valueNames } from '../services/applicationText.ts'
import { readPasted } from './readPasted.ts'

const SHOP = `services:
  Web_App:
    image: ghcr.io/acme/shop:2.1
    container_name: shop
    ports: ["8080:3000"]
    environment:
      DATABASE_URL: postgres://app:\${DB_PASSWORD}@db:5432/app
      API_KEY:
    depends_on:
      db: {condition: service_healthy}
      migrate: {condition: service_completed_successfully}
      mail: {condition: service_started, required: false}
    networks: {back: {aliases: [front]}}
  migrate:
    image: ghcr.io/acme/shop:2.1
    command: [migrate]
    environment: {PASSWORD: "\${DB_PASSWORD}"}
  db:
    image: postgres:16
    expose: [5432]
    restart: unless-stopped
    environment: {POSTGRES_PASSWORD: "\${DB_PASSWORD:?needed}"}
    volumes: ["./rows:/var/lib/postgresql/data/", "shared:/dump:ro"]
    healthcheck: {test: ["CMD-SHELL", "pg_isready -U app"], interval: 1m30s, retries: 5}
  backup:
    image: alpine
    restart: "no"
    command: sleep 60
    volumes: ["shared:/dump", /var/lib/own]
    healthcheck: {test: [NONE]}
    links: ["db:database"]
  admin:
    image: adminer
    ports: ["127.0.0.1:9000:8080"]
    profiles: [debug]
networks: {back: {}}
volumes: {shared: {}}
`
const services = (text: string) => {
  const { application, problems } = readPasted(text)
  if (!application) throw new Error(JSON.stringify(problems))
  return Object.fromEntries(application.services.map(({ name, ...rest }) => [name, rest]))
}
const problemsOf = (text: string) => readPasted(text).problems.map(({ field, code, line }) => `${line} ${field} ${code}`)
const two = (a: string, b = '') => `services:\n  a:\n    image: redis\n${a}  b:\n    image: nginx\n${b}`

describe('a compose file of several services', () => {
  test('becomes an application of them', () => {
    const read = services(SHOP)
    expect(Object.keys(read)).toEqual(['backup', 'db', 'migrate', 'web-app'])
    expect(read['web-app']).toMatchObject({
      ports: [{ protocol: 'http', port: 3000 }],
      after: { db: 'healthy', migrate: 'done' },
      aliases: ['Web_App', 'front', 'shop'],
      secrets: { API_KEY: 'API_KEY', DATABASE_URL: 'DATABASE_URL' },
    })
    expect(read.migrate).toMatchObject({ args: ['migrate'], once: true, secrets: { PASSWORD: 'DB_PASSWORD' } })
    expect(read.db).toMatchObject({
      image: 'docker.io/library/postgres:16',
      ports: [],
      secrets: { POSTGRES_PASSWORD: 'DB_PASSWORD' },
      volumes: { '/var/lib/postgresql/data': 'rows', '/dump': 'shared' },
      check: { command: ['/bin/sh', '-c', 'pg_isready -U app'], every: 90, failures: 5 },
    })
    expect(read.backup).toMatchObject({
      once: true,
      volumes: { '/dump': 'shared', '/var/lib/own': 'backup-var-lib-own' },
      after: { db: 'started' },
    })
    expect(read.backup).not.toHaveProperty('check')
  })

  test('is the text that is signed, and not that of one container', () => {
    const { application, spec, services: names } = readPasted(SHOP)
    expect(spec).toBeUndefined()
    expect(names).toEqual(['web-app', 'migrate', 'db', 'backup'])
    if (!application) throw new Error('not read')
    expect(asSpec(application)).toBeUndefined()
    expect(parseApplicationText(applicationText(application))).toEqual(application)
  })

  test('says of each service what is read otherwise, at its line', () => {
    const { notes } = readPasted(SHOP)
    expect(notes).toEqual(
      expect.arrayContaining([
        { field: 'services.admin', code: 'no_effect', line: 32 },
        { field: 'services.db.volumes.0', code: 'empty_folder', line: 23 },
        { field: 'services.Web_App.environment.API_KEY', code: 'became_secret', line: 8 },
      ]),
    )
  })

  test.each<[string, string, string | undefined]>([
    ['what says so', two('    ports: [{target: 5000, app_protocol: http}]\n', '    ports: ["80:80"]\n'), 'a 5000'],
    ['port 80 before others', two('    ports: ["3000:3000"]\n', '    ports: ["80:80"]\n'), 'b 80'],
    ['the first of usual ones', two('    ports: ["3000:3000"]\n', '    ports: ["8080:8080"]\n'), 'a 3000'],
    ['none that is for the machine alone', two('    ports: ["127.0.0.1:3000:3000"]\n', '    ports: ["9999:7"]\n'), undefined],
  ])('has one page: %s', (_, text, page) => {
    const pages = Object.entries(services(text)).flatMap(([name, { ports }]) =>
      ports.flatMap(({ protocol, port }) => (protocol === 'http' ? [`${name} ${port}`] : [])),
    )
    expect(pages).toEqual(page === undefined ? [] : [page])
  })

  test('signs no value that opens something, by its name', () => {
    const env = (password: string) =>
      `    environment: {POSTGRES_PASSWORD: ${password}, ROOT_TOKEN: "t${password}", USE_TOKEN: "true", P: plain}\n`
    const { application, values, notes } = readPasted(two(env('hunter2'), env('hunter2').replace('thunter2', 'other')))
    if (!application) throw new Error('not read')
    expect(applicationText(application)).not.toMatch(/hunter2|other/)
    expect(application.services.map(({ env: plain }) => plain)).toEqual(Array(2).fill({ P: 'plain', USE_TOKEN: 'true' }))
    expect(values).toEqual({ POSTGRES_PASSWORD: 'hunter2', A_ROOT_TOKEN: 'thunter2', B_ROOT_TOKEN: 'other' })
    expect(valueNames(application).sort()).toEqual(Object.keys(values).sort())
    expect(notes).toContainEqual({
      field: 'services.a.environment.POSTGRES_PASSWORD',
      code: 'values_sealed',
      line: expect.any(Number),
    })
  })

  test('keeps values of the same name apart unless they are of one variable', () => {
    const env = (value: string) => `    environment: {P: "${value}"}\n`
    expect(services(two(env('x$A'), env('y$B'))).a?.secrets).toEqual({ P: 'A_P' })
    expect(services(two(env('x$A'), env('y$B'))).b?.secrets).toEqual({ P: 'B_P' })
    expect([services(two(env('$A'), env('$A'))).a?.secrets, services(two(env('$A'), env('$A'))).b?.secrets]).toEqual([
      { P: 'A' },
      { P: 'A' },
    ])
  })

  test('calls two services or folders apart that would be called the same', () => {
    const text = 'services:\n  a_b: {image: redis, volumes: ["./d:/d"]}\n  a.b: {image: redis, volumes: ["d:/d"]}\n'
    const read = services(text)
    expect(Object.keys(read)).toEqual(['a-b', 'a-b-2'])
    expect([read['a-b']?.volumes, read['a-b-2']?.volumes]).toEqual([{ '/d': 'd' }, { '/d': 'd-2' }])
    expect([read['a-b']?.aliases, read['a-b-2']?.aliases]).toEqual([['a_b'], ['a.b']])
  })

  test('goes on where all of its services are said to end', () =>
    expect(services(two('    restart: "no"\n', '    restart: "no"\n')).a).not.toHaveProperty('once'))

  test.each<[string, string, string[]]>([
    ['no image', two('', '  c: {}\n'), ['6 services.c.image missing']],
    ['what it may not do', two('    privileged: true\n'), ['4 services.a.privileged no_privilege']],
    ['a field that nobody has', two('    foo: 1\n'), ['4 services.a.foo unsupported']],
    ['an image that is to be built', two('', '  c:\n    build: .\n'), ['7 services.c.build needs_image']],
    ['a bad port', two('    ports: ["99999"]\n'), ['4 services.a.ports.0 invalid']],
    ['a folder that is taken', two('    volumes: ["d:/proc/x"]\n'), ['4 services.a.volumes.0 no_privilege']],
    ['services that wait for each other', two('    depends_on: [b]\n', '    depends_on: [a]\n'), ['1 services circular']],
    ['a bad order', two('    depends_on: 5\n'), ['4 services.a.depends_on invalid']],
    ['another file', two('    extends: {file: x.yml}\n'), ['4 services.a.extends other_file']],
    ['a variable in an image', 'services:\n  a:\n    image: redis:$T\n  b:\n    image: nginx\n', ['3 services.a.image no_value']],
    [
      'more services than an order has',
      `services:\n${Array.from({ length: 11 }, (_, at) => `  s${at}: {image: redis}\n`).join('')}`,
      ['1 services too_many'],
    ],
  ])('is refused with %s', (_, text, problems) => expect(problemsOf(text)).toEqual(problems))
})
