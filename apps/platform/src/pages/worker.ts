import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'

/** Renders pages with the renderer of the web app's build, one at a time. Its reads are answered by the platform itself. */
export interface PageOrder {
  path: string
  locale: 'en' | 'zh'
  html: string
}
export type ToWorker =
  | { type: 'draw'; id: number; order: PageOrder }
  | { type: 'answer'; id: number; status: number; body: string }
export type FromWorker =
  | { type: 'drawn'; id: number; html: string }
  | { type: 'failed'; id: number; reason: string }
  | { type: 'read'; id: number; url: string }

const port = parentPort
if (!port) throw new Error('this file runs as a worker')
const post = (message: FromWorker) => port.postMessage(message)
const reads = new Map<number, (answer: Response) => void>()
let count = 0

globalThis.fetch = (input) =>
  new Promise((resolve) => {
    count += 1
    reads.set(count, resolve)
    post({ type: 'read', id: count, url: String(input) })
  })

type Render = (order: PageOrder & { complete: true }) => Promise<string>
const { renderPage } = (await import(pathToFileURL(join(String(workerData), 'render.mjs')).href)) as { renderPage: Render }
let turn: Promise<unknown> = Promise.resolve()

port.on('message', (message: ToWorker) => {
  if (message.type === 'answer') {
    const { id, status, body } = message
    reads.get(id)?.(new Response(body, { status, headers: { 'content-type': 'application/json' } }))
    reads.delete(id)
    return
  }
  const { id, order } = message
  turn = turn
    .then(() => renderPage({ ...order, complete: true }))
    .then(
      (html) => post({ type: 'drawn', id, html }),
      (error: unknown) => post({ type: 'failed', id, reason: reasonOf(error) }),
    )
})

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`
}
