import { AppError } from '@rackfair/rules/errors/AppError'
import { formatCredit, PRICE_DECIMALS, parseCredit } from '@rackfair/rules/money'
import { createApi } from '@rackfair/sdk/http'
import type { Hardware } from '../machine/detect/detectHardware.ts'
import { type MarketPrice, type ProposedPrice, proposePrices } from '../machine/detect/proposeNodes.ts'
import type { Output } from './output.ts'

export interface PriceFlags {
  cpuPrice?: string
  /** One price for all models, `model=price` for one of them, `other=price` for those without a known price. */
  gpuPrice?: readonly string[]
  memoryPrice?: string
  diskPrice?: string
}

const OTHER = 'other'
const UNITS: Readonly<Record<ProposedPrice['kind'], string>> = {
  cpu: 'processor',
  gpu: 'GPU',
  mem: 'GB of memory',
  disk: 'GB of disk',
}

/**
 * Asks for the price of every part, proposing one with its source. Without a person at the terminal the proposals are taken, and parts
 * without a known price must be priced by options.
 */
export async function askPrices(
  hardware: Hardware,
  platforms: readonly string[],
  flags: PriceFlags,
  output: Output,
): Promise<ProposedPrice[]> {
  const prices: ProposedPrice[] = []
  for (const proposed of proposePrices(hardware, await marketPrices(platforms, output))) {
    const named = flagFor(proposed, flags)
    const what = `${UNITS[proposed.kind]}${proposed.model ? ` ${proposed.model}` : ''}`
    const shown = proposed.unitWei === undefined ? undefined : formatCredit(proposed.unitWei, { max: PRICE_DECIMALS })
    if (named === undefined) output.say(`price of a ${what} and month: ${shown ? `${shown} USD` : 'none'} (${proposed.source})`)
    const text = named ?? (await output.ask(`USD for a ${what} and month (${proposed.source})`, shown))
    if (text === undefined)
      throw new AppError(
        'bad_request',
        `no price of ${proposed.model} is known, neither on the market nor in the list: name one, for instance --gpu-price "${proposed.model}=250"; nothing was sent`,
      )
    prices.push({ ...proposed, unitWei: priceOf(text, what), source: text === shown ? proposed.source : 'yours' })
  }
  return prices
}

function flagFor({ kind, model, unitWei }: ProposedPrice, flags: PriceFlags): string | undefined {
  if (kind === 'cpu') return flags.cpuPrice
  if (kind === 'mem') return flags.memoryPrice
  if (kind === 'disk') return flags.diskPrice
  const named = (flags.gpuPrice ?? []).map((text) => /^(?:(.*)=)?(.*)$/s.exec(text) ?? ['', undefined, ''])
  const of = (wanted: string | undefined) => named.find(([, its]) => its === wanted)?.[2]
  return of(model) ?? of(undefined) ?? (unitWei === undefined ? of(OTHER) : undefined)
}

function priceOf(text: string, what: string): bigint {
  const wei = parseCredit(text, PRICE_DECIMALS)
  if (wei === undefined)
    throw new AppError(
      'bad_request',
      `${text} is not a price of a ${what}: an amount of USD with at most ${PRICE_DECIMALS} decimals`,
    )
  return wei
}

/** The market's price of each model; empty, with a message, when the platform is unreachable. */
async function marketPrices(platforms: readonly string[], output: Output): Promise<MarketPrice[]> {
  try {
    const { models } = await createApi({ baseUrl: platforms }).prices()
    return models.map(({ kind, model, medianUnit }) => ({ kind, model, unitWei: BigInt(medianUnit) }))
  } catch (error) {
    output.say(
      `the platform ${platforms.join(', ')} does not say what the market asks (${(error as Error).message}); prices come from the list alone`,
    )
    return []
  }
}
