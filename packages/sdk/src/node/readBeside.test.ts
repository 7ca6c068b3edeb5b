import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBeside } from './readBeside.ts'

const FILE = `services:
  web:
    image: nginx:\${TAG}
    env_file: web.env
    environment: {KEY: "\${KEY}"}
    volumes: ["./nginx.conf:/etc/nginx/nginx.conf", "./hook:/hook", "./pages:/pages"]
    secrets: [cert]
secrets: {cert: {file: ./certs/cert.pem}}
`

describe('what lies beside a file', () => {
  let top: string
  let folder: string
  beforeAll(() => {
    top = mkdtempSync(join(tmpdir(), 'beside-'))
    folder = join(top, 'shop')
    mkdirSync(join(folder, 'pages'), { recursive: true })
    mkdirSync(join(folder, 'certs'))
    const files = {
      ...{ '.env': 'TAG=1\nKEY=k\n', 'web.env': 'A=1\n', 'nginx.conf': 'events {}\n', hook: '#!/bin/sh\n' },
      ...{ 'certs/cert.pem': 'pem\n', '../outside.conf': 'of others\n' },
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, 'picture.conf'), Buffer.from([0xff, 0xfe, 0]))
    writeFileSync(join(folder, 'large.conf'), 'x'.repeat(40_000))
    symlinkSync('../outside.conf', join(folder, 'link.conf'))
    execFileSync('mkfifo', [join(folder, 'pipe.conf')])
  })
  afterAll(() => rmSync(top, { recursive: true, force: true }))

  it('is read as the file names it', () => {
    const read = readBeside(FILE, { folder })
    expect(read.problems).toEqual([])
    expect(read.spec).toMatchObject({
      image: 'docker.io/library/nginx:1',
      secrets: ['A', 'KEY'],
      files: { '/etc/nginx/nginx.conf': 'events {}\n', '/hook': '#!/bin/sh\n', '/run/secrets/cert': { secret: 'cert' } },
      volumes: ['/pages'],
    })
    expect(read.values).toEqual({ A: '1', KEY: 'k', cert: 'pem\n' })
    expect(read).toMatchObject({ unread: [], hasVariables: true })
  })

  it('is given in its place', () => {
    const given = { files: { './nginx.conf': 'mine' }, variables: { KEY: 'other' } }
    const read = readBeside(FILE, { folder, variables: 'TAG=2\nKEY=x\n', given })
    expect(read).toMatchObject({
      spec: { image: 'docker.io/library/nginx:2', files: { '/etc/nginx/nginx.conf': 'mine' } },
      ...{ values: { KEY: 'other' }, hasVariables: false },
    })
  })

  it('is not read without a folder', () =>
    expect(readBeside(FILE)).toMatchObject({ values: {}, unread: [], problems: [{ code: 'no_value' }, { code: 'host_file' }] }))

  it.each<[string, string | undefined]>([
    ['../outside.conf', 'outside'],
    ['/etc/none.conf', 'outside'],
    ['/etc/passwd', 'outside'],
    ['./link.conf', 'outside'],
    ['./picture.conf', 'no_text'],
    ['./large.conf', 'too_large'],
    ['./none.conf', undefined],
    ['./pages/none.conf', undefined],
    ['./pipe.conf', undefined],
    ['./nginx.conf/x.conf', undefined],
  ])('is asked for where it is %s', (name, why) => {
    const { spec, problems, unread } = readBeside(`services: {a: {image: nginx, volumes: ["${name}:/a.conf"]}}`, { folder })
    expect(spec).toBeUndefined()
    expect(problems.map(({ code }) => code)).toEqual(['host_file'])
    expect(unread).toEqual(why === undefined ? [] : [{ name, why }])
  })
})
