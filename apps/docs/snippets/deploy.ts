import { formatDeployText, PRESET_IDS } from '@rackfair/core'
import { createApi, getOrder } from '@rackfair/sdk'
import { account, addresses, reader } from './connect.ts'

const orderId = BigInt(process.argv[2] ?? 1)
const api = createApi({ baseUrl: process.env.PLATFORM ?? 'http://127.0.0.1:3000' })

const order = await getOrder(reader, addresses, orderId)
const text = formatDeployText({
  orderId,
  deployId: PRESET_IDS.nginx,
  time: Math.floor(Date.now() / 1000),
  wallet: account.address,
  provider: order.provider,
  chainId: await reader.getChainId(),
})
let deployment = await api.deploy({ text, signature: await account.signMessage({ message: text }) })
while (!['Running', 'Failed', 'Closed'].includes(deployment.phase)) {
  console.log(deployment.phase)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  deployment = await api.deployment(deployment.id)
}
console.log(deployment.phase, deployment.visitUrl ?? '')
