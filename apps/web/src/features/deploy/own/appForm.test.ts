import { readPasted } from '@rackfair/app-spec/import/readPasted'
import { expect, test } from 'vitest'
import { type AppForm, EMPTY_FORM, formOf, readForm } from './appForm.ts'

const form = (change: Partial<AppForm>): AppForm => ({ ...EMPTY_FORM, image: 'redis', ...change })
const codes = (change: Partial<AppForm>) => readForm(form(change)).problems.map(({ field, code }) => `${field} ${code}`)

test('keeps a pasted application unchanged through the form', () => {
  const { draft, spec } = readPasted(
    "docker run -e A='x y' -e S -p 80:80 -p 53:53/udp -v d:/data --shm-size 2g -u 1:1 -w /w redis:7 --save '' \"it's\"",
  )
  const filled = formOf(draft)
  expect(codesOf(filled)).toEqual([`row.${filled.env[1]?.key} no_value`])
  const secret = filled.env[1]
  if (!secret) throw new Error('no secret')
  const typed = { ...filled, env: [filled.env[0], { ...secret, value: 'hush' }] } as AppForm
  expect(readForm(typed)).toEqual({ spec, values: { S: 'hush' }, problems: [] })
  // Another paste keeps what was typed for a secret of the same name.
  expect(readForm(formOf(draft, typed)).values).toEqual({ S: 'hush' })
})
const codesOf = (one: AppForm) => readForm(one).problems.map(({ field, code }) => `${field} ${code}`)

test('shows problems at their rows, and ignores empty rows', () => {
  const env = (name: string, value: string, key: number, secret = false) => ({ key, name, value, secret })
  expect(
    codes({ env: [env('', '', 1)], ports: [{ key: 2, protocol: 'tcp', port: '', ready: '' }], volumes: [{ key: 3, path: '' }] }),
  ).toEqual([])
  expect(codes({ env: [env('A=B', 'x', 4), env('B', 'x', 5), env('B', 'y', 6)] })).toEqual(['row.6 duplicate', 'row.4 invalid'])
  expect(codes({ ports: [{ key: 7, protocol: 'tcp', port: 'x', ready: '' }] })).toEqual(['row.7 invalid'])
  expect(codes({ volumes: [{ key: 8, path: 'data' }] })).toEqual(['row.8 invalid'])
  expect(codes({ args: 'a | b' })).toEqual(['args no_shell'])
  expect(codes({ image: '' })).toEqual(['image missing'])
  expect(codes({ username: 'bob' })).toEqual(['registry.password no_value'])
  expect(readForm(form({ username: 'bob', password: 'x' }))).toMatchObject({
    spec: { registry: { username: 'bob', password: 'REGISTRY_PASSWORD' } },
    values: { REGISTRY_PASSWORD: 'x' },
  })
})

test('keeps what is empty, and what no shell reads', () => {
  const through = (text: string) => {
    const { draft, spec } = readPasted(text)
    expect(readForm(formOf(draft)).spec).toEqual(spec)
    return spec
  }
  expect(through('services: {a: {image: redis, entrypoint: "", command: [python3, -V]}}')).toMatchObject({
    command: ['python3', '-V'],
  })
  expect(through('services: {a: {image: redis, command: []}}')).toMatchObject({ args: [] })
  expect(through('image: redis\nargs: ["--allow=*", "a b", "$HOME", "a\\nb", ""]')?.args).toEqual([
    '--allow=*',
    'a b',
    '$HOME',
    'a\nb',
    '',
  ])
  expect(readForm(form({ args: '--allow=* "a b" $HOME' })).spec?.args).toEqual(['--allow=*', 'a b', '$HOME'])
})

test('keeps files through the form, and the values of those that travel sealed', () => {
  const text = 'image: redis\nsecrets: [TOKEN]\nfiles: {/a.conf: "a\\n", /key: {secret: K}, /token: {secret: TOKEN}}'
  const { draft, spec } = readPasted(text)
  const filled = formOf(draft, EMPTY_FORM, { K: 'k', TOKEN: 't' })
  expect(readForm(filled)).toEqual({ spec, values: { K: 'k', TOKEN: 't' }, problems: [] })
  const without = formOf(draft)
  expect(codesOf(without)).toEqual([`row.${without.env[0]?.key} no_value`, `row.${without.files[1]?.key} no_value`])
  // What was typed stays with another paste.
  expect(readForm(formOf(draft, filled)).values).toEqual({ K: 'k', TOKEN: 't' })
})

test('shows problems of files at their rows', () => {
  const file = (path: string, content: string, key: number, secret?: string) => ({ key, path, text: content, secret })
  expect(codes({ files: [file('', '', 1), file('a', 'x', 2), file('/b', 'x', 3), file('/b', 'y', 4)] })).toEqual([
    'row.4 duplicate',
    'row.2 invalid',
  ])
  expect(codes({ files: [file('/etc/hosts', 'x', 5), file('/k', '', 6, '/k')] })).toEqual([
    'row.6 no_value',
    'row.5 no_privilege',
  ])
})
