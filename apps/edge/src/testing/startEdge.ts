import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePortRow } from '@rackfair/testkit'
import { pino } from 'pino'
import { verifyMessage } from 'viem'
import { loadCertificate } from '../certificate.ts'
import { createEdge, type EdgeOptions } from '../createEdge.ts'
import { createMetrics } from '../createMetrics.ts'
import { NO_RULES } from '../edgeRules.ts'
import { openBook } from '../openBook.ts'

export const ZONE = 'edge.test'
export const CHAIN = 2985
const RAW_PORTS = 12

/** An edge on free ports of this machine. By default every account is a provider that signs for itself. */
export async function startEdge(options: Partial<EdgeOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-edge-'))
  const clock = { offset: 0 }
  const firstRaw = await freePortRow(RAW_PORTS)
  const rawPorts = [firstRaw, firstRaw + RAW_PORTS - 1] as const
  const book = openBook(join(folder, 'providers.sqlite'), {
    rawPorts,
    now: () => Math.floor(Date.now() / 1000) + clock.offset,
  })
  const certificate = await loadCertificate(folder, ZONE)
  const metrics = createMetrics()
  const edge = await createEdge({
    ...{ host: '127.0.0.1', ports: { control: 0, dial: 0, tls: 0, plain: 0 }, zone: ZONE, rules: NO_RULES, book, chainId: CHAIN },
    ...{ certificate, metrics, log: pino({ level: 'silent' }) },
    isSigned: ({ provider, text, signature }) => verifyMessage({ address: provider, message: text, signature }),
    ...options,
  })
  return {
    ...{ edge, ports: edge.ports, book, clock, folder, certificate, rawPorts },
    async metric(name: string): Promise<number> {
      const line = (await metrics.text()).split('\n').find((one) => one.startsWith(`${name} `))
      return Number(line?.slice(name.length + 1) ?? Number.NaN)
    },
    async close(afterMs = 0) {
      await edge.close(afterMs)
      book.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
export type StartedEdge = Awaited<ReturnType<typeof startEdge>>
