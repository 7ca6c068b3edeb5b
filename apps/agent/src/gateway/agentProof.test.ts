import type { IncomingMessage, ServerResponse } from 'node:http'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { createAgentProof } from './agentProof.ts'

it('limits a network to ten challenges at once, whichever of its addresses they come from', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const prove = createAgentProof({ account, chainId: 2985, provider: account.address })
  const ask = async (remoteAddress: string) => {
    let status = 0
    const response = { writeHead: (code: number) => (status = code), end: () => {} } as unknown as ServerResponse
    const query = new URLSearchParams({ challenge: 'ab'.repeat(32) })
    await prove({ socket: { remoteAddress } } as unknown as IncomingMessage, response, query)
    return status
  }
  const answers = await Promise.all(Array.from({ length: 12 }, (_, host) => ask(`2001:db8::${host}`)))
  expect(answers).toEqual([...Array(10).fill(200), 429, 429])
  expect(await ask('2001:db8:0:1::1')).toBe(200)
})
