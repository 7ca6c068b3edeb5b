import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { APP_LIMITS, type AppSpec } from './AppSpec.ts'
import { appText, parseAppText, secretsProblem } from './appText.ts'
import { formatImage, parseImage } from './imageReference.ts'
import { parseAppSpec } from './parseAppSpec.ts'

const DIGEST = `sha256:${'ab'.repeat(32)}`
const problemsOf = (value: unknown) => parseAppSpec(value).problems.map(({ field, code }) => `${field} ${code}`)
const specOf = (value: unknown): AppSpec => {
  const { spec, problems } = parseAppSpec(value)
  if (!spec) throw new Error(JSON.stringify(problems))
  return spec
}

describe('image names', () => {
  test.each([
    ['redis', 'docker.io/library/redis:latest'],
    ['redis:7', 'docker.io/library/redis:7'],
    ['vllm/vllm-openai:v0.6.4', 'docker.io/vllm/vllm-openai:v0.6.4'],
    ['ghcr.io/a/b/c', 'ghcr.io/a/b/c:latest'],
    ['localhost:5000/a', 'localhost:5000/a:latest'],
    ['127.0.0.1:5055/t/app:1', '127.0.0.1:5055/t/app:1'],
    ['[2001:db8::1]:5000/a', '[2001:db8::1]:5000/a:latest'],
    [`quay.io/a@${DIGEST}`, `quay.io/a@${DIGEST}`],
    [`quay.io/a:1@${DIGEST}`, `quay.io/a:1@${DIGEST}`],
    ['GHCR.io/a', 'ghcr.io/a:latest'],
    ['docker.io/nginx', 'docker.io/library/nginx:latest'],
    ['localhost/a', 'localhost/a:latest'],
    ['localhosts/a', 'docker.io/localhosts/a:latest'],
    ['alocalhost/a', 'docker.io/alocalhost/a:latest'],
    [`ghcr.io/${'b'.repeat(255)}`, `ghcr.io/${'b'.repeat(255)}:latest`],
  ])('%s is %s', (text, full) => {
    const image = parseImage(text)
    expect(image && formatImage(image)).toBe(full)
    expect(parseImage(full)).toEqual(image)
  })

  test.each([
    '',
    'Redis',
    'a/B',
    'redis:',
    'redis@sha256:12',
    `redis@sha512:${'ab'.repeat(64)}`,
    'http://ghcr.io/a',
    'ghcr.io//a',
    'ghcr.io/a/',
    '../a',
    'a..b',
    'a b',
    'redis:7\n',
    'user@host/a',
    'Bob/a',
    `ghcr.io/${'b'.repeat(256)}`,
    `a/${'b'.repeat(300)}`,
    `redis:${'7'.repeat(APP_LIMITS.imageLength)}`,
  ])('refuses %j', (text) => expect(parseImage(text)).toBeUndefined())
})

describe('a specification', () => {
  test('accepts every field', () => {
    const spec = specOf({
      image: 'vllm/vllm-openai:v0.6.4',
      command: ['/bin/sh', '-c'],
      args: ['exec serve --port 8000\n'],
      env: { MODEL: 'Qwen', A: '' },
      secrets: ['TOKEN', 'API_KEY'],
      ports: [
        { protocol: 'udp', port: 53 },
        { protocol: 'tcp', port: 9090 },
        { protocol: 'http', port: 8000, ready: '/health', access: 'owner' },
      ],
      volumes: ['/data', '/cache'],
      files: { '/etc/b.conf': 'b\n', '/data/a': { secret: 'KEY' } },
      user: '1000:1000',
      workdir: '/workspace',
      registry: { username: 'bob', password: 'REGISTRY_PASSWORD' },
    })
    expect(appText(spec)).toBe(
      '{"image":"docker.io/vllm/vllm-openai:v0.6.4","command":["/bin/sh","-c"],"args":["exec serve --port 8000\\n"],"env":{"A":"","MODEL":"Qwen"},"secrets":["API_KEY","TOKEN"],"ports":[{"protocol":"http","port":8000,"ready":"/health","access":"owner"},{"protocol":"tcp","port":9090},{"protocol":"udp","port":53}],"volumes":["/cache","/data"],"files":{"/data/a":{"secret":"KEY"},"/etc/b.conf":"b\\n"},"user":"1000:1000","workdir":"/workspace","registry":{"username":"bob","password":"REGISTRY_PASSWORD"}}',
    )
  })

  test.each<[string, unknown, string[]]>([
    ['no object', 'redis', [' invalid']],
    ['no image', {}, ['image missing']],
    ['an unknown field', { image: 'a', privileged: true }, ['privileged unsupported']],
    [
      'an unknown field of a port',
      { image: 'a', ports: [{ protocol: 'tcp', port: 1, open: false }] },
      ['ports.0.open unsupported'],
    ],
    ['an escape sequence in a value', { image: 'a', env: { A: 'x\n\x1b[2J' } }, ['env.A invalid']],
    ['a carriage return alone in a value', { image: 'a', env: { A: 'x\ry' } }, ['env.A invalid']],
    ['an escape sequence in a word', { image: 'a', args: ['\x1b[2J'] }, ['args.0 invalid']],
    ['a bad name', { image: 'a', env: { 'A=B': '' } }, ['env.A=B invalid']],
    ['nothing to start', { image: 'a', command: [] }, ['command no_command']],
    ['nothing to start, said twice', { image: 'a', command: [], args: [] }, ['command no_command']],
    ['a secret that is also plain', { image: 'a', env: { A: '' }, secrets: ['A'] }, ['secrets.0 duplicate']],
    [
      'a password that the application would see',
      { image: 'a', secrets: ['P'], registry: { username: 'bob', password: 'P' } },
      ['secrets.0 duplicate'],
    ],
    [
      'a user name with a colon for a registry',
      { image: 'a', registry: { username: 'a:b', password: 'P' } },
      ['registry.username invalid'],
    ],
    ['two HTTP ports', { image: 'a', ports: [80, 81].map((port) => ({ protocol: 'http', port })) }, ['ports too_many']],
    [
      'one port twice',
      {
        image: 'a',
        ports: [
          { protocol: 'http', port: 80 },
          { protocol: 'tcp', port: 80 },
        ],
      },
      ['ports.1 duplicate'],
    ],
    ['port 0', { image: 'a', ports: [{ protocol: 'tcp', port: 0 }] }, ['ports.0.port invalid']],
    ['port 65536', { image: 'a', ports: [{ protocol: 'tcp', port: 65_536 }] }, ['ports.0.port invalid']],
    ['a path of readiness for TCP', { image: 'a', ports: [{ protocol: 'tcp', port: 1, ready: '/' }] }, ['ports.0.ready invalid']],
    ['a volume outside of the image', { image: 'a', volumes: ['../etc'] }, ['volumes.0 invalid']],
    ['a volume with a way up', { image: 'a', volumes: ['/data/../proc'] }, ['volumes.0 no_privilege']],
    ['a volume over /proc', { image: 'a', volumes: ['/proc'] }, ['volumes.0 no_privilege']],
    ['a volume over what the engine mounts', { image: 'a', volumes: ['/etc/resolv.conf'] }, ['volumes.0 no_privilege']],
    ['files that are a list', { image: 'a', files: ['/a'] }, ['files invalid']],
    ['a file without a text', { image: 'a', files: { '/a': {} } }, ['files./a invalid']],
    ['a file of a number', { image: 'a', files: { '/a': 5 } }, ['files./a invalid']],
    ['a file that is both', { image: 'a', files: { '/a': { secret: 'A', text: '' } } }, ['files./a invalid']],
    ['a file with an escape sequence', { image: 'a', files: { '/a': '\x1b[2J' } }, ['files./a invalid']],
    ['a file outside of the image', { image: 'a', files: { '../etc/passwd': '' } }, ['files.../etc/passwd invalid']],
    ['a file that is a folder', { image: 'a', files: { '/a/': '' } }, ['files./a/ invalid']],
    ['a file with a way up', { image: 'a', files: { '/a/../etc/hosts': '' } }, ['files./a/../etc/hosts no_privilege']],
    ['a file in place of the root', { image: 'a', files: { '/.': '' } }, ['files./. no_privilege']],
    ['one file twice', { image: 'a', files: { '/a': '', '//a': '' } }, ['files.//a duplicate']],
    ['a file that is a volume', { image: 'a', volumes: ['/a'], files: { '/a': '' } }, ['files./a duplicate']],
    ['a volume in a file', { image: 'a', volumes: ['/a/b'], files: { '/a': '' } }, ['files./a invalid']],
    ['a file in a file', { image: 'a', files: { '/a': '', '/a/b': '' } }, ['files./a invalid']],
    [
      'the password of a registry as a file',
      { image: 'a', files: { '/a': { secret: 'P' } }, registry: { username: 'bob', password: 'P' } },
      ['files./a duplicate'],
    ],
    [
      'too many files',
      { image: 'a', files: Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`/f${at}`, ''])) },
      ['files too_many'],
    ],
    ['too large a file', { image: 'a', files: { '/a': 'ü'.repeat(20_000) } }, ['files too_large']],
    ['a user that is not there', { image: 'a', user: '70000' }, ['user invalid']],
    ['the last user', { image: 'a', user: '65535' }, ['user invalid']],
    ['a relative folder', { image: 'a', workdir: 'app' }, ['workdir invalid']],
    ['an empty image', { image: '' }, ['image missing']],
    ['an image that is no text', { image: 7 }, ['image invalid']],
    ['a sandbox that is none', { image: 'a', sandbox: 'none' }, ['sandbox invalid']],
    ...[0, 2 ** 20 - 1, 2 ** 46 + 1, 2 ** 21 + 0.5, '2Gi'].map((sharedMemory): [string, unknown, string[]] => [
      `${sharedMemory} bytes of shared memory`,
      { image: 'a', sharedMemory },
      ['sharedMemory invalid'],
    ]),
    ['values that are a list', { image: 'a', env: [] }, ['env invalid']],
    ['a value that is a number', { image: 'a', env: { A: 1 } }, ['env.A invalid']],
    ['secrets that are a text', { image: 'a', secrets: 'S' }, ['secrets invalid']],
    ['a secret that is a number', { image: 'a', secrets: [1] }, ['secrets.0 invalid']],
    ['a secret with a bad name', { image: 'a', secrets: ['A=B'] }, ['secrets.0 invalid']],
    ['a secret twice', { image: 'a', secrets: ['A', 'A'] }, ['secrets.1 duplicate']],
    ['ports that are one', { image: 'a', ports: { protocol: 'tcp', port: 1 } }, ['ports invalid']],
    ['a port that is a number', { image: 'a', ports: [80] }, ['ports.0 invalid']],
    ['a protocol that is none', { image: 'a', ports: [{ protocol: 'sctp', port: 1 }] }, ['ports.0.protocol invalid']],
    ['half a port', { image: 'a', ports: [{ protocol: 'tcp', port: 1.5 }] }, ['ports.0.port invalid']],
    ['no path of readiness', { image: 'a', ports: [{ protocol: 'http', port: 1, ready: 1 }] }, ['ports.0.ready invalid']],
    ['an owner for TCP', { image: 'a', ports: [{ protocol: 'tcp', port: 1, access: 'owner' }] }, ['ports.0.access invalid']],
    ['access for all', { image: 'a', ports: [{ protocol: 'http', port: 1, access: 'all' }] }, ['ports.0.access invalid']],
    ['volumes that are a text', { image: 'a', volumes: '/data' }, ['volumes invalid']],
    ['a volume that is a number', { image: 'a', volumes: [1] }, ['volumes.0 invalid']],
    ['a volume twice, once with a slash at its end', { image: 'a', volumes: ['/data', '/data/'] }, ['volumes.1 duplicate']],
    ['a volume twice', { image: 'a', volumes: ['/data', '/data'] }, ['volumes.1 duplicate']],
    ['a registry that is a text', { image: 'a', registry: 'bob' }, ['registry invalid']],
    ['more of a registry', { image: 'a', registry: { username: 'b', password: 'P', url: '' } }, ['registry.url unsupported']],
    ['a registry without a user', { image: 'a', registry: { password: 'P' } }, ['registry.username invalid']],
    ['a registry without a password', { image: 'a', registry: { username: 'b' } }, ['registry.password invalid']],
    ['a password that is no name', { image: 'a', registry: { username: 'b', password: 'p=w' } }, ['registry.password invalid']],
    ['a user that is a number', { image: 'a', user: 1000 }, ['user invalid']],
    ['a group that is not there', { image: 'a', user: '1000:65535' }, ['user invalid']],
  ])('refuses %s', (_, value, problems) => expect(problemsOf(value)).toEqual(problems))

  const http = (ready: string) => ({ ports: [{ protocol: 'http', port: 1, ready }] })
  test.each<[string, (text: string) => object, string[], string[]]>([
    [
      'the name of a value',
      (text) => ({ env: { [text]: '' } }),
      ['A', '_', 'a1_Z', '1A', 'A-B', 'discovery.type', '.', 'A B', 'A:B', '$A', '__proto__', 'A'.repeat(128)],
      ['', 'A=', '=A', ' A', 'A ', 'A\n', 'A\x7f', 'Ä', 'A'.repeat(129)],
    ],
    [
      'a volume',
      (text) => ({ volumes: [text] }),
      [
        ...[
          '/a',
          '/procs',
          '/a/proc',
          '/.hidden',
          '/...',
          '/..a/b',
          '/w.@+-_/b',
          '/a b',
          '/数据',
          '/a/',
          '//a',
          `/${'a'.repeat(200)}`,
        ],
        ...['/etc/grafana', '/etc/hosts.d', '/run/x', '/var/run/x', '/run/postgresql', '/..'.concat('/a')],
      ],
      [
        ...[
          '',
          '/',
          'a',
          'x/a',
          '/a:b',
          '/a\n',
          `/${'a'.repeat(201)}`,
          '/proc',
          '/proc/',
          '//proc/x',
          '/sys/x',
          '/dev',
          '/etc',
          '/run',
        ],
        ...[
          '/etc/hosts',
          '/etc/resolv.conf',
          '/etc/./hostname',
          '/run/.containerenv',
          '/.rackfair',
          '/a/..',
          '/a/../dev/x',
          '/.',
        ],
      ],
    ],
    ['a folder', (text) => ({ workdir: text }), ['/', '/a/b', '/proc', '/a b', '/a/../b/'], ['', 'a', '/a\n', '/a:b']],
    [
      'a user',
      (text) => ({ user: text }),
      ['0', '65534', 'root', '_a-1', '1:2', 'root:0', '0:root', 'a'.repeat(32), `a:${'b'.repeat(32)}`],
      ['', '65535', '123456', 'Root', '-a', '1a', 'a b', 'a:', ':a', 'a:B', 'a:1b', 'a:b:c', '1:65535', 'a'.repeat(33)],
    ],
    [
      'a path of readiness',
      http,
      ['/', '/a/b.c?d=e&f~%20', `/${'a'.repeat(200)}`],
      ['', 'a', 'x/a', '/a b', '/#', `/${'a'.repeat(201)}`],
    ],
    [
      'a user of a registry',
      (username) => ({ registry: { username, password: 'P' } }),
      ['bob', '!~', '9;', 'a'.repeat(200)],
      ['', 'a:b', 'a b', ' a', 'ü', '\x7f', 'a'.repeat(201)],
    ],
  ])('accepts %s only in its canonical form', (_, fieldsOf, right, wrong) => {
    const isTaken = (text: string) => parseAppSpec({ image: 'a', ...fieldsOf(text) }).spec !== undefined
    expect([...right, ...wrong].filter(isTaken)).toEqual(right)
  })

  test('accepts every field at its limit', () => {
    const ports = (count: number) => Array.from({ length: count }, (_, index) => ({ protocol: 'tcp', port: index + 1 }))
    const env = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`A${index}`, '']))
    const volumes = (count: number) => Array.from({ length: count }, (_, index) => `/v${index}`)
    const words = (count: number) => Array.from({ length: count }, () => 'x')
    expect(
      problemsOf({ image: 'a', ports: ports(APP_LIMITS.ports), env: env(200), volumes: volumes(8), args: words(64) }),
    ).toEqual([])
    expect(problemsOf({ image: 'a', ports: ports(17) })).toEqual(['ports too_many'])
    expect(problemsOf({ image: 'a', env: env(201) })).toEqual(['env too_many'])
    expect(problemsOf({ image: 'a', env: env(200), secrets: ['S'] })).toEqual(['secrets too_many'])
    expect(problemsOf({ image: 'a', volumes: volumes(9) })).toEqual(['volumes too_many'])
    expect(problemsOf({ image: 'a', args: words(65) })).toEqual(['args too_many'])
    expect(problemsOf({ image: 'a', args: ['x'.repeat(4096)] })).toEqual([])
    expect(problemsOf({ image: 'a', args: ['x'.repeat(4097)] })).toEqual(['args.0 too_large'])
    expect(problemsOf({ image: 'a', env: { A: 'x'.repeat(32 * 1024 - 1) } })).toEqual([])
    expect(problemsOf({ image: 'a', env: { A: 'x'.repeat(32 * 1024) } })).toEqual(['env too_large'])
    // A three-byte character counts as three.
    expect(problemsOf({ image: 'a', env: { A: '機'.repeat(11_000) } })).toEqual(['env too_large'])
    const large = { image: 'a', command: words(60).map(() => 'x'.repeat(1200)) }
    expect(problemsOf(large)).toEqual([' too_large'])
  })
})

test('sorts unordered fields, both in the parsed specification and in its text', () => {
  const given = { env: { C: '3', A: '1', B: '2' }, secrets: ['Z', 'X', 'Y'], volumes: ['/c', '/a', '/b'] }
  const spec = specOf({ image: 'a', ...given })
  expect(Object.keys(spec.env)).toEqual(['A', 'B', 'C'])
  expect(spec).toMatchObject({ secrets: ['X', 'Y', 'Z'], volumes: ['/a', '/b', '/c'] })
  const text =
    '{"image":"a","env":{"A":"1","B":"2","C":"3"},"secrets":["X","Y","Z"],"ports":[{"protocol":"tcp","port":1}],"volumes":["/a","/b","/c"]}'
  expect(appText({ image: 'a', ports: [{ protocol: 'tcp', port: 1 }], ...given })).toBe(text)
  expect(appText({ image: 'a', env: {}, secrets: [], ports: [], volumes: [] })).toBe('{"image":"a"}')
})

test('tells empty from absent, as Docker does', () => {
  const start = (fields: object) => {
    const { command, args } = specOf({ image: 'a', ...fields })
    return { command, args }
  }
  // Without an entry point, the arguments are the command.
  expect(start({ command: [], args: ['a', 'b'] })).toEqual({ command: ['a', 'b'] })
  // With the image's own entry point, but without its command.
  expect(start({ args: [] })).toEqual({ args: [] })
  expect(appText(specOf({ image: 'a', args: [] }))).toBe('{"image":"docker.io/library/a:latest","args":[]}')
  expect(parseAppText('{"image":"docker.io/library/a:latest","args":[]}')).toMatchObject({ args: [] })
  // A command of one's own has no arguments of the image anyway.
  expect(start({ command: ['a'], args: [] })).toEqual({ command: ['a'] })
  expect(start({})).toEqual({})
})

test('takes values, words and paths as containers do', () => {
  const key = '-----BEGIN KEY-----\nabc=\n-----END KEY-----\n'
  expect(specOf({ image: 'a', env: { KEY: key, TABS: 'a\tb', DOS: 'a\r\nb' }, args: [key] })).toMatchObject({
    env: { KEY: key, TABS: 'a\tb', DOS: 'a\r\nb' },
    args: [key],
  })
  const paths = { volumes: ['/b/', '//a/./c/../d', '/b/c'], workdir: '/srv//app/' }
  expect(specOf({ image: 'a', ...paths })).toMatchObject({ volumes: ['/a/d', '/b', '/b/c'], workdir: '/srv/app' })
  // Signed is the form without detours only.
  expect(parseAppText('{"image":"docker.io/library/a:latest","volumes":["/b/"]}')).toBeUndefined()
})

test('omits fields that are not given', () => {
  const spec = specOf({ image: 'a', ports: [{ protocol: 'http', port: 1 }] })
  expect(Object.keys(spec)).toEqual(['image', 'env', 'secrets', 'ports', 'volumes'])
  expect(Object.keys(spec.ports[0] ?? {})).toEqual(['protocol', 'port'])
})

test('accepts a sandbox, and one port number for both TCP and UDP', () => {
  const ports = [
    { protocol: 'tcp', port: 53 },
    { protocol: 'udp', port: 53 },
  ]
  expect(specOf({ image: 'a', sandbox: 'gvisor', ports })).toMatchObject({ sandbox: 'gvisor', ports })
  expect(problemsOf({ image: 'a', ports: [{ protocol: 'http', port: 53 }, ...ports] })).toEqual(['ports.1 duplicate'])
})

test('counts plain and secret values together', () => {
  const env = Object.fromEntries(Array.from({ length: APP_LIMITS.envValues - 1 }, (_, index) => [`A${index}`, '']))
  expect(problemsOf({ image: 'a', env, secrets: ['S'] })).toEqual([])
  expect(problemsOf({ image: 'a', env, secrets: ['S', 'T'] })).toEqual(['secrets too_many'])
})

test('accepts a specification of the maximum size', () => {
  const args = [...Array.from({ length: 15 }, () => 'x'.repeat(4096)), '']
  const sizeOf = (last: string) => Buffer.byteLength(JSON.stringify(specOf({ image: 'a', args: [...args, last] })))
  const rest = 'y'.repeat(APP_LIMITS.bytes - sizeOf(''))
  expect(sizeOf(rest)).toBe(APP_LIMITS.bytes)
  expect(problemsOf({ image: 'a', args: [...args, `${rest}y`] })).toEqual([' too_large'])
})

describe('the signed text of a specification', () => {
  const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,9}$/)
  const plain = fc.string({ maxLength: 20 }).filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text))
  const anySpec = fc.record({
    image: fc.constantFrom('redis', 'ghcr.io/a/b:1', `quay.io/x@${DIGEST}`),
    env: fc.dictionary(name, plain, { maxKeys: 5, noNullPrototype: true }),
    ports: fc.uniqueArray(fc.record({ protocol: fc.constantFrom('tcp', 'udp'), port: fc.integer({ min: 1, max: 65_535 }) }), {
      maxLength: 5,
      selector: ({ protocol, port }) => `${protocol}${port}`,
    }),
    volumes: fc.constantFrom([], ['/data'], ['/b', '/a']),
  })

  test('does not depend on the order of fields', () =>
    fc.assert(
      fc.property(anySpec, (value) => {
        const turned = {
          ...Object.fromEntries(Object.entries(value).reverse()),
          env: Object.fromEntries(Object.entries(value.env).reverse()),
          ports: [...value.ports].reverse(),
          volumes: [...value.volumes].reverse(),
        }
        expect(appText(specOf(turned))).toBe(appText(specOf(value)))
      }),
    ))

  test('parses back to the same specification', () =>
    fc.assert(
      fc.property(anySpec, (value) => {
        const spec = specOf(value)
        expect(parseAppText(appText(spec))).toEqual(spec)
      }),
    ))

  test('is accepted in its canonical form only', () => {
    const text = appText(specOf({ image: 'redis', env: { B: '1', A: '2' } }))
    for (const other of [
      ` ${text}`,
      text.replace('docker.io/library/redis:latest', 'redis'),
      text.replace('"A":"2","B":"1"', '"B":"1","A":"2"'),
      text.replace('}', ',"secrets":[]}'),
      text.replace('{', '{"image":"evil",'),
      '{',
      '[]',
      'null',
      '',
      `{"image":"${'a'.repeat(APP_LIMITS.bytes)}"}`,
    ])
      expect(parseAppText(other), other.slice(0, 80)).toBeUndefined()
  })

  test('never throws on untrusted input', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          anySpec.map((value) => JSON.stringify(value)),
        ),
        (text) => {
          const spec = parseAppText(text)
          if (spec) expect(appText(spec)).toBe(text)
        },
      ),
    ))

  test('neither throws nor passes on prototype properties, whatever the JSON', () =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (env, ports) => {
        parseAppSpec({ image: 'a', env, ports, command: ports, secrets: env, volumes: ports, registry: env })
        expect(problemsOf(JSON.parse('{"image":"a","__proto__":{"user":"0"}}'))).toEqual(['__proto__ unsupported'])
      }),
    ))
})

test('secret values have to match those that are requested', () => {
  const spec = specOf({ image: 'a', env: { A: '1' }, secrets: ['S'], registry: { username: 'bob', password: 'P' } })
  expect(secretsProblem(spec, { S: 'x', P: 'y' })).toBeUndefined()
  expect(secretsProblem(spec, { S: 'x' })).toBe('P has no value')
  expect(secretsProblem(spec, { S: 'x', P: 'y', A: 'z' })).toBe('A is not asked for')
  expect(secretsProblem(spec, { S: 'x', P: 'y', ['B'.repeat(90)]: 'z' })).toBe(`${'B'.repeat(64)} is not asked for`)
  const others = 'A1SPy'.length
  expect(secretsProblem(spec, { S: 'x'.repeat(APP_LIMITS.envBytes - others), P: 'y' })).toBeUndefined()
  expect(secretsProblem(spec, { S: 'x'.repeat(APP_LIMITS.envBytes - others + 1), P: 'y' })).toContain('32 KiB')
  expect(secretsProblem(specOf({ image: 'a' }), {})).toBeUndefined()
})
