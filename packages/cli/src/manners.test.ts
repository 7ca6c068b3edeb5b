import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtProgram } from '@rackfair/testkit'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'

const PROGRAM = await builtProgram('cli')
const folder = mkdtempSync(join(tmpdir(), 'rackfair-manners-'))
const KEY = generatePrivateKey()
const { address } = privateKeyToAccount(KEY)
afterAll(() => rmSync(folder, { recursive: true }))

type Env = Record<string, string | undefined>

/** Runs the command line where no market answers and no key can be read. */
async function rackfair(args: readonly string[], more: Env = {}) {
  const env: Env = {
    ...{ ...process.env, LANG: 'C.UTF-8', LC_ALL: undefined, NO_COLOR: '1', XDG_CONFIG_HOME: folder, XDG_STATE_HOME: folder },
    ...{
      RACKFAIR_KEY: undefined,
      RACKFAIR_KEYSTORE: join(folder, 'none.json'),
      RACKFAIR_PLATFORM: 'http://127.0.0.1:9',
      ...more,
    },
  }
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (said.stdout += chunk))
  child.stderr.on('data', (chunk) => (said.stderr += chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, ...said }
}

describe('words are judged before a key is read or a market asked', () => {
  it.each([
    [['buy'], 'name one of PROVIDER/NODE'],
    [['buy', '--cheapest', '--months', '0.5'], '0.5 is not a whole number'],
    [['buy', '--cheapest', '--max-price', 'little'], 'little is not an amount'],
    [['buy', '0x12/1'], '0x12/1 is not a machine'],
    [['buy', `${address}/1/2`], 'is not a machine'],
    [['extend', 'twelve'], 'twelve is not the number of an order'],
    [['extend', '12', '--months', 'two'], 'two is not a whole number'],
    [['buy', '--cheapest', '--for', '2'], '2 is not a time such as 2h'],
    [['buy', '--cheapest', '--for', '59min'], 'An order lasts an hour to 120 months'],
    [['buy', '--cheapest', '--months', '121'], 'An order lasts an hour to 120 months'],
    [['run', '--cheapest', '--for', '2h', '--months', '1', '--', 'true'], 'name one of --for, --months'],
    [['extend', '12', '--for', 'two hours'], 'two hours is not a time'],
    [['cancel', 'twelve'], 'twelve is not the number'],
    [['close', 'twelve'], 'twelve is not the number'],
    [['move', 'twelve'], 'twelve is not the number'],
    [['receipt', 'twelve'], 'twelve is not the number'],
    [['image', 'twelve'], 'twelve is not the number'],
    [['logs', 'twelve'], 'twelve is not the number'],
    [['exec', 'twelve', 'true'], 'twelve is not the number'],
    [['exec', '-t', '12', 'sh'], '-t needs a terminal'],
    [['usage', 'twelve'], 'twelve is not the number'],
    [['ssh', 'twelve'], 'twelve is not the number'],
    [['clean', 'twelve'], 'twelve is not the number'],
    [['run', '--cheapest', '--max-price', 'little', '--', 'true'], 'little is not an amount'],
    [['run', '--cheapest', '--output', '/data/out', '--', 'true'], '/data/out is not an output'],
    [['run', '--cheapest', '-o', '/a=same', '-o', '/b=same', '--', 'true'], '/b=same is not an output'],
  ])('%j', async (args, said) => {
    expect(await rackfair(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(said) })
  })
})

it('points to the help after a slip, in two lines', async () => {
  for (const args of [['serach'], ['search', '--gpo', '4090'], ['receipt']]) {
    const { code, stderr } = await rackfair(args)
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 2, lines: expect.toSatisfy((lines) => lines <= 3) })
    expect(stderr).toContain('--help')
  }
})

describe('what is read from the environment', () => {
  it.each([`${KEY}\r\n`, ` ${KEY} `, `\ufeff${KEY}`])('a key as a file of another system ends or begins: %j', async (key) =>
    expect(await rackfair(['key', 'address'], { RACKFAIR_KEY: key })).toMatchObject({ code: 0, stdout: `${address}\n` }),
  )

  it('a market’s address likewise', async () =>
    expect((await rackfair(['search'], { RACKFAIR_PLATFORM: 'http://127.0.0.1:9\r' })).code).toBe(5))

  it('says that a file with the password is missing', async () => {
    const keystore = join(folder, 'kept.json')
    const kept = { RACKFAIR_KEY: KEY, RACKFAIR_KEYSTORE: keystore, RACKFAIR_PASSWORD_FILE: join(folder, 'nowhere') }
    expect(await rackfair(['key', 'import'], kept)).toMatchObject({
      ...{ code: 8, stderr: expect.stringMatching(/The password file .*nowhere cannot be read \(ENOENT\).*key_password/) },
    })
  })
})

describe('outputs of a job', () => {
  const made = () => readdirSync(folder).filter((name) => name.startsWith('job-'))
  beforeEach(() => {
    for (const name of made()) rmSync(join(folder, name))
  })
  const job = (output: string) =>
    rackfair(['run', '--cheapest', '--yes', '--output', output, '--', 'true'], { RACKFAIR_KEY: KEY })

  it('leave nothing behind where nothing was bought, however often', async () => {
    for (let times = 0; times < 2; times += 1) {
      expect((await job('/etc/hostname=job-out')).code).toBe(125)
      expect(made()).toEqual([])
    }
  })

  it('are refused before anything is bought where a file is there, which stays as it is', async () => {
    writeFileSync(join(folder, 'job-out'), 'mine')
    const { stderr } = await job('/etc/hostname=job-out')
    expect(stderr).toMatch(/job-out already exists. Nothing was bought.*file_exists/)
    expect(readFileSync(join(folder, 'job-out'), 'utf8')).toBe('mine')
    expect(made()).toEqual(['job-out'])
  })
})
