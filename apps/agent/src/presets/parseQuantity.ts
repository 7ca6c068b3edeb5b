const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
}

/** A Kubernetes quantity of bytes (`512Mi`, `4G`); undefined unless it is a plain positive one. */
export function parseBytes(text: string): number | undefined {
  const match = /^([1-9]\d{0,11})(k|M|G|T|Ki|Mi|Gi|Ti)?$/.exec(text)
  if (!match) return undefined
  const bytes = Number(match[1]) * (FACTORS[match[2] ?? ''] as number)
  return Number.isSafeInteger(bytes) && bytes <= 2 ** 50 ? bytes : undefined
}

/** A Kubernetes quantity of processors (`2`, `500m`, `0.5`) in cores. */
export function parseCores(text: string): number | undefined {
  const milli = /^([1-9]\d{0,6})m$/.exec(text)
  if (milli) return Number(milli[1]) / 1000
  return /^(?!0+(\.0*)?$)\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : undefined
}
