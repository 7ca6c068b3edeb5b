import { cpuModelOf, isGpu } from '@rackfair/rules/gpu/gpuName'
import { MAX_MODELS, type NodeFilter } from './nodeFilter.ts'

/** The models of the market, as its list names them. */
export interface MarketModels {
  gpu: readonly string[]
  cpu: readonly string[]
}

/**
 * Models of the market in place of the names that a person gave: those of GPUs that are chosen, and others in the text. What is left stays
 * as it is.
 */
export function withModels(filter: NodeFilter, models: MarketModels): NodeFilter {
  const gpu = filter.gpu.flatMap((wanted) => {
    const offered = models.gpu.filter((model) => isGpu(wanted, model))
    return offered.length > 0 ? offered : [wanted]
  })
  const found = { gpu: [...new Set(gpu)].slice(0, MAX_MODELS), cpu: [...filter.cpu] }
  let text = ` ${filter.text} `
  const names = [
    ...models.gpu.map((model) => ({ kind: 'gpu' as const, model, name: model.toLowerCase() })),
    ...models.cpu.flatMap((model) =>
      [...new Set([model, cpuModelOf(model)])].map((name) => ({ kind: 'cpu' as const, model, name: name.toLowerCase() })),
    ),
  ]
  // The longest name first: it may contain another one.
  for (const name of [...new Set(names.map((one) => one.name))].sort((a, b) => b.length - a.length)) {
    const at = text.toLowerCase().indexOf(` ${name} `)
    if (at < 0) continue
    text = `${text.slice(0, at)} ${text.slice(at + name.length + 2)}`
    for (const { kind, model } of names.filter((one) => one.name === name))
      if (!found[kind].includes(model) && found[kind].length < MAX_MODELS) found[kind].push(model)
  }
  return { ...filter, ...found, text: text.trim() }
}
