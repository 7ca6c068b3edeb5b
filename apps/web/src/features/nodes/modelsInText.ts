import { GPU, gpuName } from '../../lib/wish/gpuWords.ts'
import { MAX_MODELS, type NodeFilter } from './nodeFilter.ts'

/** The models of the market, as its machines name them. */
export interface MarketModels {
  gpu: readonly string[]
  cpu: readonly string[]
}

const WHOLE_GPU = new RegExp(`^${GPU}(?:\\s+\\d{1,3}\\s?GB)?$`, 'iu')

/** What a person may call a model: as the market does, or without maker and memory, or by its number alone. */
function namesOf(model: string): readonly string[] {
  const groups = WHOLE_GPU.exec(model)?.groups
  if (groups === undefined) return [model]
  const short = gpuName(groups)
  return [model, short, short.replace(/^[RG]TX /, '')]
}

/** A model of the market that the text names is chosen instead of looked for as text; what is left stays text. */
export function withModels(filter: NodeFilter, models: MarketModels): NodeFilter {
  let text = ` ${filter.text} `
  const found = { gpu: [...filter.gpu], cpu: [...filter.cpu] }
  const names = (['gpu', 'cpu'] as const).flatMap((kind) =>
    models[kind].flatMap((model) => namesOf(model).map((name) => ({ kind, model, name: name.toLowerCase() }))),
  )
  // The longest name first: RTX 4090 Ti is not RTX 4090.
  for (const name of [...new Set(names.map((one) => one.name))].sort((a, b) => b.length - a.length)) {
    const at = text.toLowerCase().indexOf(` ${name} `)
    if (at < 0) continue
    text = `${text.slice(0, at)} ${text.slice(at + name.length + 2)}`
    for (const { kind, model } of names.filter((one) => one.name === name))
      if (!found[kind].includes(model) && found[kind].length < MAX_MODELS) found[kind].push(model)
  }
  return { ...filter, ...found, text: text.trim() }
}
