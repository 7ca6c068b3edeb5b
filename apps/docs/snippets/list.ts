import { formatCredit } from '@rackfair/rules/money'
import { createApi, searchNodes } from '@rackfair/sdk'

const api = createApi({ baseUrl: process.env.PLATFORM ?? 'http://127.0.0.1:3000' })

const page = await searchNodes({ api }, { idle: true, limit: 20 })
for (const { name, cpu, gpu, ratePerMonthWei } of page.nodes) {
  console.log(`${name}: ${cpu.count} CPU, ${gpu.count} GPU, ${formatCredit(ratePerMonthWei)} USD a month`)
}
console.log(`${page.total} nodes, as of block ${page.block}`)
