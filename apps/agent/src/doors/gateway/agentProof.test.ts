import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { directArrival, noteArrival } from '../../foundation/arrival.ts'
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

it('tells networks apart behind a TLS proxy', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const prove = createAgentProof({ account, chainId: 2985, provider: account.address })
  const ask = async (visitor: string) => {
    let status = 0
    const response = { writeHead: (code: number) => (status = code), end: () => {} } as unknown as ServerResponse
    const query = new URLSearchParams({ challenge: 'ab'.repeat(32) })
    const socket = { remoteAddress: '127.0.0.1' } as Socket
    noteArrival(socket, directArrival(socket, true))
    const request = { socket, headers: { 'x-forwarded-for': `1.2.3.4, ${visitor}` } }
    await prove(request as unknown as IncomingMessage, response, query)
    return status
  }
  const flood = await Promise.all(Array.from({ length: 12 }, () => ask('203.0.113.9')))
  expect(flood).toEqual([...Array(10).fill(200), 429, 429])
  expect(await ask('198.51.100.7')).toBe(200)
})
