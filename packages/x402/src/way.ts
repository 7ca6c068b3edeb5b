import { parseArgs } from 'node:util'
import { type Hex, isHex } from 'viem'

export const USAGE = `Usage: RACKFAIR_KEY=0x… rackfair-x402 [--port [HOST:]PORT]

Serves POST /x402/run at 127.0.0.1:4020, or at HOST and PORT: jobs of programs that pay by x402 into their own purses.
RACKFAIR_KEY is this door's own account: it needs gas and nothing else, and those who pay grant it what jobs may cost.
RACKFAIR_PLATFORM names the market, http://127.0.0.1:3000 without it; RACKFAIR_RPC and RACKFAIR_ACCESS the chain and its contracts.`

export interface Way {
  key: Hex
  platform: string
  rpcUrl: string | undefined
  access: string | undefined
  host: string
  port: number
}

const DEFAULT_WHERE = '127.0.0.1:4020'

/** What it is to serve, and where; undefined if that cannot be read. */
export function wayOf(args: readonly string[], env: NodeJS.ProcessEnv): Way | 'help' | undefined {
  try {
    const options = { help: { type: 'boolean', short: 'h' }, port: { type: 'string', default: DEFAULT_WHERE } } as const
    const { values } = parseArgs({ args: [...args], options })
    if (values.help) return 'help'
    const [, ipv6, name, digits] = /^(?:(?:\[([\da-f:]+)\]|([^:]+)):)?(\d{1,5})$/i.exec(values.port) ?? []
    const key = env.RACKFAIR_KEY?.trim()
    if (digits === undefined || Number(digits) > 65_535 || !isHex(key) || key.length !== 66) return undefined
    const setting = (value: string | undefined) => value?.trim() || undefined
    return {
      ...{ key, platform: setting(env.RACKFAIR_PLATFORM) ?? 'http://127.0.0.1:3000' },
      ...{ rpcUrl: setting(env.RACKFAIR_RPC), access: setting(env.RACKFAIR_ACCESS) },
      ...{ host: ipv6 ?? name ?? '127.0.0.1', port: Number(digits) },
    }
  } catch {
    return undefined
  }
}
