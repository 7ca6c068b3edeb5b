import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PRESET_IDS } from '@rackfair/rules/presets'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { checkEnv } from './checkEnv.ts'
import { loadCatalog, PRESETS_FOLDER } from './loadCatalog.ts'
import { parsePresetYaml } from './parsePresetYaml.ts'

const seed = Number(process.env.RACKFAIR_SEED ?? Math.floor(Math.random() * 2 ** 31))
const nginx = readFileSync(join(PRESETS_FOLDER, 'nginx.yaml'), 'utf8')
type Plain = { [key: string]: unknown }
const changed = (change: (yaml: Plain, container: Plain) => void): string => {
  const yaml = parse(nginx) as Plain
  const pod = ((yaml.spec as Plain).template as Plain).spec as Plain
  change(yaml, (pod.containers as Plain[])[0] as Plain)
  return stringify(yaml)
}

describe('the catalogue', () => {
  it('has each preset with a valid YAML, a logo and a licence', () => {
    const catalog = loadCatalog()
    expect(Object.fromEntries([...catalog].map(([id, preset]) => [preset.wire.name, id]))).toEqual(PRESET_IDS)
    for (const { wire, app } of catalog.values()) {
      expect(readFileSync(join(PRESETS_FOLDER, wire.logo), 'utf8')).toMatch(/^<svg /)
      expect(app.requests.gpus, wire.name).toBe(wire.nGPU)
      expect(app.requests.cpu, wire.name).toBe(wire.cpu)
      expect(app.requests.memoryBytes, wire.name).toBeLessThanOrEqual(wire.mem * 2 ** 30)
      expect(wire.desc.zh).not.toBe('')
    }
  })
})

describe('environment values of a request', () => {
  const presets = [...loadCatalog().values()]
  const anyName = fc.oneof(
    fc.string({ maxLength: 20, unit: 'binary' }),
    fc.constantFrom('__proto__', 'constructor', 'toString', 'PATH', 'LD_PRELOAD', 'page_title', 'PAGE_TITLE\n'),
    fc.constantFrom(...presets.flatMap(({ wire }) => wire.env.map((rule) => rule.name))),
  )
  const anyValue = fc.oneof(
    fc.string({ maxLength: 500, unit: 'binary' }),
    fc.string({ maxLength: 100 }),
    fc.constantFrom(
      '\n',
      'x\nLD_PRELOAD=/tmp/x.so',
      '\0',
      '\u007f',
      '\u0085',
      '\u009b2J',
      '\ud800',
      'x\udc00',
      '$(id)',
      'a'.repeat(100_000),
    ),
  )

  it('match the rules of the catalogue, or the request is refused, for any input (seeded)', () => {
    console.log(`seed ${seed}`)
    const numRuns = process.env.RACKFAIR_DEEP === '1' ? 50_000 : 2000
    const given = fc.array(fc.tuple(anyName, anyValue), { maxLength: 3 })
    let taken = 0
    const judge = (preset: (typeof presets)[number], pairs: [string, string][]): void => {
      let env: Record<string, string>
      try {
        env = checkEnv(preset, Object.fromEntries(pairs))
      } catch (error) {
        expect((error as { code?: string }).code).toBe('env_not_allowed')
        return
      }
      taken += 1
      for (const [name, value] of Object.entries(env)) {
        const rule = preset.wire.env.find((one) => one.name === name)
        expect(rule, name).toBeDefined()
        expect(value.length).toBeLessThanOrEqual(rule?.maxLength ?? 0)
        expect(value).not.toMatch(/[\p{Cc}\p{Cs}]/u)
      }
    }
    fc.assert(
      fc.property(fc.constantFrom(...presets), given, (preset, pairs) => {
        judge(preset, pairs)
      }),
      { seed, numRuns },
    )
    expect(taken).toBeGreaterThan(0)
  })

  it('are passed on unchanged when they match (seeded)', () => {
    const rules = presets.flatMap((preset) => preset.wire.env.map((rule) => ({ preset, rule })))
    const given = fc.constantFrom(...rules).chain(({ preset, rule }) =>
      fc
        .stringMatching(new RegExp(`^(?:${rule.pattern})$`))
        .filter((text) => text !== '' && text.length <= rule.maxLength && !/[\p{Cc}\p{Cs}]/u.test(text))
        .map((text) => ({ preset, rule, text })),
    )
    fc.assert(
      fc.property(given, ({ preset, rule, text }) => {
        expect(checkEnv(preset, { [rule.name]: text })[rule.name]).toBe(text)
      }),
      { seed, numRuns: 200 },
    )
  })
})

describe('the YAML of a preset', () => {
  it('is parsed completely', () => {
    expect(parsePresetYaml(nginx)).toMatchObject({
      name: 'nginx',
      port: 8080,
      uid: 33,
      volumes: [{ name: 'site', path: '/srv/www' }],
      tmpfs: [{ path: '/tmp', sizeBytes: 256 * 2 ** 20 }],
    })
  })

  it('has the port called http as its page, and others for whoever asks', () => {
    const ports = [
      { name: 's3', containerPort: 9000 },
      { name: 'http', containerPort: 9001 },
      { name: 'discovery', containerPort: 9000, protocol: 'UDP' },
    ]
    const read = parsePresetYaml(
      changed((_, container) => {
        container.ports = ports
      }),
    )
    expect(read).toMatchObject({
      port: 9001,
      ports: [
        { protocol: 'tcp', port: 9000 },
        { protocol: 'http', port: 9001 },
        { protocol: 'udp', port: 9000 },
      ],
    })
  })

  it('may contain nothing that would be ignored or weaken the isolation', () => {
    const wrong = {
      unknown: changed((yaml) => {
        yaml.surprise = 1
      }),
      privileged: changed((_, container) => {
        ;(container.securityContext as Plain).privileged = true
      }),
      escalation: changed((_, container) => {
        ;(container.securityContext as Plain).allowPrivilegeEscalation = true
      }),
      root: changed((_, container) => {
        ;(container.securityContext as Plain).runAsUser = 0
      }),
      capability: changed((_, container) => {
        ;(container.securityContext as Plain).capabilities = { drop: ['ALL'], add: ['SYS_ADMIN'] }
      }),
      writable: changed((_, container) => {
        ;(container.securityContext as Plain).readOnlyRootFilesystem = false
      }),
      hostNetwork: changed((yaml) => {
        ;(((yaml.spec as Plain).template as Plain).spec as Plain).hostNetwork = true
      }),
      hostPath: changed((yaml) => {
        ;((((yaml.spec as Plain).template as Plain).spec as Plain).volumes as Plain[])[0] = {
          name: 'site',
          hostPath: { path: '/' },
        }
      }),
      overProc: changed((_, container) => {
        ;((container.volumeMounts as Plain[])[0] as Plain).mountPath = '/proc/x'
      }),
      climbing: changed((_, container) => {
        ;((container.volumeMounts as Plain[])[0] as Plain).mountPath = '/srv/../etc'
      }),
      hostPort: changed((_, container) => {
        ;((container.ports as Plain[])[0] as Plain).hostPort = 80
      }),
      twoPages: changed((_, container) => {
        container.ports = [1, 2].map((containerPort) => ({ name: 'http', containerPort }))
      }),
      portTwice: changed((_, container) => {
        container.ports = ['http', 's3'].map((name) => ({ name, containerPort: 1 }))
      }),
      secret: changed((_, container) => {
        container.envFrom = [{ secretRef: { name: 'x' } }]
      }),
      image: changed((_, container) => {
        container.image = 'a b;rm -rf /'
      }),
      twoDocuments: `${nginx}\n---\n${nginx}`,
      alias: nginx.replace('name: nginx', 'name: &a nginx').replace('app: nginx', 'app: *a'),
      duplicate: `${nginx}\nkind: Deployment\n`,
      tag: nginx.replace('replicas: 1', 'replicas: !!js/function "x"'),
      bomb: `a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n${nginx}`,
      large: `${nginx}\n#${'x'.repeat(70_000)}`,
      prototype: changed((yaml) => {
        Object.defineProperty(yaml, '__proto__', { value: { a: 1 }, enumerable: true })
      }),
    }
    for (const [name, text] of Object.entries(wrong)) expect(() => parsePresetYaml(text), name).toThrow(/preset yaml/)
  })

  it('never crashes the parser, for any input (seeded)', () => {
    console.log(`seed ${seed}`)
    const deep = process.env.RACKFAIR_DEEP === '1'
    const outcome = (text: string) => {
      try {
        parsePresetYaml(text)
        return 'parsed'
      } catch (error) {
        return (error as { code?: string }).code
      }
    }
    fc.assert(
      fc.property(fc.string({ maxLength: 400, unit: 'binary' }), (text) => outcome(text) === 'preset_unknown'),
      { seed, numRuns: deep ? 20_000 : 500 },
    )
    fc.assert(
      fc.property(fc.nat(nginx.length - 1), fc.string({ maxLength: 6 }), fc.nat(8), (at, insert, cut) => {
        const text = nginx.slice(0, at) + insert + nginx.slice(at + cut)
        return ['parsed', 'preset_unknown'].includes(outcome(text) ?? '')
      }),
      { seed, numRuns: deep ? 20_000 : 400 },
    )
  })
})
