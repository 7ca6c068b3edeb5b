import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createSession, type Session } from '../session.ts'
import { en } from '../texts/en.ts'
import { type DeployFlags, deployableOf } from './deploy.ts'

const folder = mkdtempSync(join(tmpdir(), 'rackfair-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the command makes of a file and its flags, and what it says on stderr. */
async function read(file: string, flags: DeployFlags = {}) {
  const path = join(folder, 'file')
  writeFileSync(path, file)
  const said: string[] = []
  const session = createSession({}, new AbortController().signal, [])
  const output = { ...session.output, note: (text: string) => void said.push(text) }
  const { what, env, notes } = await deployableOf({ ...session, text: en, output } as Session, undefined, {
    file: path,
    ...flags,
  })
  return { what, app: 'app' in what ? what.app : undefined, env, notes, said }
}
const failure = (file: string, flags?: DeployFlags) =>
  read(file, flags).then(
    () => undefined,
    ({ code, message }: { code: string; message: string }) => ({ code, message }),
  )

describe('a private image', () => {
  const file = 'image: registry.example:5000/acme/app:1\nregistry: { username: alice, password: REG }\nsecrets: [TOKEN]\n'

  test('gets the password of its registry, which the application does not', async () => {
    const { app, env } = await read(file, { secret: ['REG=hush', 'TOKEN=t'] })
    expect(app).toMatchObject({ registry: { username: 'alice', password: 'REG' }, secrets: ['TOKEN'] })
    expect(env).toEqual({ REG: 'hush', TOKEN: 't' })
  })

  test('needs it', async () => expect((await failure(file, { secret: ['TOKEN=t'] }))?.message).toContain('REG has no value'))
})

describe('values', () => {
  const file = 'services: {a: {image: redis, environment: {A: "1", B: null, "node.name": x}}}'

  test.each<[DeployFlags, object, string[], object]>([
    [{ secret: ['B=b'] }, { A: '1', 'node.name': 'x' }, ['B'], { B: 'b' }],
    // As given here, whatever the file says of them.
    [{ env: ['B=b'] }, { A: '1', B: 'b', 'node.name': 'x' }, [], {}],
    [{ secret: ['B=b', 'A=2'] }, { 'node.name': 'x' }, ['A', 'B'], { A: '2', B: 'b' }],
    [
      { secret: ['B=line 1\nline 2'], env: ['node.name=y', 'C-D=a\n\tb'] },
      { A: '1', 'C-D': 'a\n\tb', 'node.name': 'y' },
      ['B'],
      { B: 'line 1\nline 2' },
    ],
  ])('are plain or secret with %j', async (flags, plain, secrets, sealed) => {
    const { app, env } = await read(file, flags)
    expect(app).toMatchObject({ env: plain, secrets })
    expect(env).toEqual(sealed)
  })

  test('have names', async () => expect(await failure(file, { env: ['=x'] })).toMatchObject({ code: 'env_not_allowed' }))
})

describe('what has no effect, or another one than elsewhere,', () => {
  const file = 'services:\n  a:\n    image: redis\n    restart: always\n    ports: ["127.0.0.1:6379:6379", "16379:6380"]\n'

  test('is said, and returned for programs', async () => {
    const { said, notes, app } = await read(file)
    expect(app?.ports).toEqual([{ protocol: 'tcp', port: 6380 }])
    expect(notes).toEqual([
      { field: 'services.a.restart', code: 'always_restarted', line: 4 },
      { field: 'services.a.ports.0', code: 'closed_port', line: 5 },
      { field: 'services.a.ports.1', code: 'outside_port', line: 5 },
    ])
    expect(said).toEqual([
      `services.a.restart (line 4) ${en.app.notes.always_restarted}`,
      `services.a.ports.0 (line 5) ${en.app.notes.closed_port}`,
      `services.a.ports.1 (line 5) ${en.app.notes.outside_port}`,
      en.noHttp,
    ])
  })

  test('is said of every refusal, with its line and what to do', async () =>
    expect(await failure('services:\n  web:\n    image: wordpress\n  db:\n    image: mysql\n    privileged: true\n')).toEqual({
      code: 'app_malformed',
      message: en.badApp(`services.db.privileged (line 6) ${en.app.problems.no_privilege}`),
    }))
})

describe('several services', () => {
  const file =
    'services:\n  web: {image: wordpress, ports: [80], environment: {P: $PW}}\n  db: {image: mysql, environment: {Q: $PW}}\n'

  test('are one application, with each value once', async () => {
    const { what, env } = await read(file, { secret: ['PW=hush'] })
    expect('application' in what && what.application.services.map(({ name, secrets }) => [name, secrets])).toEqual([
      ['db', { Q: 'PW' }],
      ['web', { P: 'PW' }],
    ])
    expect(env).toEqual({ PW: 'hush' })
  })

  test('are signed without the values that open something', async () => {
    const { what, env, notes } = await read(file.replace('{Q: $PW}', '{Q: "1", DB_PASSWORD: hush}').replace('$PW', 'p'))
    expect(JSON.stringify(what, (_, one) => (typeof one === 'bigint' ? String(one) : one))).not.toContain('hush')
    expect(env).toEqual({ DB_PASSWORD: 'hush' })
    expect(notes).toContainEqual(expect.objectContaining({ field: 'services.db.environment.DB_PASSWORD', code: 'values_sealed' }))
  })

  test.each<[object, string]>([
    [{}, 'env_not_allowed'],
    [{ secret: ['PW=hush', 'X=y'] }, 'env_not_allowed'],
    [{ secret: ['PW=hush'], http: '80' }, 'bad_request'],
    [{ secret: ['PW=hush'], env: ['A=b'] }, 'bad_request'],
    [{ secret: ['PW=hush'], job: true }, 'bad_request'],
  ])('are refused with %j', async (flags, code) => expect(await failure(file, flags)).toMatchObject({ code }))
})

describe('the page', () => {
  const file = 'docker run -p 80:80 -p 5555:5555 -p 53:53/udp example/app'
  const http = (port: number) => ({ protocol: 'http', port })
  const tcp = (port: number) => ({ protocol: 'tcp', port })
  const udp = { protocol: 'udp', port: 53 }

  test.each<[string | undefined, object[]]>([
    [undefined, [http(80), tcp(5555), udp]],
    ['80', [http(80), tcp(5555), udp]],
    ['5555', [http(5555), tcp(80), udp]],
    ['53', [http(53), tcp(80), tcp(5555), udp]],
    ['8443', [http(8443), tcp(80), tcp(5555), udp]],
  ])('is at port %s', async (port, ports) =>
    expect((await read(file, port === undefined ? {} : { http: port })).app?.ports).toEqual(ports),
  )

  test.each(['0', '70000'])('is at no port %s', async (port) =>
    expect(await failure(file, { http: port })).toMatchObject({ code: 'app_malformed' }),
  )
  test('is at a number', async () => expect(await failure(file, { http: 'web' })).toMatchObject({ code: 'bad_request' }))

  test('keeps how it is asked whether it is ready', async () =>
    expect((await read('image: a\nports: [{http: 80, ready: /up, access: owner}]', { http: '80' })).app?.ports).toEqual([
      { protocol: 'http', port: 80, ready: '/up', access: 'owner' },
    ]))
})

test('splits the words of a command as no shell does', async () => {
  const session = { ...createSession({}, new AbortController().signal, []), text: en }
  const args = async (command: string) => {
    const { what } = await deployableOf(session, undefined, { image: 'redis', command })
    return 'app' in what ? what.app.args : undefined
  }
  expect(await args('sh -c "echo $HOME" --allow=*')).toEqual(['sh', '-c', 'echo $HOME', '--allow=*'])
  await expect(args('a && b')).rejects.toMatchObject({ code: 'app_malformed' })
})

describe('what lies beside a file', () => {
  const file = `services:
  web:
    build: .
    volumes: ["./beside.conf:/etc/beside.conf", "../outside.conf:/etc/outside.conf"]
    env_file: beside.env
    secrets: [key]
  db: {image: "mysql:\${TAG}", environment: {P: $PW}}
secrets: {key: {file: ./key.txt}}
`
  const beside = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }

  test('is asked for by its name where it is not', async () => {
    const { message = '' } = (await failure(file)) ?? {}
    expect(message.split('\n').slice(-5)).toEqual([
      en.giveIt.values('beside.env'),
      en.giveIt.image('web'),
      en.giveIt.file('./beside.conf'),
      en.unread.outside('../outside.conf'),
      en.giveIt.variable('TAG'),
    ])
  })

  test('is read, and what lies outside is given', async () => {
    beside('beside.conf', 'conf')
    beside('beside.env', 'A=1\n')
    beside('key.txt', 'k')
    const given = ['web=acme/web', `../outside.conf=${beside('elsewhere.conf', 'outer')}`, 'TAG=8']
    const { what, env, said } = await read(file, { with: given, envFile: beside('vars', 'PW=hush\nTAG=5\n') })
    expect('application' in what && what.application.services).toMatchObject([
      { name: 'db', image: 'docker.io/library/mysql:8', secrets: { P: 'PW' } },
      {
        ...{ name: 'web', image: 'docker.io/acme/web:latest', secrets: { A: 'A' } },
        files: {
          ...{ '/etc/beside.conf': 'conf', '/etc/outside.conf': 'outer', '/run/secrets/key': { secret: 'key' } },
        },
      },
    ])
    expect(env).toEqual({ A: '1', PW: 'hush', key: 'k' })
    expect(said.join('\n')).not.toContain('.env.')
  })

  test('has variables in .env, which is said', async () => {
    const path = beside('.env', 'TAG=7\n')
    const { app, said } = await read('services: {a: {image: "redis:$TAG"}}')
    rmSync(path)
    expect(app?.image).toBe('docker.io/library/redis:7')
    expect(said).toContain(en.fromEnvFile(path))
  })

  test('are values of an image', async () => {
    const session = createSession({}, new AbortController().signal, [])
    const given = { image: 'redis', envFile: beside('vars', 'A=1\nB=2\n'), env: ['B=3'] }
    const { what, env } = await deployableOf(session, undefined, given)
    expect(what).toMatchObject({ app: { env: { B: '3' }, secrets: ['A'] } })
    expect(env).toEqual({ A: '1' })
  })

  test('is nothing that the file does not name', async () =>
    expect(await failure('image: redis', { with: ['x=y'] })).toEqual({ code: 'bad_request', message: en.badWith('x=y') }))
})
