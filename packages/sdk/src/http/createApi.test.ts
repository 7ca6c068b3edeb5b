import { createServer } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createApi } from './createApi.ts'

test('a refusal carries the platform’s code and facts, and is logged in the words of the specification', async () => {
  const log = vi.fn()
  const { baseUrl } = await setup(429, JSON.stringify({ code: 'rate_limited', message: 'slow down', facts: { seconds: 3 } }))
  await expect(createApi({ baseUrl, log }).global()).rejects.toMatchObject({
    code: 'rate_limited',
    message: 'slow down',
    facts: { status: 429, seconds: 3 },
    retryable: true,
  })
  expect(log).toHaveBeenCalledWith('HTTP error! status: 429')
})

test('an answer that is no JSON, as of a proxy in between, is a platform out of reach', async () => {
  const { baseUrl } = await setup(502, '<html>bad gateway</html>')
  await expect(createApi({ baseUrl }).presets()).rejects.toMatchObject({ code: 'platform_unreachable', retryable: true })
})

test('no answer at all is a platform out of reach, an abort is the caller’s own', async () => {
  await expect(createApi({ baseUrl: 'http://127.0.0.1:9' }).global()).rejects.toMatchObject({
    code: 'platform_unreachable',
    retryable: true,
  })
  const { baseUrl } = await setup(200, '{}')
  await expect(createApi({ baseUrl }).global({ signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
})

test('queries leave out what is not set and name the block of one’s own write', async () => {
  const { baseUrl, urls } = await setup(200, '{}')
  await createApi({ baseUrl }).nodes({ text: 'RTX & co', idle: true, gpu: '', sort: undefined }, { minBlock: 7n })
  expect(urls).toEqual(['/v1/nodes?text=RTX+%26+co&idle=true&minBlock=7'])
})

async function setup(status: number, body: string) {
  const urls: string[] = []
  const server = createServer((request, response) => {
    urls.push(request.url ?? '')
    response.writeHead(status).end(body)
  })
  const port = await new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  )
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${port}`, urls }
}
