import { describe, expect, test } from 'vitest'
import { readPasted } from './readPasted.ts'

const compose = (fields: string) => readPasted(`services:\n  a:\n    image: redis\n${fields}`)
const refused = (text: string) => readPasted(text).problems.map(({ field, code, line }) => `${line} ${field} ${code}`)

describe('a service', () => {
  test.each<[string, string]>([
    ['container_name: x', 'name_ignored'],
    ['hostname: x', 'name_ignored'],
    ['labels: {a: b}', 'name_ignored'],
    ['tty: true', 'name_ignored'],
    ['stdin_open: true', 'name_ignored'],
    ['restart: always', 'always_restarted'],
    ['healthcheck: {test: x}', 'probe_ignored'],
    ['init: true', 'walls'],
    ['cap_drop: [ALL]', 'walls'],
    ['gpus: all', 'machine_decides'],
    ['mem_limit: 1g', 'machine_decides'],
    ['cpus: 2', 'machine_decides'],
    ['shm_size: 1g', 'machine_decides'],
    ['runtime: nvidia', 'machine_decides'],
  ])('accepts `%s` with a note', (line, code) => {
    const { spec, notes } = compose(`    ${line}\n`)
    expect(spec).toEqual({ image: 'docker.io/library/redis:latest', env: {}, secrets: [], ports: [], volumes: [] })
    expect(notes).toStrictEqual([{ field: `services.a.${line.split(':')[0]}`, code, line: 4 }])
  })

  test.each<[string, string]>([
    ['privileged: true', 'no_privilege'],
    ['cap_add: [NET_ADMIN]', 'no_privilege'],
    ['devices: [/dev/fuse]', 'no_privilege'],
    ['pid: host', 'no_privilege'],
    ['ipc: host', 'no_privilege'],
    ['network_mode: host', 'no_privilege'],
    ['userns_mode: host', 'no_privilege'],
    ['security_opt: [seccomp=unconfined]', 'no_privilege'],
    ['sysctls: {net.ipv4.ip_forward: 1}', 'no_privilege'],
    ['cgroup_parent: x', 'no_privilege'],
    ['depends_on: [db]', 'one_service'],
    ['read_only: true', 'unsupported'],
    ['toString: 1', 'unsupported'],
    ['constructor: 1', 'unsupported'],
  ])('refuses `%s`', (line, code) => {
    const { spec, problems, notes } = compose(`    ${line}\n`)
    expect(spec).toBeUndefined()
    expect(problems).toStrictEqual([{ field: `services.a.${line.split(':')[0]}`, code, line: 4 }])
    expect(notes).toEqual([])
  })

  test.each([
    'read_only: false',
    'privileged: false',
    'deploy: {replicas: 1}',
    'command:',
    'entrypoint: null',
    'environment: {}',
    'ports: []',
  ])('ignores `%s`, which is the default', (line) => {
    const { spec, problems, notes } = compose(`    ${line}\n`)
    expect(spec).toEqual({ image: 'docker.io/library/redis:latest', env: {}, secrets: [], ports: [], volumes: [] })
    expect({ problems, notes }).toEqual({ problems: [], notes: [] })
  })

  test.each<[string, string, string]>([
    ['deploy: {replicas: 2}', 'deploy.replicas', 'one_service'],
    ['deploy: {replicas: "1"}', 'deploy.replicas', 'one_service'],
    ['deploy: 1', 'deploy', 'invalid'],
    ['environment: 1', 'environment', 'invalid'],
    ['environment: [1]', 'environment.0', 'invalid'],
    ['environment: {A: [1]}', 'environment.A', 'invalid'],
    ['environment: {1A: x}', 'environment.1A', 'invalid'],
    ['environment: [A=1, A=2]', 'environment.1', 'duplicate'],
    ['environment: [A=1, A]', 'environment.1', 'duplicate'],
    ['ports: 80', 'ports', 'invalid'],
    ['ports: [true]', 'ports.0', 'invalid'],
    ['expose: ["x"]', 'expose.0', 'invalid'],
    ['expose: 80', 'expose', 'invalid'],
    ['volumes: /data', 'volumes', 'invalid'],
    ['user: true', 'user', 'invalid'],
    ['working_dir: srv', 'working_dir', 'invalid'],
    ['command: [1]', 'command', 'invalid'],
    ['command: {a: 1}', 'command', 'invalid'],
  ])('refuses `%s` at its line', (line, field, code) =>
    expect(compose(`    ${line}\n`).problems).toContainEqual({ field: `services.a.${field}`, code, line: 4 }),
  )

  test.each<[string, object]>([
    ['user: 1000', { user: '1000' }],
    ['user: bob:staff', { user: 'bob:staff' }],
    ['working_dir: /srv', { workdir: '/srv' }],
    ['entrypoint: [/bin/sh, -c]', { command: ['/bin/sh', '-c'] }],
    ['entrypoint: /bin/sh -c "a b"', { command: ['/bin/sh', '-c', 'a b'] }],
    ['command: [serve, "a b"]', { args: ['serve', 'a b'] }],
    ['command: serve --price $$5', { args: ['serve', '--price', '$5'] }],
  ])('accepts `%s`', (line, expected) => expect(compose(`    ${line}\n`).spec).toMatchObject(expected))

  test.each<[string, string]>([
    ['entrypoint: serve $A', 'entrypoint'],
    ['entrypoint: ["serve", "$A"]', 'entrypoint'],
    [`command: ["serve", "x\${A}"]`, 'command'],
  ])('refuses the variable in `%s`', (line, field) => {
    const { spec, problems } = compose(`    ${line}\n`)
    expect(spec).toBeUndefined()
    expect(problems).toStrictEqual([{ field: `services.a.${field}`, code: 'no_value', line: 4 }])
  })
})

describe('an environment value', () => {
  test.each<[string, string]>([
    ['A: x', 'x'],
    ['A: ""', ''],
    ['A: 5', '5'],
    ['A: true', 'true'],
    ['A: a$$b$$c', 'a$b$c'],
    [`A: $\${B:-x}`, `\${B:-x}`],
    [`A: \${B:-x}`, 'x'],
    [`A: \${B-x}`, 'x'],
    [`A: \${B:-}`, ''],
    [`A: http://\${HOST:-h}:\${PORT:-80}/`, 'http://h:80/'],
    ['- A=x', 'x'],
    ['- A=', ''],
    ['- A=b=c', 'b=c'],
    ['- A=a$$b', 'a$b'],
  ])('is read from `%s`', (line, value) => {
    const { spec, problems } = compose(`    environment:\n      ${line}\n`)
    expect(problems).toEqual([])
    expect(spec?.env).toEqual({ A: value })
  })

  test.each<[string, string]>([
    ['A:', 'A'],
    ['A: null', 'A'],
    ['A: $A', 'A'],
    ['A: $OTHER_1', 'A'],
    [`A: \${OTHER}`, 'A'],
    [`A: \${OTHER?not set}`, 'A'],
    [`A: "\${OTHER:?not set}"`, 'A'],
    [`A: \${OTHER:?}`, 'A'],
    ['- A', '0'],
    ['- A=$A', '0'],
    [`- A=\${OTHER}`, '0'],
  ])('becomes a secret with `%s`', (line, field) => {
    const { spec, notes } = compose(`    environment:\n      ${line}\n`)
    expect(spec).toMatchObject({ env: {}, secrets: ['A'] })
    expect(notes).toEqual([{ field: `services.a.environment.${field}`, code: 'became_secret', line: 5 }])
  })

  test.each([
    'x$B',
    '$B-x',
    `x\${B}`,
    `\${B}x`,
    `\${B}\${C}`,
    `\${B:-$C}`,
    `\${B:-\${C}}`,
    `\${B:+x}`,
    `\${B:}`,
    `\${B:?a}b}`,
    '$',
    '$$$B',
    `\${B:-x}$C`,
    `\${:-x}`,
  ])('is refused with %s, which only a shell can expand', (value) => {
    const { spec, problems } = compose(`    environment:\n      A: '${value}'\n`)
    expect(spec).toBeUndefined()
    expect(problems).toEqual([{ field: 'services.a.environment.A', code: 'no_value', line: 5 }])
  })
})

test('refuses an environment value without a name, and makes it no secret', () => {
  const { problems, notes } = compose('    environment: ["=x"]\n')
  expect(problems).toEqual([{ field: 'services.a.environment.0', code: 'invalid', line: 4 }])
  expect(notes).toEqual([])
})

describe('a port', () => {
  test.each<[string, object[], string[]]>([
    ['80', [{ protocol: 'http', port: 80 }], []],
    ['"5432:5432"', [{ protocol: 'tcp', port: 5432 }], []],
    ['"8080:80"', [{ protocol: 'http', port: 80 }], ['ports.0 outside_port']],
    ['{target: 22}', [{ protocol: 'tcp', port: 22 }], []],
    ['{target: 22, published: 2222}', [{ protocol: 'tcp', port: 22 }], ['ports.0.published outside_port']],
    ['{target: 53, protocol: udp}', [{ protocol: 'udp', port: 53 }], []],
    ['{target: 22, app_protocol: http}', [{ protocol: 'http', port: 22 }], []],
    [
      '{target: 22, mode: host, name: x}',
      [{ protocol: 'tcp', port: 22 }],
      ['ports.0.mode name_ignored', 'ports.0.name name_ignored'],
    ],
  ])('%s is read', (port, ports, notes) => {
    const read = compose(`    ports: [${port}]\n`)
    expect(read.problems).toEqual([])
    expect(read.spec?.ports).toEqual(ports)
    expect(read.notes.map(({ field, code }) => `${field} ${code}`)).toEqual(notes.map((note) => `services.a.${note}`))
  })

  test.each<[string, string[]]>([
    ['{target: 22, app_protocol: grpc}', ['ports.0.app_protocol unsupported']],
    ['{target: 22, host_ip: 0.0.0.0}', ['ports.0.host_ip unsupported']],
    ['{target: 22, protocol: sctp}', ['ports.0 invalid']],
    ['{published: 22}', ['ports.0 invalid']],
    ['22, 22', ['ports.1 duplicate']],
  ])('%s is refused', (port, problems) =>
    expect(refused(`services:\n  a:\n    image: redis\n    ports: [${port}]\n`)).toEqual(
      problems.map((problem) => `4 services.a.${problem}`),
    ),
  )

  test('that is only exposed is read as well', () =>
    expect(compose('    expose: ["8000", 53/udp]\n').spec?.ports).toEqual([
      { protocol: 'http', port: 8000 },
      { protocol: 'udp', port: 53 },
    ]))
})

describe('a volume', () => {
  test.each<[string, string[]]>([
    ['/data', ['/data']],
    ['data:/data', ['/data']],
    ['data:/data:rw', ['/data']],
    ['my.data:/data', ['/data']],
    ['{type: volume, source: d, target: /data}', ['/data']],
    ['{type: volume, target: /data}', ['/data']],
  ])('%s is kept on the order’s disk', (volume, volumes) => {
    const read = compose(`    volumes: ["${volume}"]\n`.replace(/"(\{.*\})"/, '$1'))
    expect(read.problems).toEqual([])
    expect(read.spec?.volumes).toEqual(volumes)
    expect(read.notes).toEqual([{ field: 'services.a.volumes.0', code: 'one_disk', line: 4 }])
  })

  test.each<[string, string[]]>([
    ['"/srv:/data"', ['volumes.0 host_path']],
    ['"../a:/data"', ['volumes.0 host_path']],
    ['"~/a:/data"', ['volumes.0 host_path']],
    ['"$HOME:/data"', ['volumes.0 host_path']],
    ['"data:/data:ro"', ['volumes.0 unsupported']],
    ['"data:/data:rw:z"', ['volumes.0 unsupported']],
    ['"data:"', ['volumes.0 invalid']],
    ['data', ['volumes.0 invalid']],
    ['{type: bind, source: /, target: /data}', ['volumes.0.type host_path']],
    ['{type: tmpfs, target: /data}', ['volumes.0.type unsupported']],
    ['{type: volume, source: d, target: /data, read_only: true}', ['volumes.0.read_only unsupported']],
    ['{type: volume, source: d}', ['volumes.0 invalid']],
  ])('%s is refused', (volume, problems) =>
    expect(refused(`services:\n  a:\n    image: redis\n    volumes: [${volume}]\n`)).toEqual(
      problems.map((problem) => `4 services.a.${problem}`),
    ),
  )
})

describe('next to the service', () => {
  const service = 'services:\n  a:\n    image: redis\n'

  test('version and name are noted', () => {
    const { spec, notes } = readPasted(`version: "3"\nname: x\n${service}`)
    expect(spec?.image).toBe('docker.io/library/redis:latest')
    expect(notes).toEqual([
      { field: 'version', code: 'name_ignored', line: 1 },
      { field: 'name', code: 'name_ignored', line: 2 },
    ])
  })

  test.each(['volumes:', 'volumes: {}', 'volumes: {d: }', 'volumes: {d: {}}'])('`%s` is ignored', (line) => {
    const { spec, notes } = readPasted(`${service}${line}\n`)
    expect(spec?.image).toBe('docker.io/library/redis:latest')
    expect(notes).toEqual([])
  })

  test.each<[string, string[]]>([
    [`${service}volumes: [d]\n`, ['4 volumes invalid']],
    [`${service}volumes:\n  d: {driver: nfs}\n`, ['5 volumes.d.driver unsupported']],
    [`${service}volumes:\n  d: 1\n`, ['5 volumes.d invalid']],
    [`${service}networks: {}\n`, ['4 networks unsupported']],
    [`${service}  b: {}\n  c: {}\n`, ['4 services.b one_service', '5 services.c one_service']],
    ['services: {}\n', ['1 services missing']],
    ['services: []\n', ['1 services invalid']],
    ['services: {a: 1}\n', ['1 services.a invalid']],
    ['services:\n  a:\n    build: .\n', ['3 services.a.build unsupported']],
    ['services:\n  a:\n    restart: always\n', ['1 image missing']],
  ])('%j is refused', (text, problems) => expect(refused(text)).toEqual(problems))
})
