import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { installService, UNIT } from './installService.ts'

const whyNoSystemd = spawnSync('systemd-analyze', ['--version']).error ? 'there is no systemd-analyze' : undefined

describe('the systemd unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-unit-'))
  const config = join(folder, 'agent.json')
  const said: string[] = []
  const output = {
    say: (line: string) => said.push(line),
    result: (_value: unknown, text: string) => said.push(text),
    ask: async () => undefined,
    confirm: async () => true,
  }
  afterAll(() => rmSync(folder, { recursive: true }))

  it('is not written without a configuration', async () => {
    await expect(installService(config, folder, folder, output)).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('runs this program, leaves containers alone, and is written once', async () => {
    writeFileSync(config, '{}')
    await installService(config, join(folder, 'data'), folder, output)
    const unit = readFileSync(join(folder, UNIT), 'utf8')
    expect(unit).toContain(`ExecStart=${process.execPath} `)
    expect(unit).toContain(`start --config ${config} --data ${join(folder, 'data')}`)
    for (const line of ['KillMode=process', 'OOMPolicy=continue', 'NoNewPrivileges=yes', 'RestartPreventExitStatus=78'])
      expect(unit.split('\n')).toContain(line)
    await installService(config, join(folder, 'data'), folder, output)
    expect(said.at(-1)).toMatch(/is installed already/)
  })

  it.skipIf(whyNoSystemd)(`is accepted by systemd, line by line (${whyNoSystemd ?? 'here'})`, () => {
    const verify = (file: string) => spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
    const { status, stderr } = verify(join(folder, UNIT))
    expect(stderr).not.toContain('rackfair-agent.service')
    expect(status, stderr).toBe(0)
    const planted = join(folder, 'rackfair-planted.service')
    writeFileSync(planted, readFileSync(join(folder, UNIT), 'utf8').replace('KillMode=process', 'KillMode=gently'))
    expect(verify(planted).stderr).toContain('rackfair-planted.service')
  })
})
