import { expect, test } from 'vitest'
import { readJob } from './readJob.ts'
import { wayOf } from './way.ts'

const PAYER = '0x52908400098527886E0F7030069857D2E4169EE7'
const given = { payer: PAYER.toLowerCase(), command: 'nproc' }

test('reads a job with what it leaves out', () => {
  expect(readJob(given)).toEqual({
    ...{ payer: PAYER, image: undefined, preset: undefined, command: 'nproc', env: {} },
    ...{ termSeconds: 3_600, timeoutMs: 60_000, machine: {} },
  })
  expect(readJob({ ...given, min_gpus: 1, min_memory_gib: 32, hours: 2 })).toMatchObject({
    ...{ termSeconds: 7_200, machine: { minGpus: 1, minMemory: 32 } },
  })
})

test.each([
  [undefined, 'the body'],
  [[], 'the body'],
  [{ ...given, payer: 'me' }, 'payer'],
  [{ ...given, command: '' }, 'command'],
  [{ ...given, command: 'x'.repeat(40_000) }, 'command'],
  [{ ...given, hours: 1.5 }, 'hours'],
  [{ ...given, hours: 25 }, 'hours'],
  [{ ...given, timeout_seconds: 0 }, 'timeout_seconds'],
  [{ ...given, env: { A: 1 } }, 'env.A'],
  [{ ...given, preset: 'nothing' }, 'preset'],
  [{ ...given, image: 'a:1', preset: 'nginx' }, 'not both'],
  [{ ...given, privileged: true }, 'privileged'],
])('refuses %j by its field', (body, said) => expect(() => readJob(body)).toThrow(said))

const KEY = `0x${'1'.repeat(64)}`

test.each([
  [[], { RACKFAIR_KEY: KEY }, { host: '127.0.0.1', port: 4020, platform: 'http://127.0.0.1:3000' }],
  [['--port', '[::1]:0'], { RACKFAIR_KEY: KEY, RACKFAIR_RPC: ' ' }, { host: '::1', port: 0, rpcUrl: undefined }],
  [['--help'], {}, 'help'],
  [[], {}, undefined],
  [[], { RACKFAIR_KEY: '0x12' }, undefined],
  [['--port', '70000'], { RACKFAIR_KEY: KEY }, undefined],
  [['--to', '0x1'], { RACKFAIR_KEY: KEY }, undefined],
])('%j with %j', (args, env, expected) => {
  if (typeof expected === 'object') expect(wayOf(args, env)).toMatchObject(expected)
  else expect(wayOf(args, env)).toBe(expected)
})
