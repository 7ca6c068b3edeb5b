import { expect, it } from 'vitest'
import { startAnvil } from './startAnvil.ts'

it('starts a chain that returns its id', async () => {
  const anvil = await startAnvil()
  const answer = await fetch(anvil.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
  })
  expect(await answer.json()).toMatchObject({ result: '0xba9' })
  await anvil.stop()
})
