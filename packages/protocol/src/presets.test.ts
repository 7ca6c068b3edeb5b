import { expect, test } from 'vitest'
import { presetList, readPresets } from './presets.ts'
import { zodOf } from './zodOf.ts'

const SETTING = { name: 'TITLE', label: { en: 'Title', zh: '标题' }, default: '', pattern: '[a-z]*', maxLength: 5, secret: false }
const answer = (preset: object = {}, setting: object = {}) => [
  {
    ...{ id: 2, name: 'nginx', title: 'nginx', logo: 'nginx.svg', yaml: 'a: b', desc: { en: 'A server', zh: '服务器' } },
    ...{ gpu: 'RTX 4090', nGPU: 1, vram: 24, cpu: 2, mem: 4, disk: 8, startSeconds: 3, access: 'public', tried: true },
    ...{ env: [{ ...SETTING, ...setting }], image: 'localhost/rackfair/nginx' },
    ...{ ports: [{ protocol: 'tcp', port: 5432 }], licence: { name: 'MIT', url: 'https://example.org/LICENSE' }, ...preset },
  },
]

test('parses the requirements of each preset into the names of nodes', () => {
  expect(readPresets(zodOf(presetList).parse(answer()))).toEqual([
    {
      ...{ id: 2, name: 'nginx', title: 'nginx', logo: 'nginx.svg', description: { en: 'A server', zh: '服务器' } },
      ...{
        gpu: { model: 'RTX 4090', count: 1, memoryGb: 24 },
        cores: 2,
        memoryGb: 4,
        diskGb: 8,
        startSeconds: 3,
        access: 'public',
      },
      ...{ tried: true, settings: [SETTING], image: 'localhost/rackfair/nginx', ports: [{ protocol: 'tcp', port: 5432 }] },
      licence: { name: 'MIT', url: 'https://example.org/LICENSE' },
    },
  ])
})

test.each([
  ['a catalogue that is no list', { 0: answer()[0] }, 'presets'],
  ['a number that is a text', answer({ id: '2' }), 'presets.id'],
  ['a description in one language', answer({ desc: { en: 'A server' } }), 'presets.desc.zh'],
  ['half a GPU', answer({ nGPU: 0.5 }), 'presets.nGPU'],
  ['a port of another protocol', answer({ ports: [{ protocol: 'sctp', port: 1 }] }), 'presets.ports.protocol'],
  ['a licence that is a script', answer({ licence: { name: 'MIT', url: 'javascript:alert(1)' } }), 'presets.licence.url'],
  ['an access that nobody knows', answer({ access: 'friends' }), 'presets.access'],
  ['a pattern that is none', answer({}, { pattern: '(' }), 'presets.env.pattern'],
  ['a setting of any length', answer({}, { maxLength: null }), 'presets.env.maxLength'],
  ['settings without end', answer({ env: Array(101).fill(SETTING) }), 'presets.env'],
])('%s is refused', (_, json, field) => expect(() => readPresets(json)).toThrow(`cannot be read: ${field}`))
