import { setTimeout as wait } from 'node:timers/promises'
import type { ImageReference } from '@rackfair/app-spec/imageReference'
import { AppError } from '@rackfair/rules/errors/AppError'
import { saysDiskFull } from '../../foundation/diskFull.ts'
import type { BlobFile, Part } from './blobFile.ts'
import type { RegistryClient } from './createRegistryClient.ts'
import type { RegistryAccount, Session } from './createRegistryRequests.ts'

const TRIES = 5
/** Whoever gets at least this far has not failed: storage ends a connection when its signed address expires. */
const STRIDE_BYTES = 2 ** 20

export interface PartFetch {
  registry: RegistryClient
  image: ImageReference
  session: Session
  account?: RegistryAccount | undefined
  digest: string
  file: BlobFile
  part: Part
  times: { retryMs: number }
  /** Of the first request for a blob: called if the registry gives parts, so that the others may be asked for; else all of it comes here. */
  onParts?: () => void
  /** Of what came, and of what has to come again, below 0. */
  onBytes: (bytes: number) => void
  signal: AbortSignal
}

/** Fetches a part of a blob, resuming at the byte where a try ended. Throws when several in a row got nowhere. */
export async function fetchPart(fetch: PartFetch): Promise<void> {
  const { image, file, times, signal } = fetch
  const run = { part: fetch.part, isTold: fetch.onParts === undefined }
  for (let failed = 0; ; ) {
    signal.throwIfAborted()
    const before = run.part.at
    try {
      await tryPart(fetch, run)
      return
    } catch (cause) {
      signal.throwIfAborted()
      if (saysDiskFull(String(cause)) || (cause instanceof AppError && !cause.retryable)) throw cause
      failed = run.part.at - before >= STRIDE_BYTES ? 1 : failed + 1
      if (failed >= TRIES)
        throw cause instanceof AppError
          ? cause
          : new AppError('registry_unreachable', `${image.registry} ended the connection before all of the image was here`, {
              ...{ cause, retryable: true },
            })
      file.note()
      await wait(times.retryMs * failed, undefined, { signal })
    }
  }
}

async function tryPart(fetch: PartFetch, run: { part: Part; isTold: boolean }): Promise<void> {
  const { registry, image, session, account, digest, file, onParts, onBytes, signal } = fetch
  const { at, to } = run.part
  const range = { from: at, to, size: file.size }
  const { body, isPart } = await registry.blob(image, digest, range, session, account, signal)
  try {
    if (!isPart) {
      if (file.parts.length > 1 && run.isTold) throw new Error('it gives parts of a layer no more')
      onBytes(-file.bytes())
      run.part = file.restart()
    } else if (!run.isTold) onParts?.()
    run.isTold = true
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (run.part.at + chunk.length > run.part.to)
        throw new AppError('registry_unreachable', `${image.registry} sends more than it said`)
      await file.write(run.part, chunk)
      onBytes(chunk.length)
    }
  } finally {
    body.destroy()
  }
  if (run.part.at < run.part.to) throw new Error('the connection ended')
}
