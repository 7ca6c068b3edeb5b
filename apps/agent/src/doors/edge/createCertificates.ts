import { X509Certificate } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { writePrivate } from './writePrivate.ts'

const SWEEP_MS = 3_600_000
/** Authorities refuse a name for an hour that failed more often than five times in one. */
const RETRY_MS = 900_000
/** Issues at once: each is a few requests to the authority. */
const MAX_ISSUING = 4
const SUFFIX = '.pem'

interface Held {
  context: SecureContext
  /** When it has to be renewed, in Unix milliseconds: two thirds into its life, whatever that is. */
  renewAt: number
  endsAt: number
}
export type Certificates = ReturnType<typeof createCertificates>

/** Certificates of names that lead to this machine: issued for the first visitor, renewed in time. Their keys stay in `folder`. */
export function createCertificates(options: {
  folder: string
  /** Has an authority issue one: key and certificates in one text. */
  issue: (name: string) => Promise<string>
  /** Whether the name is one that this agent answers to now. */
  isOurs: (name: string) => boolean
  /** Unix milliseconds. */
  now?: () => number
  log: Log
}) {
  const { folder, isOurs, now = Date.now, log } = options
  const held = openHeld(folder, log)
  const issuing = new Map<string, Promise<SecureContext | undefined>>()
  const failedAt = new Map<string, number>()

  const issue = async (name: string): Promise<SecureContext> => {
    const context = held.put(name, await options.issue(name))
    log.info('a certificate was issued', { name })
    failedAt.delete(name)
    return context
  }
  const renew = (name: string): Promise<SecureContext | undefined> => {
    const before = issuing.get(name)
    if (before) return before
    if (issuing.size >= MAX_ISSUING || now() - (failedAt.get(name) ?? Number.NEGATIVE_INFINITY) < RETRY_MS)
      return Promise.resolve(undefined)
    const made = issue(name)
      .catch((error: unknown) => {
        failedAt.set(name, now())
        log.warn('no certificate was issued; this is tried again', { name, reason: reasonOf(error) })
        return undefined
      })
      .finally(() => issuing.delete(name))
    issuing.set(name, made)
    return made
  }
  const sweep = async (): Promise<void> => {
    for (const [name, failed] of failedAt) if (now() - failed >= RETRY_MS && !isOurs(name)) failedAt.delete(name)
    const due = held.all().filter(([, { renewAt }]) => now() >= renewAt)
    for (const [name, { endsAt }] of due)
      if (isOurs(name)) await renew(name)
      // Not before its end: after a restart nothing is ours until an edge has answered.
      else if (now() >= endsAt) held.remove(name)
  }
  let isSweeping = false
  const timer = setInterval(() => {
    if (isSweeping) return
    isSweeping = true
    sweep()
      .catch((error: unknown) => log.warn('certificates could not be renewed', { reason: reasonOf(error) }))
      .finally(() => (isSweeping = false))
  }, SWEEP_MS).unref()

  return {
    /** For a visitor of this name; issued now if there is none. Undefined for a name that is not ours, or has none yet. */
    async of(name: string): Promise<SecureContext | undefined> {
      if (!isOurs(name)) return undefined
      const own = held.get(name)
      if (!own || now() >= own.endsAt) return renew(name)
      if (now() >= own.renewAt) void renew(name)
      return own.context
    },
    /** Renews what has to be, one after the other; done every hour. */
    sweep,
    close: () => clearInterval(timer),
  }
}

/** The certificates in a folder. One that cannot be read is removed. */
function openHeld(folder: string, log: Log) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const held = new Map<string, Held>()
  const fileOf = (name: string) => join(folder, `${name}${SUFFIX}`)
  const read = (name: string, pem: string): SecureContext => {
    const { validFromDate, validToDate } = new X509Certificate(pem)
    const [from, to] = [validFromDate.getTime(), validToDate.getTime()]
    const context = createSecureContext({ key: pem, cert: pem })
    held.set(name, { context, renewAt: from + ((to - from) * 2) / 3, endsAt: to })
    return context
  }
  for (const file of readdirSync(folder)) {
    if (!file.endsWith(SUFFIX)) continue
    const name = file.slice(0, -SUFFIX.length)
    try {
      read(name, readFileSync(fileOf(name), 'utf8'))
    } catch (error) {
      log.warn('a certificate cannot be read and is requested again', { name, reason: reasonOf(error) })
      rmSync(fileOf(name))
    }
  }
  return {
    get: (name: string) => held.get(name),
    all: () => [...held],
    /** Key and certificates in one text. It is written before it is used: an authority gives few for the same name. */
    put(name: string, pem: string): SecureContext {
      writePrivate(fileOf(name), pem)
      return read(name, pem)
    },
    remove(name: string): void {
      held.delete(name)
      rmSync(fileOf(name), { force: true })
    },
  }
}
