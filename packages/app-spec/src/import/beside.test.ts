import { describe, expect, test } from 'vitest'
import type { Beside } from './Beside.ts'
import { readEnvFile } from './readEnvFile.ts'
import { readPasted } from './readPasted.ts'

const lines = (all: readonly { field: string; code: string }[]) => all.map(({ field, code }) => `${field} ${code}`)
const asked = (text: string, beside: Beside = {}) =>
  readPasted(text, beside).wanted.map(({ kind, name, isGiven, usual }) =>
    [kind, name, ...(usual === undefined ? [] : [usual]), ...(isGiven ? ['given'] : [])].join(' '),
  )
const compose = (service: string, rest = '') => `services:\n  web:\n    image: nginx\n${service}${rest}`

describe('a single file of the user’s machine', () => {
  const NGINX = './nginx.conf'
  test.each<[string, string, string]>([
    ['compose', compose('    volumes: ["./nginx.conf:/etc/nginx/nginx.conf:ro"]\n'), NGINX],
    [
      'compose, in the long form',
      compose(`    volumes: [{type: bind, source: ${NGINX}, target: /etc/nginx/nginx.conf}]\n`),
      NGINX,
    ],
    [
      'compose, as a config',
      compose('    configs: [{source: c, target: /etc/nginx/nginx.conf}]\n', 'configs: {c: {file: ./nginx.conf}}\n'),
      NGINX,
    ],
    ['docker run -v', 'docker run -v ./nginx.conf:/etc/nginx/nginx.conf nginx', NGINX],
    ['docker run --mount', 'docker run --mount type=bind,src=./nginx.conf,dst=/etc/nginx/nginx.conf nginx', NGINX],
    [
      'Kubernetes, of a ConfigMap that stands elsewhere',
      'kind: Pod\nspec:\n  volumes: [{name: c, configMap: {name: conf}}]\n  containers:\n  - image: nginx\n    volumeMounts: [{name: c, mountPath: /etc/nginx/nginx.conf, subPath: nginx.conf}]\n',
      'configmap/conf/nginx.conf',
    ],
    [
      'Kubernetes, an item of a ConfigMap that stands elsewhere',
      'kind: Pod\nspec:\n  volumes: [{name: c, configMap: {name: conf, items: [{key: main, path: nginx.conf}]}}]\n  containers:\n  - image: nginx\n    volumeMounts: [{name: c, mountPath: /etc/nginx}]\n',
      'configmap/conf/main',
    ],
    [
      'an SDL file',
      'version: "2.0"\nservices: {web: {image: nginx, params: {storage: {conf: {mount: /etc/nginx/nginx.conf}}}}}\nprofiles: {}\n',
      'conf',
    ],
  ])('is asked for by its name, and its text is part of what is signed: %s', (_, text, name) => {
    const without = readPasted(text)
    expect(without.spec).toBeUndefined()
    expect(without.problems.map(({ code }) => code)).toEqual(['host_file'])
    expect(asked(text)).toEqual([`file ${name}`])
    const { spec, problems, notes } = readPasted(text, { files: { [name]: 'events {}\n' } })
    expect(lines(problems)).toEqual([])
    expect(spec).toMatchObject({ files: { '/etc/nginx/nginx.conf': 'events {}\n' }, volumes: [] })
    expect(notes.map(({ code }) => code)).toContain('file_signed')
    expect(asked(text, { files: { [name]: '' } })).toEqual([`file ${name} given`])
  })

  test('without an ending is a folder, until it was given', () => {
    const text = compose('    volumes: ["./hook:/hook", "./data:/data"]\n')
    expect(readPasted(text).spec).toMatchObject({ volumes: ['/data', '/hook'] })
    expect(asked(text)).toEqual(['folder ./hook', 'folder ./data'])
    expect(readPasted(text, { files: { './hook': '#!/bin/sh' } }).spec).toMatchObject({
      ...{ files: { '/hook': '#!/bin/sh' }, volumes: ['/data'] },
    })
  })

  test.each<[string, string, string]>([
    ['too large', 'x'.repeat(40_000), 'too_large'],
    ['no text', 'a\0b', 'invalid'],
  ])('that is %s is refused where it is named', (_, text, code) =>
    expect(lines(readPasted(compose('    volumes: ["./a.conf:/a.conf"]\n'), { files: { './a.conf': text } }).problems)).toEqual([
      `services.web.volumes.0 ${code}`,
    ]),
  )

  test('in a place that no application has is refused where it is named', () =>
    expect(lines(readPasted(compose('    volumes: ["./hosts:/etc/hosts"]\n'), { files: { './hosts': '' } }).problems)).toEqual([
      'services.web.volumes.0 no_privilege',
    ]))
})

describe('what a text has itself', () => {
  test('is a file: the content of a config, with its variables', () => {
    const text = compose('    configs: [c]\n', `configs: {c: {content: "port \${PORT:-80}"}}\n`)
    expect(readPasted(text).spec).toMatchObject({ files: { '/c': 'port 80' } })
    expect(readPasted(text, { variables: { PORT: '81' } }).spec).toMatchObject({ files: { '/c': 'port 81' } })
    expect(asked(text)).toEqual(['variable PORT 80'])
  })

  test('are files: the values of a ConfigMap, and sealed ones: those of a Secret', () => {
    const { spec, values, notes } = readPasted(`
kind: ConfigMap
metadata: {name: conf}
data: {a.conf: "a\\n", b.conf: b}
---
kind: Secret
metadata: {name: keys}
data: {tls.key: a2V5}
stringData: {TOKEN: t}
---
kind: Pod
spec:
  volumes: [{name: c, configMap: {name: conf}}, {name: k, secret: {secretName: keys, items: [{key: tls.key, path: key.pem}]}}]
  containers:
  - image: nginx
    envFrom: [{secretRef: {name: keys}}]
    env: [{name: KEY, valueFrom: {secretKeyRef: {name: keys, key: tls.key}}}]
    volumeMounts: [{name: c, mountPath: /etc/app/}, {name: k, mountPath: /keys}]
`)
    expect(spec).toMatchObject({
      files: { '/etc/app/a.conf': 'a\n', '/etc/app/b.conf': 'b', '/keys/key.pem': { secret: 'keys/tls.key' } },
      secrets: ['KEY', 'TOKEN', 'tls.key'],
      volumes: [],
    })
    expect(values).toEqual({ KEY: 'key', TOKEN: 't', 'tls.key': 'key', 'keys/tls.key': 'key' })
    expect(notes.map(({ code }) => code)).toContain('files_beside')
  })
})

describe('secrets of a compose file', () => {
  const text = `${compose('    secrets: [db-password, {source: cert, target: /etc/cert.pem}, token]\n')}secrets:
  db-password: {file: ./db/password.txt}
  cert: {external: true}
  token: {environment: TOKEN}
`
  test('are files whose texts travel sealed, each asked for by its name', () => {
    const { spec, values, notes } = readPasted(text)
    expect(spec).toMatchObject({
      files: {
        '/run/secrets/db-password': { secret: 'db-password' },
        '/etc/cert.pem': { secret: 'cert' },
        '/run/secrets/token': { secret: 'TOKEN' },
      },
    })
    expect(values).toEqual({})
    expect(notes.map(({ code }) => code)).toEqual(['became_secret', 'became_secret', 'became_secret'])
    expect(asked(text)).toEqual(['secret ./db/password.txt'])
  })

  test('have the values that stand beside it', () =>
    expect(readPasted(text, { files: { './db/password.txt': 'p\n' }, variables: { TOKEN: 't' } }).values).toEqual({
      ...{ 'db-password': 'p\n', TOKEN: 't' },
    }))

  test.each([['b'], ['{source: b}']])('that it does not have are refused: %s', (name) =>
    expect(lines(readPasted(compose(`    secrets: [${name}]\n`)).problems)).toEqual(['services.web.secrets.0 other_file']),
  )
})

describe('files of variables', () => {
  const FILE = `# of the shop\nexport A=1\nB="two \${A}" # not the value\nC='\${A}'\nD=a b  # x\nE="x\ny"\nF\nG=\n`

  test.each<[string, string, string]>([
    ['compose', compose('    env_file: .env\n    environment: {A: mine}\n'), '.env'],
    [
      'compose, in the long form',
      compose('    environment: {A: mine}\n    env_file: [{path: ./web.env, required: false}]\n'),
      './web.env',
    ],
    [
      'Kubernetes',
      'kind: Pod\nspec:\n  containers:\n  - image: nginx\n    envFrom: [{secretRef: {name: web}}]\n    env: [{name: A, value: mine}]\n',
      'secret/web',
    ],
  ])('travel sealed, and what stands in the text itself counts: %s', (_, text, name) => {
    expect(readPasted(text).notes.map(({ code }) => code)).toContain('file_not_read')
    expect(asked(text)).toEqual([`values ${name}`])
    const { spec, values, notes } = readPasted(text, { files: { [name]: FILE } })
    expect(spec).toMatchObject({ env: { A: 'mine' }, secrets: ['B', 'C', 'D', 'E', 'G'] })
    expect(values).toEqual({ B: 'two 1', C: `\${A}`, D: 'a b', E: 'x\ny', G: '' })
    expect(notes.map(({ code }) => code)).toContain('values_sealed')
  })

  test('of docker run have everything behind = as the value', () => {
    const { spec, values } = readPasted('docker run -e A=mine --env-file web.env nginx', {
      files: { 'web.env': 'A=1\nB="two" # x\n' },
    })
    expect(spec).toMatchObject({ env: { A: 'mine' }, secrets: ['B'] })
    expect(values).toEqual({ B: '"two" # x' })
  })

  test.each<[string, Record<string, string>]>([
    ['', {}],
    ['A', {}],
    ['A=b=c', { A: 'b=c' }],
    ["A='b", { A: "'b" }],
    ['A="\\n\\"\\$B"', { A: '\n"$B' }],
    ['A=$$5', { A: '$5' }],
    ['A=$', { A: '$' }],
    ['A=x#y', { A: 'x#y' }],
    ['A=#y', { A: '' }],
    ['\uFEFFA=1\r\nB=2\r\n', { A: '1', B: '2' }],
  ])('are read as Compose does: %j', (text, values) => expect(readEnvFile(text)).toEqual(values))
})

describe('variables', () => {
  test.each<[string, string, string[], object]>([
    ['the image', `services: {web: {image: "nginx:\${TAG}"}}`, ['variable TAG'], { image: 'docker.io/library/nginx:x' }],
    [
      'the image, with a default',
      `services: {web: {image: "nginx:\${TAG:-1}"}}`,
      ['variable TAG 1'],
      { image: 'docker.io/library/nginx:x' },
    ],
    ['a command', 'services: {web: {image: nginx, command: [run, "$TAG"]}}', ['variable TAG'], { args: ['run', 'x'] }],
    ['the user', 'services: {web: {image: nginx, user: "$TAG"}}', ['variable TAG'], { user: 'x' }],
    ['docker run', 'docker run nginx:$TAG', ['variable TAG'], { image: 'docker.io/library/nginx:x' }],
    ['docker run, with a default', `docker run nginx:\${TAG:-1}`, [], { image: 'docker.io/library/nginx:x' }],
    ['a flag of docker run', 'docker run -u "$TAG" nginx', ['variable TAG'], { user: 'x' }],
  ])('are asked for, and are part of what is signed, in %s', (_, text, wanted, expected) => {
    expect(asked(text)).toEqual(wanted)
    const given = readPasted(text, { variables: { TAG: 'x' } })
    expect(lines(given.problems)).toEqual([])
    expect(given.spec).toMatchObject(expected)
    expect(given.wanted).toMatchObject([{ kind: 'variable', name: 'TAG', isGiven: true }])
  })

  test('of fields without effect are not asked for', () =>
    expect(asked(compose(`    labels: {a: "\${HOST}", b: "\${B:-b}"}\n    ports: ["\${PORT:-8080}:80"]\n`))).toEqual([]))

  test.each([
    compose(`    environment: {A: "\${A}", URL: "db://\${A}@\${HOST:-db}", P: plain, D: "\${A:-usual}"}\n`),
    compose(`    environment: ["A=\${A}", "URL=db://\${A}@\${HOST:-db}", P=plain, "D=\${A:-usual}"]\n`),
    `docker run -e A=$A -e URL=db://\${A}@\${HOST:-db} -e P=plain -e D=\${A:-usual} nginx`,
  ])('of the environment travel sealed, though they were given: %s', (text) => {
    const { spec, values, problems } = readPasted(text, { variables: { A: 's3cret' } })
    expect(lines(problems)).toEqual([])
    expect(spec).toMatchObject({ env: { P: 'plain' }, secrets: ['A', 'D', 'URL'] })
    expect(values).toEqual({ A: 's3cret', URL: 'db://s3cret@db', D: 's3cret' })
    expect(JSON.stringify(spec)).not.toContain('s3cret')
    expect(readPasted(text).spec).toMatchObject({ env: { D: 'usual' }, secrets: ['A', 'URL'] })
  })
})

describe('images that are built', () => {
  const text = 'services: {web: {build: ., volumes: ["./src:/app"]}}'
  test('are asked for by their service', () => {
    expect(lines(readPasted(text).problems)).toEqual(['services.web.build needs_image'])
    expect(asked(text)).toEqual(['image web', 'folder ./src'])
    expect(readPasted(text, { images: { web: 'acme/web:1' } }).spec).toMatchObject({ image: 'docker.io/acme/web:1' })
  })
})

describe('several services', () => {
  const text = `services:
  web:
    build: ./web
    env_file: .env
    volumes: ["./app.conf:/etc/app.conf"]
    environment: {PASSWORD: "\${PASSWORD}"}
  db:
    image: "postgres:\${TAG:-16}"
    env_file: .env
    environment: {POSTGRES_PASSWORD: "\${PASSWORD}"}
    secrets: [key]
secrets: {key: {file: ./key}}
`
  test('ask for what they lack, each thing once', () =>
    expect(asked(text).sort()).toEqual(['file ./app.conf', 'image web', 'secret ./key', 'values .env', 'variable TAG 16']))

  test('share the values that they were given', () => {
    const { application, values, problems } = readPasted(text, {
      files: { '.env': 'A=1\n', './app.conf': 'conf', './key': 'k' },
      variables: { PASSWORD: 'p', TAG: '17' },
      images: { web: 'acme/web' },
    })
    expect(lines(problems)).toEqual([])
    expect(application?.services).toMatchObject([
      {
        ...{ name: 'db', image: 'docker.io/library/postgres:17', files: { '/run/secrets/key': { secret: 'key' } } },
        secrets: { A: 'A', POSTGRES_PASSWORD: 'PASSWORD' },
      },
      { name: 'web', files: { '/etc/app.conf': 'conf' }, secrets: { A: 'A', PASSWORD: 'PASSWORD' } },
    ])
    expect(values).toEqual({ A: '1', PASSWORD: 'p', key: 'k' })
  })
})
