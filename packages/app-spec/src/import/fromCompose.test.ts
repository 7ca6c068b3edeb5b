import { describe, expect, test } from 'vitest'
import { readPasted } from './readPasted.ts'

const compose = (fields: string) => readPasted(`services:\n  a:\n    image: redis\n${fields}`)
const refused = (text: string) => readPasted(text).problems.map(({ field, code, line }) => `${line} ${field} ${code}`)

describe('a service', () => {
  test.each<[string, string]>([
    ['container_name: x', 'no_effect'],
    ['hostname: x', 'no_effect'],
    ['labels: {a: b}', 'no_effect'],
    ['tty: true', 'no_effect'],
    ['stdin_open: true', 'no_effect'],
    ['restart: always', 'always_restarted'],
    ['healthcheck: {test: x}', 'probe_ignored'],
    ['init: true', 'walls'],
    ['cap_drop: [ALL]', 'walls'],
    ['gpus: all', 'machine_decides'],
    ['mem_limit: 1g', 'machine_decides'],
    ['cpus: 2', 'machine_decides'],
    ['runtime: nvidia', 'machine_decides'],
    ['env_file: .env', 'file_not_read'],
    ['read_only: true', 'writable'],
    ['ipc: host', 'machine_decides'],
    ['scale: 2', 'one_copy'],
  ])('accepts `%s` with a note', (line, code) => {
    const { spec, notes } = compose(`    ${line}\n`)
    expect(spec).toEqual({ image: 'docker.io/library/redis:latest', env: {}, secrets: [], ports: [], volumes: [] })
    expect(notes).toStrictEqual([{ field: `services.a.${line.split(':')[0]}`, code, line: 4 }])
  })

  test.each<[string, string]>([
    ['privileged: true', 'no_privilege'],
    ['pid: host', 'no_privilege'],
    ['network_mode: host', 'no_privilege'],
    ['userns_mode: host', 'no_privilege'],
    ['sysctls: {net.ipv4.ip_forward: 1}', 'no_privilege'],
    ['cgroup_parent: x', 'no_privilege'],
    ['depends_on: [db]', 'one_service'],
    ['extends: {file: a}', 'other_file'],
    ['links: [db]', 'one_service'],
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
    'privileged: "false"',
    'deploy: {replicas: 1, mode: replicated}',
    'scale: 1',
    'network_mode: bridge',
    'networks: [default]',
    'networks: {default: null}',
    'ipc: private',
    'cap_add: [CHOWN, NET_BIND_SERVICE]',
    'depends_on: []',
    'profiles: []',
    'links: null',
    'configs: {}',
    'user: ""',
    'working_dir: ""',
    'x-own: {a: b}',
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
    ['cap_add: [NET_ADMIN]', 'cap_add.0', 'no_privilege'],
    ['devices: [/dev/dri:/dev/dri, /dev/fuse]', 'devices.1', 'no_privilege'],
    ['security_opt: [systempaths=unconfined]', 'security_opt.0', 'no_privilege'],
    ['network_mode: none', 'network_mode', 'unsupported'],
    ['environment: {"A=B": x}', 'environment.A=B', 'invalid'],
    ['entrypoint: []', 'entrypoint', 'no_command'],
    ['entrypoint: ""', 'entrypoint', 'no_command'],
    ['deploy: 1', 'deploy', 'invalid'],
    ['environment: 1', 'environment', 'invalid'],
    ['environment: [1]', 'environment.0', 'invalid'],
    ['environment: {A: [1]}', 'environment.A', 'invalid'],
    ['ports: 80', 'ports', 'invalid'],
    ['ports: [true]', 'ports.0', 'invalid'],
    ['expose: ["x"]', 'expose.0', 'invalid'],
    ['expose: 80', 'expose', 'invalid'],
    ['volumes: /data', 'volumes', 'invalid'],
    ['working_dir: srv', 'working_dir', 'invalid'],
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
    ['- A=1\n      - A=x', 'x'],
    ['- A\n      - A=x', 'x'],
    [`A: \${B+y}x`, 'x'],
    [`A: \${B:+y}x`, 'x'],
    [`A: \${B:-\${C:-\${D-x}}}`, 'x'],
    [`A: \${B:-a$$b}`, 'a$b'],
    [`A: \${B:-{x}}`, '{x}'],
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
    '$$$B',
    `\${B:-x}$C`,
    `\${B:-\${C:?a}}`,
  ])('becomes a secret where a part of it is not known: %s', (value) =>
    expect(compose(`    environment:\n      A: '${value}'\n`)).toMatchObject({
      spec: { env: {}, secrets: ['A'] },
      notes: [{ field: 'services.a.environment.A', code: 'became_secret', line: 5 }],
    }),
  )

  test.each(['$', 'a $ b', '$1', `\${B:}`, `\${:-x}`, `\${B`, `\${}`, `\${B-\${C}`, `\${B:-`.repeat(40)])(
    'is refused with %s, where a dollar sign starts no variable',
    (value) => {
      const { spec, problems } = compose(`    environment:\n      A: '${value}'\n`)
      expect(spec).toBeUndefined()
      expect(problems).toEqual([{ field: 'services.a.environment.A', code: 'bad_variable', line: 5 }])
    },
  )

  test.each([
    ...[
      '123456789012345678',
      '18446744073709551616',
      '0o17',
      '0x1F',
      '0b11',
      '007',
      '0123',
      '1_000',
      '+5',
      '-0',
      '1.0',
      '1.10',
      '.5',
    ],
    ...[
      '5.',
      '1e3',
      '1E+9',
      '.inf',
      '.NaN',
      'yes',
      'No',
      'on',
      'TRUE',
      'False',
      'true',
      '2026-11-27',
      '2026-11-27 07:05:23',
      '12:30:45',
    ],
    ...['1.2.3', '0.30000000000000004', '1e400', '=', 'a: b'.replace(': ', ':')],
  ])('is the text as it was written: %s', (value) => {
    const files = [
      `services: {a: {image: redis, environment: {A: ${value}}}}`,
      `services: {a: {image: redis, environment: ["A=${value}"]}}`,
      `x-e: &e\n  A: ${value}\nservices: {a: {image: redis, environment: *e}}`,
      `x-v: &v ${value}\nservices: {a: {image: redis, environment: {A: *v}}}`,
      `x-e: &e {A: ${value}}\nservices: {a: {image: redis, environment: {<<: *e}}}`,
      `image: redis\nenv: {A: ${value}}`,
      `version: "2.0"\nservices: {a: {image: redis, env: ["A=${value}"]}}\nprofiles: {compute: {}}`,
      `docker run -e "A=${value}" redis`,
    ]
    for (const file of files) expect([file, readPasted(file).spec?.env]).toEqual([file, { A: value }])
    expect(readPasted(`services: {a: {image: redis, command: [${value}], user: "1"}}`).spec?.args).toEqual([value])
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
    ['{target: 22, app_protocol: grpc}', [{ protocol: 'tcp', port: 22 }], ['ports.0.app_protocol no_effect']],
    ['{target: 22, host_ip: 0.0.0.0}', [{ protocol: 'tcp', port: 22 }], []],
    ['{target: 22, host_ip: 127.0.0.1}', [], ['ports.0.host_ip closed_port']],
    ['{target: 22, host_ip: "::1", published: 22}', [], ['ports.0.host_ip closed_port', 'ports.0.published outside_port']],
    [
      '{target: "22-23"}',
      [
        { protocol: 'tcp', port: 22 },
        { protocol: 'tcp', port: 23 },
      ],
      [],
    ],
    ['"127.0.0.1:6379:6379"', [], ['ports.0 closed_port']],
    ['"[::1]:6379:6379"', [], ['ports.0 closed_port']],
    ['"127.0.0.1::6379"', [], ['ports.0 closed_port']],
    [`"\${IP:-127.0.0.1}:6379:6379"`, [], ['ports.0 closed_port']],
    [`"\${PORT}:6379"`, [{ protocol: 'tcp', port: 6379 }], ['ports.0 outside_port']],
    ['"127.0.0.1:22:22", "22"', [{ protocol: 'tcp', port: 22 }], ['ports.0 closed_port']],
    ['22, 22', [{ protocol: 'tcp', port: 22 }], []],
    ['"22:22", {target: 22}', [{ protocol: 'tcp', port: 22 }], []],
    [
      '"6000-6001:6000-6001"',
      [
        { protocol: 'tcp', port: 6000 },
        { protocol: 'tcp', port: 6001 },
      ],
      [],
    ],
    ['{target: 22, mode: host, name: x}', [{ protocol: 'tcp', port: 22 }], ['ports.0.mode no_effect', 'ports.0.name no_effect']],
  ])('%s is read', (port, ports, notes) => {
    const read = compose(`    ports: [${port}]\n`)
    expect(read.problems).toEqual([])
    expect(read.spec?.ports).toEqual(ports)
    expect(read.notes.map(({ field, code }) => `${field} ${code}`)).toEqual(notes.map((note) => `services.a.${note}`))
  })

  test.each<[string, string[]]>([
    ['{target: 22, protocol: sctp}', ['ports.0.protocol unsupported']],
    [`"\${IP}:22:22"`, ['ports.0 no_value']],
    [`"22:\${PORT}"`, ['ports.0 no_value']],
    ['"8000-8016"', ['ports.0 too_many']],
    ['{published: 22}', ['ports.0 invalid']],
  ])('%s is refused', (port, problems) =>
    expect(refused(`services:\n  a:\n    image: redis\n    ports: [${port}]\n`)).toEqual(
      problems.map((problem) => `4 services.a.${problem}`),
    ),
  )

  test('that is only exposed is for other containers, unless it is published as well', () => {
    const read = compose('    expose: ["8000", 53/udp]\n')
    expect(read).toMatchObject({ spec: { ports: [] }, problems: [] })
    expect(read.notes.map(({ field, code }) => `${field} ${code}`)).toEqual([
      'services.a.expose.0 closed_port',
      'services.a.expose.1 closed_port',
    ])
    expect(compose('    expose: ["3001"]\n    ports: ["3001:3001"]\n')).toMatchObject({
      spec: { ports: [{ protocol: 'http', port: 3001 }] },
      notes: [],
      problems: [],
    })
  })

  test('on networks that lead nowhere stays closed', () => {
    const on = (networks: string) =>
      readPasted(`networks: {in: {internal: true}, out: {}}\nservices: {a: {image: redis, ports: [6379], networks: ${networks}}}`)
    expect(on('[in]')).toMatchObject({ spec: { ports: [] }, notes: [{ field: 'services.a.networks', code: 'closed_port' }] })
    expect(on('[in, out]').spec?.ports).toEqual([{ protocol: 'tcp', port: 6379 }])
    expect(readPasted('networks: {default: {internal: true}}\nservices: {a: {image: redis, ports: [6379]}}').spec?.ports).toEqual(
      [],
    )
  })
})

describe('a volume', () => {
  test.each<[string, string[], string[]]>([
    ['/data', ['/data'], ['one_disk']],
    ['data:/data', ['/data'], ['one_disk']],
    ['data:/data:rw', ['/data'], ['one_disk']],
    ['data:/data:z', ['/data'], ['one_disk']],
    ['data:/data:rw,z', ['/data'], ['one_disk']],
    ['data:/data:ro', ['/data'], ['one_disk', 'writable']],
    ['data:/data/', ['/data'], ['one_disk']],
    ['c:/c:rw', ['/c'], ['one_disk']],
    ['data:/a//b/./c/../d', ['/a/b/d'], ['one_disk']],
    ['data:/My Documents', ['/My Documents'], ['one_disk']],
    ['data:/etc/gitlab', ['/etc/gitlab'], ['one_disk']],
    ['my.data:/data', ['/data'], ['one_disk']],
    ['/srv:/data', ['/data'], ['empty_folder']],
    ['../a:/data', ['/data'], ['empty_folder']],
    ['~/a:/data', ['/data'], ['empty_folder']],
    ['$HOME/a:/data', ['/data'], ['empty_folder']],
    [`\${DIR:?no folder}/a:/data:ro`, ['/data'], ['empty_folder', 'writable']],
    [`data:\${DIR:-/data}`, ['/data'], ['one_disk']],
    ['./conf.d:/etc/nginx/conf.d', ['/etc/nginx/conf.d'], ['empty_folder']],
    ['/etc/localtime:/etc/localtime:ro', [], ['no_effect']],
    ['/dev/shm:/dev/shm', [], ['machine_decides']],
    ['{type: volume, source: d, target: /data}', ['/data'], ['one_disk']],
    ['{type: volume, source: d, target: /data, volume: {}}', ['/data'], ['one_disk']],
    ['{type: volume, source: d, target: /data, read_only: true}', ['/data'], ['one_disk', 'writable']],
    ['{type: bind, source: /srv, target: /data, bind: {create_host_path: true}}', ['/data'], ['empty_folder']],
    ['{type: tmpfs, target: /scratch}', ['/scratch'], ['one_disk']],
    ['{type: volume, target: /data}', ['/data'], ['one_disk']],
  ])('%s is a folder on the order’s disk', (volume, volumes, notes) => {
    const read = compose(`    volumes: ["${volume}"]\n`.replace(/"(\{type.*\})"/, '$1'))
    expect(read.problems).toEqual([])
    expect(read.spec?.volumes).toEqual(volumes)
    expect(read.notes).toEqual(notes.map((code) => ({ field: 'services.a.volumes.0', code, line: 4 })))
  })

  test.each<[string, string[]]>([
    ['"/var/run/docker.sock:/var/run/docker.sock"', ['volumes.0 host_path']],
    ['"/proc:/host/proc:ro"', ['volumes.0 host_path']],
    ['"/:/host"', ['volumes.0 host_path']],
    ['"./app.yml:/etc/app.yml:ro"', ['volumes.0 host_file']],
    ['"./Caddyfile:/etc/caddy/Caddyfile"', ['volumes.0 host_file']],
    ['{type: bind, source: ./a.conf, target: /etc/a.conf}', ['volumes.0 host_file']],
    ['"data:/data:foo"', ['volumes.0 invalid']],
    ['"data:"', ['volumes.0 invalid']],
    ['":/data"', ['volumes.0 invalid']],
    ['data', ['volumes.0 invalid']],
    [`"data:\${DIR}"`, ['volumes.0 no_value']],
    ['"data:/etc"', ['volumes.0 no_privilege']],
    ['"data:/etc/../proc/x"', ['volumes.0 no_privilege']],
    ['"data:/etc/resolv.conf"', ['volumes.0 no_privilege']],
    ['{type: npipe, source: a, target: /data}', ['volumes.0.type unsupported']],
    ['{type: volume, source: d}', ['volumes.0 invalid']],
  ])('%s is refused', (volume, problems) =>
    expect(refused(`services:\n  a:\n    image: redis\n    volumes: [${volume}]\n`)).toEqual(
      problems.map((problem) => `4 services.a.${problem}`),
    ),
  )

  test('may lie in another, and be named twice', () =>
    expect(compose('    volumes: ["a:/var/www/html", "b:/var/www/html/data", "c:/var/www/html/"]\n').spec?.volumes).toEqual([
      '/var/www/html',
      '/var/www/html/data',
    ]))

  test('in memory is one too, where the image has no such folder', () =>
    expect(compose('    tmpfs: [/scratch, "/tmp:size=1g", /run]\n').spec?.volumes).toEqual(['/scratch']))
})

describe('next to the service', () => {
  const service = 'services:\n  a:\n    image: redis\n'

  test('version and name are noted', () => {
    const { spec, notes } = readPasted(`version: "3"\nname: x\n${service}`)
    expect(spec?.image).toBe('docker.io/library/redis:latest')
    expect(notes).toEqual([
      { field: 'version', code: 'no_effect', line: 1 },
      { field: 'name', code: 'no_effect', line: 2 },
    ])
  })

  test.each([
    'volumes:',
    'volumes: {}',
    'volumes: {d: }',
    'volumes: {d: {}}',
    'volumes: {d: {name: x_d}}',
    'networks: {default: {name: x_default}}',
    'x-a: {b: c}',
    'x-a: {b: "$ 5"}',
    'configs: {}',
  ])('`%s` is ignored', (line) => {
    const { spec, notes } = readPasted(`${service}${line}\n`)
    expect(spec?.image).toBe('docker.io/library/redis:latest')
    expect(notes).toEqual([])
  })

  test.each<[string, string[]]>([
    [`${service}volumes: [d]\n`, ['4 volumes invalid']],
    [`${service}volumes:\n  d: {driver: nfs}\n`, ['5 volumes.d.driver unsupported']],
    [`${service}volumes:\n  d: 1\n`, ['5 volumes.d invalid']],
    [`${service}include: [a.yaml]\n`, ['4 include other_file']],
    [`${service}foo: 1\n`, ['4 foo unsupported']],
    ['services: {}\n', ['1 services missing']],
    ['services: []\n', ['1 services invalid']],
    ['services: {a: 1}\n', ['1 services.a invalid']],
    ['services:\n  a:\n    build: .\n', ['3 services.a.build needs_image']],
    ['services:\n  a:\n    restart: always\n', ['1 image missing']],
  ])('%j is refused', (text, problems) => expect(refused(text)).toEqual(problems))
})

describe('of several services', () => {
  test('the one that starts without a profile is read', () => {
    const read = readPasted('services:\n  a: {image: nginx, profiles: [extra]}\n  b: {image: redis}\n')
    expect(read).toMatchObject({ spec: { image: 'docker.io/library/redis:latest' }, problems: [] })
    expect(read.notes).toEqual([{ field: 'services.a', code: 'no_effect', line: 2 }])
  })
})

test('fills in variables wherever they stand', () =>
  expect(
    readPasted(`x-image: &image "example/\${NAME:-llm}:\${TAG-stable}"
services:
  a:
    image: *image
    user: "\${UID:-1000}:\${GID:-1000}"
    working_dir: \${DIR:-/srv}
    ports: ["\${HOST:-0.0.0.0}:\${OUTER-3000}:\${INNER:-8080}"]
    volumes: ["\${DATA:-data}:\${TARGET:-/data}"]
    entrypoint: ["\${RUN:-serve}"]
    command: "\${WORDS:-a b} 'c $\${D}'"
    privileged: \${PRIVILEGED:-false}
    deploy: {replicas: "\${COPIES:-1}"}
`),
  ).toMatchObject({
    problems: [],
    spec: {
      image: 'docker.io/example/llm:stable',
      user: '1000:1000',
      workdir: '/srv',
      ports: [{ protocol: 'http', port: 8080 }],
      volumes: ['/data'],
      command: ['serve'],
      args: ['a', 'b', 'c $D'.replace('$D', `\${D}`)],
    },
  }))
