import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from '../../foundation/runCommand.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { freeOctet, startFakeOutside } from './fakeOutside.ts'

const reason = whyNoContainers()
const net = (cidr: string) => ({ family: 'IPv4', cidr })

describe.skipIf(reason)(`the simulated internet of the doctor (${reason ?? 'here'})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-outside-'))
  const path = process.env.PATH
  let real: string

  beforeAll(async () => {
    real = (await runCommand('sh', ['-c', 'command -v ip'])).stdout.trim()
    process.env.PATH = `${folder}:${path}`
  })
  afterAll(() => {
    process.env.PATH = path
    rmSync(folder, { recursive: true })
  })

  it.each([
    ['its program ends', 'netns exec', 'exit 1', 'ended with 1', undefined],
    ['its program says nothing', 'netns exec', 'exec sleep 60', 'is not up after', 1000],
    ['it gets no route', 'route add', 'echo broken >&2; exit 2', 'broken', undefined],
  ])('is removed and its end reported when %s', async (_, command, does, message, upMs) => {
    const log = join(folder, 'log')
    const script = `#!/bin/sh\necho "$*" >> ${log}\ncase "$*" in *"${command}"*) ${does} ;; esac\nexec ${real} "$@"\n`
    writeFileSync(join(folder, 'ip'), script, { mode: 0o755 })
    await expect(startFakeOutside([80], upMs)).rejects.toThrow(message)
    const [, tag] = /^netns add rfout([0-9a-f]+)$/m.exec(readFileSync(log, 'utf8')) ?? []
    expect((await runCommand(real, ['link', 'show', `rfh${tag}`])).code).toBe(1)
    expect((await runCommand(real, ['netns', 'list'])).stdout).not.toContain(`rfout${tag}`)
    rmSync(log)
  })

  it('uses no address of a local network', () => {
    expect(freeOctet({ lan: [net('192.168.0.9/17')], vpn: [net('44.0.0.1/9')] } as never)).toBeGreaterThanOrEqual(128)
    expect(() => freeOctet({ lan: [net('192.168.3.4/16')] } as never)).toThrow('no address is free')
    const all = Array.from({ length: 248 }, (_, index) => index + 2).filter((octet) => octet !== 77 && octet !== 78)
    const busy = { some: all.map((octet) => net(`192.168.${octet}.2/30`)), link: [net('169.254.77.1/32')] }
    expect(freeOctet(busy as never)).toBe(78)
  })
})
