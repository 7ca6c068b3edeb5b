import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8')
const systemd = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
const whyNoSystemd = systemd('--version').error ? 'there is no systemd-analyze' : undefined
/** On systemd's scale from 0 (nothing is exposed) to 100; a unit without settings gets 96. */
const MAX_EXPOSURE = 25

const units = [
  {
    unit: 'rackfair-platform@.service',
    conf: 'platform-all.conf',
    options: 'apps/platform/src/settings/parseSettings.ts',
    guide: 'operators',
  },
  { unit: 'rackfair-monitor.service', conf: 'monitor.conf', options: 'apps/monitor/src/cli.ts', guide: 'monitors' },
  { unit: 'rackfair-edge.service', conf: 'edge.conf', options: 'apps/edge/src/cli.ts', guide: 'edges' },
]

describe.each(units)('$unit', ({ unit, conf, options, guide }) => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-unit-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const text = read('deploy', 'systemd', unit)
  const [, program = '', args = ''] = /^ExecStart=\/usr\/bin\/node \/opt\/rackfair\/(\S+) (.*)$/m.exec(text) ?? []
  /** As on a machine where the programs are installed: systemd checks that they exist. */
  const write = (name: string, content: string) => {
    const file = join(folder, name)
    writeFileSync(file, content.replace('/usr/bin/node /opt/rackfair/', `${process.execPath} ${root}/`))
    return file
  }

  it('starts an existing program with existing options', () => {
    expect(existsSync(join(root, program))).toBe(true)
    const named = ` ${args} ${read('deploy', 'systemd', conf)}`.match(/(?<=\s|=)--[a-z-]+/g) ?? []
    expect(named.length).toBeGreaterThan(4)
    const source = read(options)
    expect(named.filter((name) => !new RegExp(`^\\s+'?${name.slice(2)}'?: (text|\\{ type)`, 'm').test(source))).toEqual([])
  })

  it('has no secret in its command line or settings, and is documented in the guides', () => {
    expect(`${text}${read('deploy', 'systemd', conf)}`).not.toMatch(/0x[0-9a-f]{64}|--database-url |:\/\/[^\s/]+@/)
    const guides = ['en', 'zh'].map((locale) => read('docs', 'guides', locale, `${guide}.md`))
    for (const guide of guides) for (const name of [unit, conf]) expect(guide).toContain(`deploy/systemd/${name}`)
  })

  it.skipIf(whyNoSystemd)(`is accepted by systemd, line by line (${whyNoSystemd ?? 'here'})`, () => {
    const { status, stderr } = systemd('verify', '--man=no', write(unit, text))
    expect(stderr).not.toContain(unit)
    expect(status, stderr).toBe(0)
    const planted = unit.replace('rackfair', 'planted')
    expect(systemd('verify', '--man=no', write(planted, text.replace('=strict', '=gently'))).stderr).toContain(planted)
  })

  it.skipIf(whyNoSystemd)(`scores well in the security analysis of systemd (${whyNoSystemd ?? 'here'})`, () => {
    const exposed = (file: string) => systemd('security', '--offline=yes', `--threshold=${MAX_EXPOSURE}`, '--no-pager', file)
    const { status, stdout, stderr } = exposed(write(unit, text))
    expect(status, stdout + stderr).toBe(0)
    const open = text.replace(/^(Protect|Private|Restrict|SystemCall|Capability|NoNew|DynamicUser|User=).*\n/gm, '')
    expect(exposed(write(unit.replace('rackfair', 'open'), open)).status).not.toBe(0)
  })
})

describe('the name server beside an edge', () => {
  const names = ['rackfair-edge-dns.path', 'rackfair-edge-dns.service']
  const why = whyNoSystemd ?? (existsSync('/usr/sbin/knotc') ? undefined : 'there is no knotc')

  it('is told by units that the guides name, of what the edge writes where its recipe reads it', () => {
    const [path, service] = names.map((name) => read('deploy', 'systemd', name))
    for (const locale of ['en', 'zh'])
      for (const name of names) expect(read('docs', 'guides', locale, 'edges.md')).toContain(`deploy/systemd/${name}`)
    expect(path).toContain(`Unit=${names[1]}`)
    const [, watched = ''] = /^PathChanged=(.+)$/m.exec(path ?? '') ?? []
    expect(service).toContain(`challenge.zone ${watched}`)
    const [, folder = ''] = /-t (\S+)/.exec(service ?? '') ?? []
    expect(read('deploy', 'knot', 'knot.conf')).toContain(`include: ${folder}/*.conf`)
    for (const locale of ['en', 'zh'])
      expect(read('docs', 'guides', locale, 'edges.md')).toContain(`--dns ${watched.replace(/\/[^/]+$/, '')}`)
  })

  it.skipIf(why)(`is told by units that systemd accepts (${why ?? 'here'})`, () => {
    const { status, stderr } = systemd('verify', '--man=no', ...names.map((name) => join(root, 'deploy', 'systemd', name)))
    expect(status, stderr).toBe(0)
  })
})
