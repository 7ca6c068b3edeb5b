export interface Facet {
  value: string
  count: number
}

/** The models to list: every chosen one, also when nothing has it any more, then the most frequent. */
export function shownModels(
  facets: readonly Facet[],
  chosen: readonly string[],
  all: boolean,
  few: number,
): { shown: readonly Facet[]; hidden: number } {
  const missing = chosen.filter((model) => !facets.some((facet) => facet.value === model)).map((value) => ({ value, count: 0 }))
  const models = [...facets, ...missing].sort((a, b) => b.count - a.count || a.value.localeCompare(b.value))
  if (all || models.length <= few + 1) return { shown: models, hidden: 0 }
  const shown = models.filter((facet, index) => index < few || chosen.includes(facet.value))
  return { shown, hidden: models.length - shown.length }
}
