import { Worker } from 'node:worker_threads'
import type { FromWorker, PageOrder, ToWorker } from './worker.ts'

/** Timeout for rendering a page. */
const MAX_MS = 10_000
const MAX_MEMORY_MB = 192

/**
 * Renders public pages in a thread of its own, so that no response is delayed. Starts with the first page and restarts after a failure.
 * `read` answers a GET of the platform.
 */
export class PageRenderer {
  private worker: Worker | undefined
  private readonly waiting = new Map<number, PromiseWithResolvers<string>>()
  private count = 0
  private readonly folder: string
  private readonly read: (url: string) => Promise<{ status: number; body: string }>

  /** @param folder `.server` of the web app's build. */
  constructor(folder: string, read: (url: string) => Promise<{ status: number; body: string }>) {
    this.folder = folder
    this.read = read
  }

  async draw(order: PageOrder): Promise<string> {
    const worker = this.worker ?? this.start()
    this.count += 1
    const id = this.count
    const page = Promise.withResolvers<string>()
    this.waiting.set(id, page)
    const late = setTimeout(() => this.end(worker, new Error(`${order.path} takes longer than ${MAX_MS} ms`)), MAX_MS)
    worker.postMessage({ type: 'draw', id, order } satisfies ToWorker)
    try {
      return await page.promise
    } finally {
      clearTimeout(late)
      this.waiting.delete(id)
    }
  }

  async close(): Promise<void> {
    if (this.worker) await this.end(this.worker, new Error('the platform stops'))
  }

  private start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: this.folder,
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    })
    this.worker = worker
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'drawn') this.waiting.get(message.id)?.resolve(message.html)
      else if (message.type === 'failed') this.waiting.get(message.id)?.reject(new Error(message.reason))
      else void this.answer(worker, message)
    })
    worker.on('error', (error) => void this.end(worker, error instanceof Error ? error : new Error(String(error))))
    return worker
  }

  private async answer(worker: Worker, { id, url }: { id: number; url: string }): Promise<void> {
    const { status, body } = await this.read(url).catch(() => ({ status: 503, body: '{}' }))
    worker.postMessage({ type: 'answer', id, status, body } satisfies ToWorker)
  }

  private async end(worker: Worker, reason: Error): Promise<void> {
    if (this.worker === worker) {
      this.worker = undefined
      for (const page of this.waiting.values()) page.reject(reason)
    }
    await worker.terminate()
  }
}
