import { z } from '@hono/zod-openapi'
import { hardwareRecord } from '@rackfair/hardware/record'
import { reliabilityAnswer } from '@rackfair/protocol/reliability'
import { idString } from '@rackfair/protocol/scalars'
import { monitorsAnswer, orderEvidenceAnswer } from '@rackfair/protocol/uptime'
import { resultOf } from '../../uptime/Hardware.ts'
import { reliabilityAnswerOf, votesOf } from '../../uptime/reliabilityAnswerOf.ts'
import type { AppContext } from '../AppContext.ts'
import { addressParam } from '../addressParam.ts'
import { type App, defineRoute } from '../defineRoute.ts'
import { notFound } from '../notFound.ts'
import { readQuery } from '../readQuery.ts'
import { respond } from '../respond.ts'

const tag = 'uptime'
const MAX_MONITORS = 1_000

const topics = ['order', 'market'] as const
const blockOf = ({ feed }: AppContext) => Math.max(0, feed.position.block)

/** What monitors observed, and what is derived from it. */
export function uptimeRoutes(app: App, context: AppContext): void {
  nodeUptimeRoutes(app, context)
  providerReliabilityRoute(app, context)
  evidenceRoute(app, context)
  monitorsRoute(app, context)
}

function nodeUptimeRoutes(app: App, context: AppContext): void {
  const { db, feed, nodeIndex } = context

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/nodes/{cp}/{id}/reliability',
      id: 'getNodeReliability',
      summary: 'How reliable a node is, with every outage that this rests on',
      tag,
      params: z.object({ cp: addressParam, id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
      query: readQuery,
      answer: reliabilityAnswer,
    },
    (call, { params: { cp, id } }) =>
      respond(call, context, topics, async () => {
        if (!nodeIndex.node(cp, id)) notFound(`node ${id} of ${cp}`)
        const answer = await reliabilityAnswerOf(db, context.reliability.calendar, feed.position.blockTime, cp, id)
        return { value: { ...answer, block: blockOf(context) } }
      }),
  )

  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/nodes/{cp}/{id}/hardware',
      id: 'getNodeHardware',
      summary: 'What monitors measured of a node, each result with its signature',
      tag,
      params: z.object({ cp: addressParam, id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
      query: readQuery,
      answer: hardwareRecord,
    },
    (call, { params: { cp, id } }) =>
      respond(call, context, topics, async () => {
        const node = nodeIndex.node(cp, id)
        if (!node) notFound(`node ${id} of ${cp}`)
        const rows = await context.hardware.rowsOf(cp, id)
        const results = rows.map((row) => ({ ...resultOf(row), counts: row.drawn.split(',').includes(row.monitor) }))
        const verification = context.hardware.agreedOn(rows, node.rev) ?? null
        return { value: { verification, results, block: blockOf(context) } }
      }),
  )
}

function providerReliabilityRoute(app: App, context: AppContext): void {
  const { db, feed, nodeIndex } = context
  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/cp/{address}/reliability',
      id: 'getProviderReliability',
      summary: 'How reliable the nodes of a provider are together',
      tag,
      params: z.object({ address: addressParam }),
      query: readQuery,
      answer: reliabilityAnswer,
    },
    (call, { params: { address } }) =>
      respond(call, context, topics, async () => {
        if (!nodeIndex.providerRow(address)) notFound(`provider ${address}`)
        const answer = await reliabilityAnswerOf(db, context.reliability.calendar, feed.position.blockTime, address)
        return { value: { ...answer, block: blockOf(context) } }
      }),
  )
}

function evidenceRoute(app: App, context: AppContext): void {
  const { db } = context
  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/orders/{id}/evidence',
      id: 'getOrderEvidence',
      summary: 'What every monitor reported of an order, with the way to its root on the chain',
      tag,
      params: z.object({ id: idString }),
      query: readQuery,
      answer: orderEvidenceAnswer,
    },
    (call, { params: { id } }) =>
      respond(call, context, topics, async () => {
        const known = BigInt(id) < 2n ** 63n
        const row = known && (await db.selectFrom('order').select('id').where('id', '=', BigInt(id)).executeTakeFirst())
        if (!row) notFound(`order ${id}`)
        const periods = Map.groupBy(await votesOf(db, id), ({ period }) => period)
        return {
          value: {
            orderId: id,
            periods: [...periods].map(([period, votes]) => ({
              period,
              votes: votes.map(({ monitor, observed, down, proof }) => ({
                ...{ monitor, observed, down, proof: JSON.parse(proof) as string[] },
              })),
            })),
            block: blockOf(context),
          },
        }
      }),
  )
}

function monitorsRoute(app: App, context: AppContext): void {
  const { db } = context
  defineRoute(
    app,
    {
      method: 'get',
      path: '/v1/monitors',
      id: 'listMonitors',
      summary: 'Who watches this market, and what each reported',
      tag,
      query: readQuery,
      answer: monitorsAnswer,
    },
    (call) =>
      respond(call, context, ['block'], async () => {
        const rows = await db
          .selectFrom('monitor')
          .leftJoin('monitorReport as report', (join) =>
            join.onRef('report.monitor', '=', 'monitor.address').on('report.root', '<>', ''),
          )
          .select(['address', 'bond', 'joinedAt', 'leftAt', 'slashedAt'])
          .select(({ fn }) => [fn.count<number>('report.period').as('periods'), fn.max('report.period').as('lastPeriod')])
          .groupBy(['address', 'bond', 'joinedAt', 'leftAt', 'slashedAt'])
          .orderBy('joinedAt')
          .limit(MAX_MONITORS)
          .execute()
        const monitors = rows.map((row) => ({ ...row, periods: Number(row.periods), lastPeriod: row.lastPeriod ?? null }))
        return { value: { monitors, block: blockOf(context) } }
      }),
  )
}
