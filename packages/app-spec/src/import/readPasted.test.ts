import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { appText } from '../appText.ts'
import { parseAppSpec } from '../parseAppSpec.ts'
import { formatAppYaml } from './formatAppYaml.ts'
import { readPasted } from './readPasted.ts'

const refused = (text: string) => readPasted(text).problems.map(({ field, code, line }) => `${line ?? '-'} ${field} ${code}`)

describe('a compose file', () => {
  const compose = `services:
  vllm:
    image: vllm/vllm-openai:v0.6.4
    command: --model "Qwen/Qwen2.5 14B" --port 8000
    environment:
      HF_TOKEN: \${HF_TOKEN}
      HF_HOME: /data/hf
      LEVEL: \${LEVEL:-info}
      PRICE: "$$5"
    ports:
      - "8000:8000"
      - "5514:514/udp"
    volumes:
      - models:/data
    deploy:
      resources:
        reservations:
          devices:
            - {driver: nvidia, count: 2, capabilities: [gpu]}
    restart: unless-stopped
volumes:
  models:
`
  test('with one service is read completely', () => {
    const read = readPasted(compose)
    expect(read.kind).toBe('compose')
    expect(read.problems).toEqual([])
    expect(read.spec).toEqual({
      image: 'docker.io/vllm/vllm-openai:v0.6.4',
      args: ['--model', 'Qwen/Qwen2.5 14B', '--port', '8000'],
      env: { HF_HOME: '/data/hf', LEVEL: 'info', PRICE: '$5' },
      secrets: ['HF_TOKEN'],
      ports: [
        { protocol: 'http', port: 8000 },
        { protocol: 'udp', port: 514 },
      ],
      volumes: ['/data'],
    })
    expect(read.notes.map(({ field, code, line }) => `${line} ${field} ${code}`)).toEqual([
      '6 services.vllm.environment.HF_TOKEN became_secret',
      '12 services.vllm.ports.1 outside_port',
      '14 services.vllm.volumes.0 one_disk',
      '16 services.vllm.deploy.resources machine_decides',
      '20 services.vllm.restart always_restarted',
    ])
  })

  test.each<[string, string, string[]]>([
    ['privileged', '    privileged: true', ['4 services.a.privileged no_privilege']],
    [
      'the socket of the engine',
      '    volumes: ["/var/run/docker.sock:/var/run/docker.sock"]',
      ['4 services.a.volumes.0 host_path'],
    ],
    ['the network of the host', '    network_mode: host', ['4 services.a.network_mode no_privilege']],
    ['a file beside the file', '    volumes: ["./app.conf:/etc/app.conf"]', ['4 services.a.volumes.0 host_file']],
    ['a long range of ports', '    ports: ["8000-8020:8000-8020"]', ['4 services.a.ports.0 too_many']],
    ['a variable in the command', '    command: serve $MODEL', ['4 services.a.command no_value']],
    ['a command that needs a shell', '    command: a && b', ['4 services.a.command no_shell']],
    ['a misspelled field', '    port: [80]', ['4 services.a.port unsupported']],
    ['a field twice', '    image: b', ['4  syntax']],
    ['a bad port', '    ports: ["99999"]', ['4 services.a.ports.0 invalid']],
    ['a reserved folder', '    volumes: ["d:/proc/x"]', ['4 services.a.volumes.0 no_privilege']],
  ])('is refused with %s, at its line', (_, line, problems) =>
    expect(refused(`services:\n  a:\n    image: redis\n${line}\n`)).toEqual(problems),
  )

  test('keeps the valid parts when it is refused', () => {
    const read = readPasted('services:\n  a:\n    image: redis\n    ports: [6379]\n    privileged: true\n')
    expect(read.spec).toBeUndefined()
    expect(read.draft).toMatchObject({ image: 'redis', ports: [{ protocol: 'tcp', port: 6379 }] })
  })
})

test('runs a Kubernetes Job once, to completion', () => {
  const job = (more: string) =>
    readPasted(
      `apiVersion: batch/v1\nkind: Job\nspec:\n  ${more}\n  template:\n    spec:\n      restartPolicy: Never\n      containers: [{name: a, image: acme/train, args: [--fast]}]`,
    )
  const read = job('backoffLimit: 4')
  expect(read.problems).toEqual([])
  expect(read.spec).toMatchObject({ image: 'docker.io/acme/train:latest', args: ['--fast'], job: 'keep' })
  expect(read.notes.map(({ field, code }) => `${field} ${code}`)).toEqual(
    expect.arrayContaining(['spec.backoffLimit runs_once', 'spec.template.spec.restartPolicy runs_once']),
  )
  expect(job('parallelism: 2').problems).toEqual([{ field: 'spec.parallelism', code: 'one_service', line: 4 }])
  expect(readPasted('image: a\njob: cancel').spec?.job).toBe('cancel')
  expect(readPasted('image: a\njob: often').problems).toEqual([{ field: 'job', code: 'invalid', line: 2 }])
})

describe('a Kubernetes Deployment', () => {
  const deployment = (container: string, pod = '') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
${pod}      containers:
        - name: web
          image: ghcr.io/acme/web:3
${container}`

  test('is read completely', () => {
    const read = readPasted(
      deployment(
        `          args: ["--port", "8080"]
          env:
            - {name: MODE, value: fast}
            - {name: TOKEN, valueFrom: {secretKeyRef: {name: s, key: k}}}
          ports:
            - {containerPort: 8080, name: http}
            - {containerPort: 9, protocol: UDP}
          readinessProbe: {httpGet: {path: /ready, port: 8080}}
          resources: {limits: {memory: 1Gi}}
          securityContext: {runAsUser: 1000, runAsGroup: 1000, allowPrivilegeEscalation: false}
          volumeMounts: [{name: data, mountPath: /data}]
`,
        '      volumes: [{name: data, emptyDir: {}}]\n',
      ),
    )
    expect(read.problems).toEqual([])
    expect(read.spec).toEqual({
      image: 'ghcr.io/acme/web:3',
      args: ['--port', '8080'],
      env: { MODE: 'fast' },
      secrets: ['TOKEN'],
      ports: [
        { protocol: 'http', port: 8080, ready: '/ready' },
        { protocol: 'udp', port: 9 },
      ],
      volumes: ['/data'],
      user: '1000:1000',
    })
  })

  test.each<[string, string, string, string[]]>([
    [
      'a folder of the host',
      '',
      '      volumes: [{name: d, hostPath: {path: /}}]\n',
      ['10 spec.template.spec.volumes.0.hostPath host_path'],
    ],
    ['the network of the host', '', '      hostNetwork: true\n', ['10 spec.template.spec.hostNetwork no_privilege']],
    ['a second container', '        - {name: b, image: redis}\n', '', ['13 spec.template.spec.containers.1 one_service']],
    [
      'privileges',
      '          securityContext: {privileged: true, capabilities: {add: [SYS_ADMIN]}}\n',
      '',
      [
        '13 spec.template.spec.containers.0.securityContext.privileged no_privilege',
        '13 spec.template.spec.containers.0.securityContext.capabilities.add.0 no_privilege',
      ],
    ],
    [
      'a mount of nothing',
      '          volumeMounts: [{name: x, mountPath: /x}]\n',
      '',
      ['13 spec.template.spec.containers.0.volumeMounts.0.name missing'],
    ],
  ])('is refused with %s', (_, container, pod, problems) => expect(refused(deployment(container, pod))).toEqual(problems))

  test('of another kind is refused', () =>
    expect(refused('apiVersion: v1\nkind: Widget\nspec: {}\n')).toEqual(['1 Widget unsupported']))
})

test.each([
  ['compose', 'services: {a: {image: redis, environment: {API_TOKEN: abcdef, MODE: fast}}}'],
  ['docker', 'docker run -e API_TOKEN=abcdef -e MODE=fast redis'],
  [
    'kubernetes',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: redis, env: [{name: API_TOKEN, value: abcdef}, {name: MODE, value: fast}]}]}',
  ],
])('signs no value that opens something, by its name: %s', (kind, text) => {
  const { spec, values, notes, problems } = readPasted(text)
  expect({ problems, kind: readPasted(text).kind }).toEqual({ problems: [], kind })
  expect(spec).toMatchObject({ env: { MODE: 'fast' }, secrets: ['API_TOKEN'] })
  expect(values).toEqual({ API_TOKEN: 'abcdef' })
  expect(notes.map(({ code }) => code)).toContain('values_sealed')
})

describe('a docker run line', () => {
  test('is read completely, with line continuations and every notation of a flag', () => {
    const read = readPasted(
      `docker run -d --name db \\\n  -e POSTGRES_PASSWORD -eMODE=fast --env "GREETING=good day" --env=KEY=$KEY \\\n  -p 15432:5432 -p8080:80/tcp -p 53:53/udp -v data:/var/lib/postgresql/data --gpus all -it \\\n  -u 999:999 --workdir=/srv --entrypoint /bin/sh postgres:16 -c 'echo "$HOME"; exec postgres'\n`,
    )
    expect(read.problems).toEqual([])
    expect(read.kind).toBe('docker')
    expect(read.spec).toEqual({
      image: 'docker.io/library/postgres:16',
      command: ['/bin/sh'],
      args: ['-c', 'echo "$HOME"; exec postgres'],
      env: { GREETING: 'good day', MODE: 'fast' },
      secrets: ['KEY', 'POSTGRES_PASSWORD'],
      ports: [
        { protocol: 'http', port: 80 },
        { protocol: 'tcp', port: 5432 },
        { protocol: 'udp', port: 53 },
      ],
      volumes: ['/var/lib/postgresql/data'],
      user: '999:999',
      workdir: '/srv',
    })
  })

  test.each<[string, string[]]>([
    ['docker run --privileged redis', ['1 --privileged no_privilege']],
    ['docker run --cap-add SYS_ADMIN redis', ['1 --cap-add SYS_ADMIN no_privilege']],
    ['docker run \\\n  --net=host redis', ['2 --net host no_privilege']],
    ['docker run -v /:/host redis', ['1 -v /:/host host_path']],
    ['docker run --mount type=bind,src=/,dst=/h redis', ['1 --mount type=bind,src=/,dst=/h host_path']],
    ['docker run --frob redis', ['1 --frob unsupported']],
    ['docker run redis | sh', ['1 shell syntax']],
    ['docker run redis; rm -rf /', ['1 shell syntax']],
    ['docker run redis\nrm -rf /', ['2 shell syntax']],
    ['docker run $(curl evil) redis', ['1 shell syntax']],
    ['docker run redis "a', ['1 shell syntax']],
    ['docker run $IMAGE', ['1 image no_value']],
    ['docker run -p', ['1 -p missing']],
    ['docker run', ['- image missing']],
  ])('%s', (line, problems) => expect(refused(line)).toEqual(problems))
})

describe('a saved specification', () => {
  test('is read as written, without the values of secrets', () => {
    const { spec } = parseAppSpec({
      image: 'redis:7',
      args: ['--save', '', '2'],
      env: { PORT: '8000', ON: 'true' },
      secrets: ['KEY'],
      ports: [
        { protocol: 'http', port: 8000, ready: '/health', access: 'owner' },
        { protocol: 'udp', port: 53 },
      ],
      volumes: ['/data'],
      user: '0:0',
      workdir: '/',
      registry: { username: 'bob', password: 'P' },
    })
    expect(spec && readPasted(formatAppYaml(spec))).toMatchObject({ kind: 'app', spec, problems: [] })
  })

  test('is refused at the line of the error', () =>
    expect(refused('image: redis\nports:\n  - tcp: 1\n  - sctp: 2\nfoo: 1\nvolumes: [a]\n')).toEqual([
      '4 ports.1 invalid',
      '5 foo unsupported',
      '6 volumes.0 invalid',
    ]))
})

test.each<[string, string[]]>([
  ['', ['-  missing']],
  ['- 1', ['1  invalid']],
  ['a: &x 1\nb: *x', ['1 a unsupported', '2 b unsupported']],
  ['b: *x', ['1  syntax']],
  [`a: ${'['.repeat(100)}`, ['1  too_large']],
  ['a: [', ['1  syntax']],
  ['%YAML 9.9\n---\nimage: a', ['1  syntax']],
  [`image: ${'a'.repeat(70_000)}`, ['-  too_large']],
])('%j', (text, problems) =>
  expect(refused(text.slice(0, 70_100)).map((one) => one.replace(/^\d+ {2}syntax/, '1  syntax'))).toEqual(problems),
)

test('parses or refuses any pasted text, and can sign what it parses', () => {
  const pieces = fc.constantFrom(
    ...[
      'services:',
      '\n',
      '  ',
      'a:',
      ' image: ',
      'redis',
      'docker run ',
      '-p ',
      '80:80',
      '-e',
      ' A=1',
      '"',
      "'",
      '$',
      '{',
      '}',
      '[',
      ']',
    ],
    ...[
      '- ',
      'ports: ',
      'kind: Deployment',
      'spec:',
      '&a',
      '*a',
      '<<: ',
      '!!js ',
      '\\',
      '#',
      '---\n',
      '\t',
      '\0',
      '\u2028',
      '__proto__: ',
    ],
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(pieces, { maxLength: 40 }).map((list) => list.join('')),
        fc.string(),
      ),
      (text) => {
        const read = readPasted(text)
        expect(read.spec === undefined).toBe(read.problems.length > 0)
        if (read.spec) expect(appText(read.spec)).toBeTruthy()
      },
    ),
    { numRuns: 1000 },
  )
})
