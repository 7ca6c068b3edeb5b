import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { formatCredit } from '@rackfair/rules/money'
import { createApi, searchNodes } from '@rackfair/sdk'

/** Prints what a machine costs a month whenever that changes: `node watchPrice.ts 0x…/1`. Ends with the stream. */
const platform = process.env.RACKFAIR_PLATFORM ?? 'http://127.0.0.1:3000'
const [provider = '', nodeId = '1'] = process.argv[2]?.split('/') ?? []
const api = createApi({ baseUrl: platform })
let shown = ''

const { body } = await fetch(`${platform}/v1/events?topics=node`)
await show()
// An event says what changed, not how; `reset` says that events were missed.
for await (const line of createInterface({ input: Readable.fromWeb(body as ReadableStream) }))
  if (/^event: (node|reset)$/.test(line)) await show()

async function show(): Promise<void> {
  const { nodes } = await searchNodes({ api }, { provider })
  const node = nodes.find((one) => one.nodeId === Number(nodeId))
  const price = node ? `${formatCredit(node.ratePerMonthWei)} USD a month` : 'not listed'
  if (price !== shown) console.log(price)
  shown = price
}
