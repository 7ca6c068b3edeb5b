import { createServer, type Server } from 'node:http'
import { hexToNumber, numberToHex } from 'viem'

export type Fault =
  | 'none'
  | 'stall'
  | 'cut'
  | 'drop'
  | 'head_ahead'
  | 'head_behind'
  | 'short_ranges'
  | 'no_logs_once'
  | 'one_log_less_once'

/** Blocks whose logs `short_ranges` answers at once. */
const SHORT_RANGE = 20

type Call = { method: string; id: number }
type Answer = { id: number; result?: unknown }

export interface FaultyRpc {
  url: string
  set(fault: Fault): void
  /** The current fault; one-time faults clear themselves. */
  fault(): Fault
  stop(): void
}

/** A proxy in front of a node that forwards everything, or misbehaves in one way. */
export async function faultyRpc(target: string): Promise<FaultyRpc> {
  let fault: Fault = 'none'
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    if (fault === 'stall') return
    if (fault === 'drop') {
      request.socket.destroy()
      return
    }
    const answer = await fetch(target, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(
      () => undefined,
    )
    if (!answer) {
      request.socket.destroy()
      return
    }
    let text = await answer.text()
    if (fault === 'cut') text = text.slice(0, text.length / 2)
    else if (fault !== 'none') text = JSON.stringify(bend(JSON.parse(body), JSON.parse(text)))
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  const bend = (calls: Call | Call[], answers: Answer | Answer[]): unknown => {
    if (Array.isArray(calls) && Array.isArray(answers)) {
      return answers.map((answer) => bend(calls.find((call) => call.id === answer.id) as Call, answer))
    }
    const call = calls as Call & { params?: unknown[] }
    const answer = answers as Answer
    const block = answer.result as { number: `0x${string}` }
    const isHead = call.method === 'eth_getBlockByNumber' && call.params?.[0] === 'latest'
    if (isHead && fault === 'head_ahead')
      return { ...answer, result: { ...block, number: numberToHex(hexToNumber(block.number) + 40) } }
    if (isHead && fault === 'head_behind')
      return { ...answer, result: { ...block, number: numberToHex(hexToNumber(block.number) - 20) } }
    if (call.method === 'eth_getLogs' && fault === 'short_ranges') {
      const [{ fromBlock, toBlock }] = call.params as [{ fromBlock: `0x${string}`; toBlock: `0x${string}` }]
      const isLong = hexToNumber(toBlock) - hexToNumber(fromBlock) >= SHORT_RANGE
      return isLong ? { id: answer.id, error: { code: -32005, message: 'query returned more than 10000 results' } } : answer
    }
    if (call.method === 'eth_getLogs' && fault === 'no_logs_once') {
      fault = 'none'
      return { ...answer, result: [] }
    }
    if (call.method === 'eth_getLogs' && fault === 'one_log_less_once' && (answer.result as unknown[]).length > 1) {
      fault = 'none'
      return { ...answer, result: (answer.result as unknown[]).slice(0, -1) }
    }
    return answer
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    set: (next) => {
      fault = next
      if (next !== 'stall') server.closeAllConnections()
    },
    fault: () => fault,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
