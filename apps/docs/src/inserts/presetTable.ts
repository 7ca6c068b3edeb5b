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
  mem: number
  disk: number
  access: 'public' | 'owner'
}

const HEADER = {
  en: ['Id', 'Application', 'What it is', 'Recommended', 'Opened by'],
  zh: ['编号', '应用', '用途', '推荐配置', '访问者'],
}
const ACCESS = { en: { public: 'everybody', owner: 'your wallet' }, zh: { public: '所有人', owner: '您的钱包' } }

/** The catalogue of applications. */
export function presetTable(language: Language): string {
  const file = new URL('../../../../presets/catalog.json', import.meta.url)
  const catalog = JSON.parse(readFileSync(file, 'utf8')) as Preset[]
  const rows = catalog.map((preset) => [
    String(preset.id),
    `${preset.title} (\`${preset.name}\`)`,
    preset.desc[language],
    [preset.gpu, `${preset.cpu} CPU`, `${preset.mem} GB`, `${preset.disk} GB`].filter(Boolean).join(' · '),
    ACCESS[language][preset.access],
  ])
  return table(HEADER[language], rows)
}
