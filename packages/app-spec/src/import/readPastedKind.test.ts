import { describe, expect, test } from 'vitest'
import { APP_LIMITS } from '../AppSpec.ts'
import { readPasted } from './readPasted.ts'

describe('the kind of a pasted text', () => {
  test.each([
    'docker run redis',
    'docker container run redis',
    'podman run redis',
    'nerdctl run redis',
    'sudo docker run redis',
    '$ docker run redis',
    '# starts it\n$ docker run redis',
    '  $  sudo docker run redis',
    '\n\n  docker run redis\n',
    '# starts it\n# here\ndocker run redis',
    'docker  run\tredis',
    'docker run\\\n  redis',
  ])('%j is a docker run command', (text) => {
    const { kind, spec } = readPasted(text)
    expect(kind).toBe('docker')
    expect(spec?.image).toBe('docker.io/library/redis:latest')
  })

  test.each<[string, number]>([
    ['$ docker run --frob redis', 1],
    ['\n\n$ docker run --frob redis', 3],
    ['# starts it\n$ docker run \\\n--frob redis', 3],
  ])('%j counts lines from the start of the text', (text, line) =>
    expect(readPasted(text).problems).toEqual([{ field: '--frob', code: 'unsupported', line }]),
  )

  test.each<[string, string]>([
    ['services: {a: {image: redis}}', 'compose'],
    ['version: "2.0"\nservices: {a: {image: redis}}\nprofiles: {compute: {}}', 'sdl'],
    ['image: redis\n---\nkind: Deployment', 'kubernetes'],
    ['A=1\ndocker run redis', 'docker'],
    ['docker pull redis && docker run redis', 'docker'],
    ['command: docker run redis', 'app'],
    ['- docker run redis', 'app'],
    ['kind: x\nservices: {a: {image: redis}}', 'compose'],
    ['services:', 'compose'],
    ['kind: Deployment', 'kubernetes'],
    ['kind:', 'kubernetes'],
    ['image: redis', 'app'],
    ['- kind', 'app'],
    ['services', 'app'],
    ['docker pull redis', 'app'],
    ['docker runs redis', 'app'],
    ['dockerrun redis', 'app'],
    ['image: docker run redis', 'app'],
    ['#docker run redis', 'app'],
    ['# docker run redis', 'app'],
    ['', 'app'],
  ])('%j is of kind %s', (text, kind) => expect(readPasted(text).kind).toBe(kind))

  test.each<[string, string]>([
    ['%YAML 9.9\n---\nservices: {a: {image: redis}}', 'compose'],
    ['%YAML 9.9\n---\nkind: Deployment', 'kubernetes'],
    ['kind: a\nkind: b', 'app'],
  ])('%j is detected even where it is refused', (text, kind) =>
    expect(readPasted(text)).toMatchObject({ kind, draft: {}, problems: [{ field: '', code: 'syntax' }], notes: [] }),
  )

  test.each(['', '# only a comment', '---', 'null', '~'])('%j is empty', (text) =>
    expect(readPasted(text)).toStrictEqual({
      ...{ kind: 'app', draft: {}, problems: [{ field: '', code: 'missing' }], notes: [], wanted: [], values: {} },
    }),
  )

  test('refuses too large a text without reading it', () =>
    expect(readPasted(`image: redis\n# ${'x'.repeat(APP_LIMITS.bytes)}`)).toStrictEqual({
      kind: 'app',
      draft: {},
      problems: [{ field: '', code: 'too_large' }],
      ...{ notes: [], wanted: [], values: {} },
    }))
})

describe('several documents', () => {
  test.each<[string, string[]]>([
    ['image: redis\n---\nimage: nginx\n', ['3 document 2 one_service']],
    ['image: redis\n---\n- kind\n', ['3 document 2 one_service']],
    ['image: redis\n---\na: 1\n---\nb: 1\n', ['3 document 2 one_service', '5 document 3 one_service']],
    ['image: redis\n---\n---\na: 1\n', ['4 document 3 one_service']],
    ['image: Redis\n---\na: 1\n', ['1 image invalid', '3 document 2 one_service']],
  ])('%j are refused except for the first, which is read', (text, problems) => {
    const read = readPasted(text)
    expect(read.problems.map(({ field, code, line }) => `${line} ${field} ${code}`)).toEqual(problems)
    expect(read).not.toHaveProperty('spec')
    expect(read.draft.image).toMatch(/^redis$/i)
  })

  test.each([
    'image: redis\n---\n',
    'image: redis\n---\n# nothing\n---\nnull\n',
    '---\n---\nimage: redis\n',
    'null\n---\nimage: redis',
  ])('%j count as one if the others are empty', (text) =>
    expect(readPasted(text)).toMatchObject({ problems: [], spec: { image: 'docker.io/library/redis:latest' } }),
  )
})
