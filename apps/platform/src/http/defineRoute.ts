import type { HttpBindings } from '@hono/node-server'
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import { errorWire } from '@rackfair/protocol/error'
import type { Shape as Answer } from '@rackfair/protocol/shape'
import { zodOf } from '@rackfair/protocol/zodOf'
import type { Context } from 'hono'

export type Env = { Bindings: HttpBindings }
export type App = OpenAPIHono<Env>
export type Call = Context<Env>

type Shape = z.ZodType
export interface RouteShape<Params extends Shape, Query extends Shape, Headers extends Shape, Body extends Shape> {
  method: 'get' | 'post'
  path: string
  /** The operation name in generated clients. */
  id: string
  summary: string
  tag: string
  params?: Params
  query?: Query
  headers?: Headers
  body?: Body
  status?: number
  /** The declaration or the schema of a JSON answer, or the media type of any other. */
  answer: Answer<unknown, unknown> | Shape | 'text/csv' | 'text/event-stream' | 'text/plain' | 'application/octet-stream'
}

/** The validated input of a handler: only what its schemas accept. */
export interface Input<Params extends Shape, Query extends Shape, Headers extends Shape, Body extends Shape> {
  params: z.output<Params>
  query: z.output<Query>
  headers: z.output<Headers>
  body: z.output<Body>
}

const error = (description: string) => ({ description, content: { 'application/json': { schema: errorWire } } })

/** Adds a route with its entry in the OpenAPI document, so that the description matches what is served. */
export function defineRoute<
  Params extends Shape = z.ZodUndefined,
  Query extends Shape = z.ZodUndefined,
  Headers extends Shape = z.ZodUndefined,
  Body extends Shape = z.ZodUndefined,
>(
  app: App,
  shape: RouteShape<Params, Query, Headers, Body>,
  handle: (call: Call, input: Input<Params, Query, Headers, Body>) => Response | Promise<Response>,
): void {
  const type = typeof shape.answer === 'string' ? shape.answer : 'application/json'
  const schema = typeof shape.answer === 'string' ? z.string() : 'form' in shape.answer ? zodOf(shape.answer) : shape.answer
  const route = createRoute({
    method: shape.method,
    path: shape.path,
    operationId: shape.id,
    summary: shape.summary,
    tags: [shape.tag],
    request: {
      ...({ params: shape.params, query: shape.query, headers: shape.headers } as object),
      ...(shape.body ? { body: { content: { 'application/json': { schema: shape.body } }, required: true } } : {}),
    },
    responses: {
      [shape.status ?? 200]: { description: shape.summary, content: { [type]: { schema } } },
      '4XX': error('Refused: the code says why'),
      503: error('Not ready, or the faucet or an agent cannot be reached'),
    },
  })
  const run = (call: Call) => {
    const valid = (given: Shape | undefined, target: 'param' | 'query' | 'header' | 'json'): unknown =>
      given && call.req.valid(target as never)
    return handle(call, {
      params: valid(shape.params, 'param'),
      query: valid(shape.query, 'query'),
      headers: valid(shape.headers, 'header'),
      body: valid(shape.body, 'json'),
    } as Input<Params, Query, Headers, Body>)
  }
  app.openapi(route, run as never)
}
