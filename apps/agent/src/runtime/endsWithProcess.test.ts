import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { runCommand } from '../foundation/runCommand.ts'
import { PRESETS_FOLDER } from '../presets/loadCatalog.ts'
import { killProcess } from '../testing/killProcess.ts'
import { makeImageCache } from '../testing/recipeImages.ts'
import { startCli } from '../testing/runCli.ts'
import { whyNoContainers } from '../testing/whyNoContainers.ts'
import { newInstance } from './engine/names.ts'
import { unmountAt } from './engine/removeEngine.ts'
import { holdFolder, sweepFolders } from './heldFolder.ts'

const reason = whyNoContainers()
const LONG = { timeout: 120_000, interval: 20 }

describe.skipIf(reason)(`what is killed in the middle (${reason ?? 'here'})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-killed-'))
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const { pid, exitCode, signalCode } of children.splice(0))
      if (pid && exitCode === null && signalCode === null) killProcess(pid)
  })
  afterAll(() => {
    unmountAt(folder)
    rmSync(folder, { recursive: true, force: true })
  })

  const mounts = () =>
    readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .filter((line) => line.includes(`${folder}/`))
  /** Processes that name the folder, or were told to keep their temporary files there. */
  const processes = () =>
    readdirSync('/proc').filter((pid) => {
      try {
        if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
        return ['cmdline', 'environ'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(folder))
      } catch {
        return false
      }
    })
  const killed = async (child: ChildProcess) => {
    killProcess(child.pid as number)
    await expect.poll(() => [processes(), mounts()], LONG).toEqual([[], []])
  }
  const config = (file: string, imageCache: string) => {
    const address = `0x${'22'.repeat(20)}`
    const gateway = { host: '127.0.0.1', port: 7071, publicHost: '127.0.0.1' }
    const addresses = { rpcUrl: 'http://127.0.0.1:9', platforms: ['http://127.0.0.1:9'], access: address, provider: address }
    const agent = { instance: newInstance(), chainId: 31_337, operatorKeyFile: join(folder, 'key'), gateway, imageCache }
    writeFileSync(file, JSON.stringify({ ...addresses, ...agent }))
    return file
  }

  it('takes a build with it, and what that mounted and started', async () => {
    const bin = join(folder, 'bin')
    const temporary = join(folder, 'build')
    for (const one of [bin, temporary]) mkdirSync(one)
    // It does as mmdebstrap: mounts a folder of the machine, and starts programs that do not look after their parent.
    const program = `#!/bin/sh
root=$(mktemp -d); mkdir "$root/dev"; mount --bind '${bin}' "$root/dev"
for word; do case $word in *.tar) echo half > "$word";; esac; done
setsid sleep 600 & setsid sleep 600 &
touch '${folder}/mounted'
wait
`
    writeFileSync(join(bin, 'mmdebstrap'), program)
    chmodSync(join(bin, 'mmdebstrap'), 0o755)
    const tars = join(folder, 'tars')
    const build = `
      import { rootfsTar } from ${JSON.stringify(join(import.meta.dirname, 'engine/buildImage.ts'))}
      const recipe = { name: 'localhost/rackfair/x', user: '1000:1000', remove: [], packages: [], suite: 'bookworm' }
      await rootfsTar({ recipe, root: '/nowhere' }, ${JSON.stringify(tars)}, { onProgress() {} })`
    const start = () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', build], {
        env: { ...process.env, TMPDIR: temporary, PATH: `${bin}${delimiter}${process.env.PATH}` },
        stdio: 'inherit',
      })
      children.push(child)
      return child
    }
    const first = start()
    await vi.waitFor(() => expect(existsSync(join(folder, 'mounted'))).toBe(true), LONG)
    await killed(first)
    expect(readdirSync(bin)).toEqual(['mmdebstrap'])

    rmSync(join(folder, 'mounted'))
    const left = [temporary, tars].flatMap((one) => readdirSync(one))
    expect(left).toHaveLength(2)
    const second = start()
    await vi.waitFor(() => expect(existsSync(join(folder, 'mounted'))).toBe(true), LONG)
    const now = [temporary, tars].flatMap((one) => readdirSync(one))
    expect(now.filter((one) => left.includes(one))).toEqual([])
    expect(now).toHaveLength(2)
    await killed(second)
  })

  it('takes the engine and the tenants of the doctor with it, and the next doctor removes their folders', async () => {
    const temporary = join(folder, 'doctor')
    mkdirSync(temporary)
    const imageCache = makeImageCache(join(folder, 'images'))
    const args = ['doctor', '--config', config(join(folder, 'doctor.json'), imageCache), '--data', join(folder, 'data')]
    const start = () => {
      const child = startCli(args, { env: { TMPDIR: temporary } })
      children.push(child)
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream?.on('data', (chunk: Buffer) => {
          said += chunk
        })
      return { child, said: () => said }
    }
    const { child, said } = start()
    // The tenant's processes are there, and its disk is mounted.
    await vi.waitFor(async () => {
      expect(child.exitCode, said()).toBe(null)
      const { stdout } = await runCommand('pgrep', ['-f', `conmon.*${temporary}`])
      expect(stdout).not.toBe('')
    }, LONG)
    const [name = ''] = readdirSync(temporary)
    await killed(child)
    const bridges = async () => (await runCommand('ip', ['link', 'show'])).stdout.includes(`rf${name.slice(-6)}-`)
    expect(existsSync(join(temporary, name))).toBe(true)

    const next = start()
    await vi.waitFor(() => expect(existsSync(join(temporary, name)), next.said()).toBe(false), LONG)
    expect(existsSync(`/run/rackfair-${name.slice(-6)}`)).toBe(false)
    expect(await bridges()).toBe(false)
    expect((await runCommand('nft', ['list', 'tables'])).stdout).not.toContain(name.slice(-6))
    await killed(next.child)
  })

  it('leaves folders whose mounts the next one takes away without emptying them, and none that is held', async () => {
    const precious = join(folder, 'precious')
    const parent = join(folder, 'left')
    for (const one of [precious, parent]) mkdirSync(one)
    writeFileSync(join(precious, 'file'), 'kept')
    for (const place of ['.', 'shm', 'a/b c/shm']) {
      const left = join(parent, 'rackfair-doctor-0a1b2c')
      mkdirSync(join(left, place), { recursive: true })
      expect((await runCommand('mount', ['--bind', precious, join(left, place)])).code).toBe(0)
      await sweepFolders(parent, ['rackfair-doctor-'])
      expect([readdirSync(parent), readdirSync(precious)]).toEqual([[], ['file']])
    }
    const held = holdFolder(parent, 'rackfair-doctor-')
    const others = ['rackfair-doctor-test-abc123', 'mine']
    for (const name of others) mkdirSync(join(parent, name))
    await sweepFolders(parent, ['rackfair-doctor-'])
    expect(readdirSync(parent).sort()).toEqual([...others, held.path.slice(parent.length + 1)].sort())
    held.release()
    expect(readdirSync(parent).sort()).toEqual([...others].sort())
  })

  it('builds nothing for the doctor: it says which image is missing', async () => {
    const { tryIsolation } = await import('../commands/doctor/tryIsolation.ts')
    const said: string[] = []
    const missing = { imageCache: join(folder, 'no-images'), presetsFolder: PRESETS_FOLDER } as never
    const [only, ...more] = await tryIsolation(missing, join(folder, 'data'), true, (line) => said.push(line))
    expect(more).toEqual([])
    expect(only).toMatchObject({
      ok: false,
      found: expect.stringContaining('not built'),
      fix: expect.stringContaining('images sync'),
    })
    expect(said.filter((line) => line.includes('building'))).toEqual([])
  })
})
