import { expect, test } from 'vitest'
import { readPasted } from './readPasted.ts'

const sdl = (service: string, more = '') => `version: "2.0"
services:
  web:
    image: nginx:1.27
    ${service}
profiles:
  compute: {web: {resources: {cpu: {units: 1}, memory: {size: 1Gi}, storage: [{size: 1Gi}, {name: data, size: 1Gi, attributes: {persistent: true}}]}}}
  placement: {any: {pricing: {web: {denom: uakt, amount: 1000}}}}
deployment: {web: {any: {profile: web, count: 1}}}
${more}`

test('reads a service of an SDL file of Akash', () => {
  const read = readPasted(
    sdl(`env: ["A=1", "B=x=y", "TOKEN", "EMPTY="]
    command: [sh, -c]
    args: ["serve $A", 8]
    expose:
      - {port: 3000, as: 80, accept: [a.example], to: [{global: true}], http_options: {max_body_size: 1}}
      - {port: 22, to: [{global: true}]}
      - {port: 53, proto: udp, to: [{global: true}]}
      - {port: 6379, to: [{service: other}]}
      - {port: 9000}
    params: {storage: {data: {mount: /data, readOnly: false}}}
    credentials: {host: registry.example, username: bob, password: hunter2}`),
  )
  expect(read.kind).toBe('sdl')
  expect(read.problems).toEqual([])
  expect(read.spec).toEqual({
    image: 'docker.io/library/nginx:1.27',
    command: ['sh', '-c'],
    args: ['serve $A', '8'],
    env: { A: '1', B: 'x=y', EMPTY: '' },
    secrets: ['TOKEN'],
    ports: [
      { protocol: 'http', port: 3000 },
      { protocol: 'tcp', port: 22 },
      { protocol: 'udp', port: 53 },
    ],
    volumes: ['/data'],
    registry: { username: 'bob', password: 'REGISTRY_PASSWORD' },
  })
  // What is signed and seen by others does not have it.
  expect(JSON.stringify(read)).not.toContain('hunter2')
  expect(read.notes.filter(({ code }) => code === 'closed_port')).toHaveLength(2)
})

test.each<[string, string[]]>([
  ['expose: [{port: x, to: [{global: true}]}]', ['5 services.web.expose.0 invalid']],
  ['expose: [{port: 80, proto: sctp}]', ['5 services.web.expose.0.proto unsupported']],
  ['params: {storage: {c: {mount: /etc/app.conf}}}', ['5 services.web.params.storage.c host_file']],
  ['foo: 1', ['5 services.web.foo unsupported']],
  ['env: {A: 1}', ['5 services.web.env invalid']],
  ['args: [[a]]', ['5 services.web.args invalid']],
  ['dependencies: [{service: db}]', ['5 services.web.dependencies one_service']],
])('refuses `%s` at its line', (line, problems) =>
  expect(readPasted(sdl(line)).problems.map(({ line: at, field, code }) => `${at} ${field} ${code}`)).toEqual(problems),
)

test('says of several services once that an order runs one', () => {
  const two = readPasted(
    sdl('').replace('profiles:', '  db: {image: redis, expose: [{port: 1, to: [{service: web}]}]}\nprofiles:'),
  )
  expect(two.problems).toMatchObject([{ field: 'services.db', code: 'one_service' }])
  expect(two.draft.image).toBe('nginx:1.27')
})

test('takes a compose file with profiles for a compose file', () =>
  expect(readPasted('services: {a: {image: redis, profiles: [x]}}').kind).toBe('compose'))
