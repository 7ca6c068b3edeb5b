/**
 * Graphics cards in classes, the weakest first: cards of a class perform about the same. Speed and memory both count, as for the workloads
 * they are rented for. Names are those of the makers, as providers list them.
 */
const CLASSES: readonly (readonly string[])[] = [
  ['GTX 1060', 'GTX 1660', 'P4'],
  ['RTX 2060', 'RTX 3050', 'GTX 1080 Ti', 'T4'],
  ['RTX 2070', 'RTX 3060', 'RTX A2000'],
  ['RTX 2080', 'RTX 3060 Ti', 'RTX 4060', 'P100'],
  ['RTX 2080 Ti', 'RTX 3070', 'RTX 4060 Ti', 'L4', 'V100'],
  ['RTX 3070 Ti', 'RTX 5060 Ti', 'RTX A4000'],
  ['RTX 3080', 'RTX 4070', 'A10'],
  ['RTX 3080 Ti', 'RTX 4070 Ti', 'RTX 5070', 'RTX A5000'],
  ['RTX 3090', 'RTX 3090 Ti', 'RTX 5070 Ti', 'A40'],
  ['RTX 4080', 'RTX 5080', 'RTX A6000'],
  ['RTX 4090', 'L40', 'L40S', 'RTX 6000 Ada'],
  ['RTX 5090', 'A100'],
  ['H100'],
  ['H200'],
  ['B200'],
]

/** The class of a model, higher for stronger; undefined for a model that is not in the table. */
export function gpuClass(model: string): number | undefined {
  const plain = model
    .toLowerCase()
    .split(/[\s_-]+/)
    .join(' ')
    .replace(/\b(nvidia|geforce|tesla|super|pcie|sxm\d?|\d+ ?gb)\b ?/g, '')
    .trim()
  const found = CLASSES.findIndex((models) => models.some((name) => name.toLowerCase() === plain))
  return found < 0 ? undefined : found
}
