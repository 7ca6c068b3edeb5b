import { readFileSync } from 'node:fs'
import type { Language } from '../site.ts'
import { table } from './table.ts'

interface Preset {
  id: number
  name: string
  title: string
  desc: Record<Language, string>
  gpu: string
  cpu: number
  vram: number
  mem: number
  disk: number
  access: 'public' | 'owner'
  tried: boolean
  ports: readonly { protocol: string; port: number }[]
  licence: { name: string; url: string }
}

const HEADER = {
  en: ['Id', 'Application', 'What it is', 'Recommended', 'Ports', 'Opened by', 'Licence', 'Run by us'],
  zh: ['编号', '应用', '用途', '推荐配置', '端口', '访问者', '许可证', '我们已运行'],
}
const ACCESS = { en: { public: 'everybody', owner: 'your wallet' }, zh: { public: '所有人', owner: '您的钱包' } }

const UNSTATED = { en: 'not stated', zh: '未说明' }
const TRIED = {
  en: (tried: boolean) => (tried ? 'yes' : 'not yet run by us'),
  zh: (tried: boolean) => (tried ? '是' : '我们尚未运行过'),
}

/** The catalogue of applications. */
export function presetTable(language: Language): string {
  const file = new URL('../../../../presets/catalog.json', import.meta.url)
  const catalog = JSON.parse(readFileSync(file, 'utf8')) as Preset[]
  const rows = catalog.map((preset) => [
    String(preset.id),
    `${preset.title} (\`${preset.name}\`)`,
    preset.desc[language],
    [preset.gpu, preset.vram > 0 ? `${preset.vram} GB VRAM` : '', `${preset.cpu} CPU`, `${preset.mem} GB`, `${preset.disk} GB`]
      .filter(Boolean)
      .join(' · '),
    preset.ports.map(({ protocol, port }) => `${protocol.toUpperCase()} ${port}`).join(', '),
    ACCESS[language][preset.access],
    `[${preset.licence.name || UNSTATED[language]}](${preset.licence.url})`,
    TRIED[language](preset.tried),
  ])
  return table(HEADER[language], rows)
}
