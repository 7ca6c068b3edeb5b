import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import SwaggerParser from '@apidevtools/swagger-parser'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import openapiTypes, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { CLIENT } from './openapi/client.ts'
import { type Market, startMarket } from './startMarket.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const TSC = join(ROOT, 'node_modules', '.bin', 'tsc')

type Operations = Record<
  string,
  Record<string, { operationId: string; responses: Record<string, { content: Record<string, { schema: object }> }> }>
>
type Document = OpenAPI3 & { paths: Operations; components: { schemas: Record<string, object> } }

let market: Market
let document: Document
beforeAll(async () => {
  market = await startMarket()
  await market.act.becomeProvider()
  const { id, block } = await market.act.buy()
  await market.get(`/v1/orders/${id}?minBlock=${block}`)
  document = (await market.get<Document>('/openapi.json')).body
})
afterAll(() => market.stop())

it('is valid, and lints cleanly except for the one specified path with a trailing slash', async () => {
  await SwaggerParser.validate(structuredClone(document) as never)
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  const said = problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
  expect(said).toEqual(['no-path-trailing-slash: `/v1/global/` should not have a trailing slash.'])
})

it('names every operation and every object type', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const names = operations.map(({ operationId }) => operationId)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain('searchNodes')
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['Node', 'Order', 'Deployment', 'Error']))
  const unnamed = operations.filter(({ responses }) => {
    const schema = JSON.stringify(Object.values(responses)[0]?.content?.['application/json']?.schema ?? { $ref: '' })
    return schema.length > 400
  })
  expect(unnamed.map(({ operationId }) => operationId)).toEqual([])
})

it('generates a typed client that compiles, and whose every call is served', async () => {
  const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url))
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'client-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'api.ts'), astToString(await openapiTypes(structuredClone(document))))
  const file = join(folder, 'client.ts')
  writeFileSync(file, CLIENT)
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--allowImportingTsExtensions',
    '--types',
    '',
  ]
  // Not a synchronous call: the server, of this process, would close its idle connections while the next request leaves on one.
  await promisify(execFile)(TSC, [...options, file])
  const { everyCall } = (await import(pathToFileURL(file).href)) as {
    everyCall: (baseUrl: string, facts: object) => Record<string, Promise<{ response: Response }>>
  }
  const { provider, user } = market.chain.accounts
  const calls = everyCall(market.platform.url, { cp: provider.address, user: user.address, order: '1' })
  const statuses = await Promise.all(
    Object.entries(calls).map(async ([name, call]) => [name, (await call).response.status] as const),
  )
  const failed = statuses.filter(([, status]) => status >= 500 || status === 405)
  expect(failed).toEqual([])
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
  expect(statuses.map(([name]) => name).sort()).toEqual(all.sort())
})
