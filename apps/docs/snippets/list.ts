import { formatCredit } from '@rackfair/core'
import { createApi } from '@rackfair/sdk/http'

const api = createApi({ baseUrl: process.env.PLATFORM ?? 'http://127.0.0.1:3000' })

const page = await api.nodes({ idle: 'true', sort: 'price', limit: 20 })
for (const node of page.items) {
  console.log(
    `${node.nodename}: ${node.cpu.num} CPU, ${node.gpu.num} GPU, ${formatCredit(BigInt(node.ratePerMonth))} USD a month`,
  )
}
console.log(`${page.total} nodes, as of block ${page.block}`)
