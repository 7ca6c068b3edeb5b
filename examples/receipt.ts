import { connectMarket } from '@rackfair/sdk'
import { verifyReceipt } from '@rackfair/sdk/receipt'

/**
 * Recomputes the receipt of an order from the chain: `node receipt.ts 12`. Whoever does not believe the platform names the chain and the
 * contract Access too: `RPC_URL` and `ACCESS`.
 */
const { RACKFAIR_PLATFORM: platform = 'http://127.0.0.1:3000', RPC_URL: rpcUrl, ACCESS: access } = process.env
const { api, client, addresses } = await connectMarket({ platform, rpcUrl, access: access as `0x${string}` | undefined })

const id = process.argv[2] ?? '1'
const { agrees, checks } = await verifyReceipt(client, addresses.access, await api.receipt(id), await api.orderEvidence(id))
for (const { part, compared, differences } of checks) console.log(`${part}: ${compared} figures, ${differences.length} differ`)
console.log(agrees ? 'every second and every wei follows from the chain' : 'the receipt is wrong')
process.exitCode = agrees ? 0 : 1
