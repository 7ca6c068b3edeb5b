import { createApi } from '@rackfair/sdk/http'
import { forgetBlock, knownBlock } from './knownBlock.ts'
import { readWithin } from './readWithin.ts'
import { sessionToken } from './sessionToken.ts'

/** Of one read; the platform itself takes five seconds of it where it waits for a block. */
const READ_MS = 20_000
const ask = readWithin(READ_MS)

/** The platform's HTTP API. Reads wait for the block of this page's own last transaction, so one's own write is always visible. */
export const api = createApi({
  ...{ baseUrl: '', fetch: fetchAfterOwnWrites, session: sessionToken },
  log: (line) => console.error(line),
})

async function fetchAfterOwnWrites(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const read = (init?.method ?? 'GET').toUpperCase() === 'GET'
  const block = knownBlock()
  const answer = await ask(read && block > 0 && typeof input === 'string' ? withMinBlock(input, block) : input, init)
  const indexed = Number(answer.headers.get('x-rackfair-block'))
  if (indexed > 0) forgetBlock(indexed)
  return answer
}

function withMinBlock(url: string, block: number): string {
  return `${url}${url.includes('?') ? '&' : '?'}minBlock=${block}`
}
