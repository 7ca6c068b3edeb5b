const CONSUMER = String.raw`(?:nvidia\s+)?(?:geforce\s+)?(?:(?<series>rtx|gtx)\s?-?\s?)?(?<number>10[5-8]0|16[56]0|[2-5]0[5-9]0)(?:\s?(?<ti>ti))?(?:\s?(?<super>super))?`
const WORKSTATION = String.raw`(?:nvidia\s+)?(?:rtx\s?)?(?<station>a[2-6][05]00|[456]000\s?ada|pro\s?6000)`
const SERVER = String.raw`(?:nvidia\s+|tesla\s+|amd\s+|instinct\s+)*(?<server>gh200|gb200|h[128]00|h20|b[123]00|a[18]00|a10g?|a16|a30|a40|l40s?|l4|l20|t4|v100|p100|p40|m40|mi\d{2,3}x?)`

/** One GPU as people write it, with the parts of its name as groups. */
export const GPU = String.raw`(?:(?<![a-z\d])|(?<=\d\s?[x×*]))(?:${CONSUMER}|${WORKSTATION}|${SERVER})(?![a-z\d])`

/** The name as the market writes it: `rtx4090ti` is `RTX 4090 Ti`. A bare number stays one, since it may be of any series. */
export function gpuName(groups: Record<string, string | undefined>): string {
  const { series, number, ti, super: better, station, server } = groups
  if (server !== undefined) return server.toUpperCase()
  if (station !== undefined)
    return /^a/i.test(station) ? station.toUpperCase() : station.replace(/ada/i, 'Ada').replace(/pro/i, 'PRO')
  return [series?.toUpperCase(), number, ti && 'Ti', better && 'SUPER'].filter(Boolean).join(' ')
}
