import { describe, expect, test } from 'vitest'
import { APP_LIMITS, type AppSpec } from '../AppSpec.ts'
import { formatAppYaml } from './formatAppYaml.ts'
import { readPasted } from './readPasted.ts'

const REDIS: AppSpec = { image: 'docker.io/library/redis:7', env: {}, secrets: [], ports: [], volumes: [] }
const WHOLE: AppSpec = {
  image: 'docker.io/library/redis:7',
  command: ['/bin/sh', '-c'],
  args: ['exec serve', '8000'],
  env: { MODE: 'fast', PORT: '8000' },
  secrets: ['KEY'],
  ports: [
    { protocol: 'http', port: 8000, ready: '/up', access: 'owner' },
    { protocol: 'udp', port: 53 },
  ],
  volumes: ['/data'],
  user: '1000:1000',
  workdir: '/srv',
  files: { '/etc/a.conf': 'one\ntwo\n', '/key': { secret: 'KEY' } },
  registry: { username: 'bob', password: 'PASSWORD' },
  job: 'cancel',
  sandbox: 'gvisor',
  sharedMemory: 3 * 2 ** 29,
}

describe('a specification as YAML', () => {
  test('contains only the fields that are set', () => expect(formatAppYaml(REDIS)).toBe('image: docker.io/library/redis:7\n'))

  test('contains every field, with ports by protocol', () =>
    expect(formatAppYaml(WHOLE)).toBe(`image: docker.io/library/redis:7
command:
  - /bin/sh
  - -c
args:
  - exec serve
  - "8000"
env:
  MODE: fast
  PORT: "8000"
secrets:
  - KEY
ports:
  - http: 8000
    ready: /up
    access: owner
  - udp: 53
volumes:
  - /data
files:
  /etc/a.conf: |
    one
    two
  /key:
    secret: KEY
user: 1000:1000
workdir: /srv
registry:
  username: bob
  password: PASSWORD
job: cancel
sandbox: gvisor
sharedMemory: 1536Mi
`))

  test.each<[string, AppSpec]>([
    ['without optional fields', REDIS],
    ['with every field', WHOLE],
    ['with one list used twice', { ...REDIS, command: WHOLE.volumes, args: WHOLE.volumes }],
    ['with a long line', { ...REDIS, args: ['word '.repeat(100)] }],
    ['with words like numbers and booleans', { ...REDIS, args: ['1', 'true', 'null', '~', ''], env: { A: '0x1', B: 'no' } }],
  ])('parses back %s', (_, spec) =>
    expect(readPasted(formatAppYaml(spec))).toMatchObject({ kind: 'app', spec, problems: [], notes: [] }),
  )

  test('keeps long lines unwrapped', () =>
    expect(formatAppYaml({ ...REDIS, args: ['word '.repeat(100).trim()] }).split('\n')).toHaveLength(4))
})

describe('a hand-written file', () => {
  test.each<[string, object]>([
    ['env: {A: 5}', { env: { A: '5' } }],
    ['env: {A: true}', { env: { A: 'true' } }],
    ['env: {A: 1.5, B: ""}', { env: { A: '1.5', B: '' } }],
    ['user: 1000', { user: '1000' }],
    ['ports: [{tcp: 22}]', { ports: [{ protocol: 'tcp', port: 22 }] }],
    ['ports: [{http: 22, ready: /up}]', { ports: [{ protocol: 'http', port: 22, ready: '/up' }] }],
    ['ports: [{tcp: 80}]', { ports: [{ protocol: 'tcp', port: 80 }] }],
    ['args: []', { args: [] }],
    ['command: [], args: [a]'.replace(', ', '\n'), { command: ['a'] }],
    ['command: [a]\nargs: []', { command: ['a'] }],
  ])('accepts `%s`', (line, expected) =>
    expect(readPasted(`image: redis:7\n${line}`)).toEqual({
      kind: 'app',
      spec: { ...REDIS, ...expected },
      draft: expect.objectContaining({ image: 'redis:7' }),
      ...{ problems: [], notes: [], wanted: [], values: {} },
    }),
  )

  test.each<[string, string[]]>([
    ['env: [A]', ['env invalid']],
    ['env: {A: null}', ['env.A invalid']],
    ['env: {A: [1], B: x}', ['env.A invalid']],
    ['env: {A=B: x}', ['env.A=B invalid']],
    ['command: []', ['command no_command']],
    ['secrets: KEY', ['secrets invalid']],
    ['secrets: [KEY, 1]', ['secrets.1 invalid']],
    ['secrets: [A, A]', ['secrets.1 duplicate']],
    ['ports: 80', ['ports invalid']],
    ['ports: [80]', ['ports.0 invalid']],
    ['ports: [null]', ['ports.0 invalid']],
    ['ports: [{port: 80}]', ['ports.0 invalid']],
    ['ports: [{tcp: 0}]', ['ports.0 invalid']],
    ['ports: [{tcp: 80, udp: 53}]', ['ports.0 unsupported']],
    ['ports: [{tcp: 80, port: 90, protocol: udp}]', ['ports.0.protocol unsupported', 'ports.0.port unsupported']],
    ['ports: [{http: 80}, {http: 81}]', ['ports.1 too_many']],
    ['volumes: /data', ['volumes invalid']],
    ['volumes: [/data, /data/x, /data/, b]', ['volumes.2 duplicate', 'volumes.3 invalid']],
    ['user: [1]', ['user invalid']],
    ['workdir: srv', ['workdir invalid']],
    ['command: sh', ['command invalid']],
    ['args: [a, 1]', ['args invalid']],
    ['registry: {username: bob}', ['registry invalid']],
    ['job: often', ['job invalid']],
    ['sandbox: none', ['sandbox invalid']],
    ['sharedMemory: much', ['sharedMemory invalid']],
    ['services_: 1', ['services_ unsupported']],
    ['toString: 1', ['toString unsupported']],
    ['valueOf: {}', ['valueOf unsupported']],
  ])('refuses `%s` at its line', (line, problems) => {
    const { spec, problems: found } = readPasted(`image: redis:7\n${line}`)
    expect(spec).toBeUndefined()
    expect(found.map(({ field, code, line: at }) => `${at} ${field} ${code}`)).toEqual(problems.map((problem) => `2 ${problem}`))
  })

  test.each<[string, string[]]>([
    ['secrets: [A]', ['1 image missing']],
    ['image: ""', ['1 image missing']],
    ['image: 5', ['1 image invalid']],
    ['foo: 1', ['1 foo unsupported']],
    ['foo: 1\nimage: A', ['1 foo unsupported', '2 image invalid']],
    ['- image', ['1  invalid']],
    ['redis', ['1  invalid']],
  ])('refuses %j', (text, problems) =>
    expect(readPasted(text).problems.map(({ field, code, line }) => `${line} ${field} ${code}`)).toEqual(problems),
  )

  test('refuses too large a file at its first line', () => {
    const words = Array.from({ length: 12 }, () => 'x'.repeat(APP_LIMITS.wordLength))
    // In JSON each quote takes two bytes, so that the specification is larger than its file.
    const value = '"'.repeat(10_000)
    const text = `# much\nimage: redis\nargs: [${words.join(', ')}]\nenv: {A: '${value}'}\n`
    expect(readPasted(text).problems).toEqual([{ field: '', code: 'too_large', line: 2 }])
  })
})
