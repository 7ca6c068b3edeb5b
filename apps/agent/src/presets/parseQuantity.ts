const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
}

/** Any quantity as Kubernetes writes or accepts it (`1.5Gi`, `1e3`, `126999500u`, `+2`); undefined for other text. */
export function parseQuantity(text: string): number | undefined {
  const match = /^([+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40}))(?:([numkMGTPE]|[KMGTPE]i)?|[eE]([+-]?\d{1,2}))$/.exec(text)
  if (!match) return undefined
  const [, number, suffix = '', exponent] = match
  return exponent === undefined ? Number(number) * (FACTORS[suffix] as number) : Number(`${number}e${exponent}`)
}

/** Bytes as a preset writes them (`512Mi`, `4G`); undefined unless it is a plain positive quantity. */
export function parseBytes(text: string): number | undefined {
  const match = /^([1-9]\d{0,11})(k|M|G|T|Ki|Mi|Gi|Ti)?$/.exec(text)
  if (!match) return undefined
  const bytes = Number(match[1]) * (FACTORS[match[2] ?? ''] as number)
  return Number.isSafeInteger(bytes) && bytes <= 2 ** 50 ? bytes : undefined
}

/** Processors as a preset writes them (`2`, `500m`, `0.5`) in cores. */
export function parseCores(text: string): number | undefined {
  const milli = /^([1-9]\d{0,6})m$/.exec(text)
  if (milli) return Number(milli[1]) / 1000
  return /^(?!0+(\.0*)?$)\d{1,4}(\.\d{1,3})?$/.test(text) ? Number(text) : undefined
}
