import { X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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

/** An authority did not issue one, after it has checked a name in vain as often as that. */
export class NotIssued extends Error {
  readonly checks: number
  constructor(message: string, checks: number) {
    super(message)
    this.checks = checks
  }
}

/**
 * Certificates of names that lead to this machine: issued for the first visitor, renewed in time. Their keys stay in `folder`. One for all
 * names below another is called `*.atlas.edge.example`.
 */
export function createCertificates(options: {
  folder: string
  /** Has an authority issue one: key and certificates in one text. */
  issue: (name: string) => Promise<string>
  /** Whether the name is one that this agent answers to now. */
  isOurs: (name: string) => boolean
  /** The one for all names beside this one, where it can be had. */
  wideOf?: (name: string) => string | undefined
  /** Unix milliseconds. */
  now?: () => number
  log: Log
}) {
  const { folder, isOurs, wideOf = () => undefined, now = Date.now, log } = options
  const held = openHeld(folder, log)
  const { renew, forgetFailures } = createRenewal({ ...options, now, put: held.put })
  const wanted = new Set<string>()
  const holds = (name: string): boolean => now() < (held.get(name)?.endsAt ?? 0)
  const sweep = async (): Promise<void> => {
    forgetFailures()
    for (const name of wanted) if (!held.get(name) && isOurs(name)) await renew(name)
    const due = held.all().filter(([, { renewAt }]) => now() >= renewAt)
    for (const [name, { endsAt }] of due) {
      const wide = wideOf(name)
      if (isOurs(name) && !(wide !== undefined && holds(wide))) await renew(name)
      // Not before its end: after a restart nothing is ours until an edge has answered.
      else if (now() >= endsAt) held.remove(name)
    }
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
      const wide = wideOf(name)
      const names = wide === undefined ? [name] : [wide, name]
      const renewFirst = async (): Promise<SecureContext | undefined> => {
        for (const one of names) {
          const made = await renew(one)
          if (made) return made
        }
        return undefined
      }
      for (const one of names) {
        const own = held.get(one)
        if (!own || now() >= own.endsAt) continue
        if (now() >= own.renewAt) void (one === wide ? renew(one) : renewFirst())
        return own.context
      }
      return renewFirst()
    },
    /** Issues one before anybody asks for it. */
    want(name: string): void {
      wanted.add(name)
      if (!held.get(name)) void renew(name)
    },
    /** Renews what has to be, one after the other; done every hour. */
    sweep,
    close: () => clearInterval(timer),
  }
}

/** Has certificates issued, each once at a time, and none too soon after it failed. */
function createRenewal(options: {
  issue: (name: string) => Promise<string>
  isOurs: (name: string) => boolean
  now: () => number
  put: (name: string, pem: string) => SecureContext
  log: Log
}) {
  const { isOurs, now, put, log } = options
  const issuing = new Map<string, Promise<SecureContext | undefined>>()
  /** When a name that failed may be asked for again. */
  const again = new Map<string, number>()
  const issue = async (name: string): Promise<SecureContext> => {
    const context = put(name, await options.issue(name))
    log.info('a certificate was issued', { name })
    again.delete(name)
    return context
  }
  return {
    renew(name: string): Promise<SecureContext | undefined> {
      const before = issuing.get(name)
      if (before) return before
      if (issuing.size >= MAX_ISSUING || now() < (again.get(name) ?? 0)) return Promise.resolve(undefined)
      const made = issue(name)
        .catch((error: unknown) => {
          again.set(name, now() + RETRY_MS * (error instanceof NotIssued ? error.checks : 1))
          log.warn('no certificate was issued; this is tried again', { name, reason: reasonOf(error) })
          return undefined
        })
        .finally(() => issuing.delete(name))
      issuing.set(name, made)
      return made
    },
    forgetFailures(): void {
      for (const [name, at] of again) if (now() >= at && !isOurs(name)) again.delete(name)
    },
  }
}

const fileOf = (folder: string, name: string): string => join(folder, `${name.replace('*', '_')}${SUFFIX}`)
const nameOf = (file: string): string => file.slice(0, -SUFFIX.length).replace(/^_\./, '*.')
const filesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(SUFFIX)) : []

/** The certificates that an agent keeps in a folder; those that cannot be read are left out. */
export function readCertificates(folder: string): { name: string; pem: string; beginsAt: Date; endsAt: Date }[] {
  return filesIn(folder).flatMap((file) => {
    try {
      const pem = readFileSync(join(folder, file), 'utf8')
      const { validFromDate: beginsAt, validToDate: endsAt } = new X509Certificate(pem)
      return [{ name: nameOf(file), pem, beginsAt, endsAt }]
    } catch {
      return []
    }
  })
}

/** The certificates in a folder. One that cannot be read is removed. */
function openHeld(folder: string, log: Log) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const held = new Map<string, Held>()
  const read = (name: string, pem: string): SecureContext => {
    const { validFromDate, validToDate } = new X509Certificate(pem)
    const [from, to] = [validFromDate.getTime(), validToDate.getTime()]
    const context = createSecureContext({ key: pem, cert: pem })
    held.set(name, { context, renewAt: from + ((to - from) * 2) / 3, endsAt: to })
    return context
  }
  for (const file of filesIn(folder)) {
    const name = nameOf(file)
    try {
      read(name, readFileSync(join(folder, file), 'utf8'))
    } catch (error) {
      log.warn('a certificate cannot be read and is requested again', { name, reason: reasonOf(error) })
      rmSync(join(folder, file))
    }
  }
  return {
    get: (name: string) => held.get(name),
    all: () => [...held],
    /** Key and certificates in one text. It is written before it is used: an authority gives few for the same name. */
    put(name: string, pem: string): SecureContext {
      writePrivate(fileOf(folder, name), pem)
      return read(name, pem)
    },
    remove(name: string): void {
      held.delete(name)
      rmSync(fileOf(folder, name), { force: true })
    },
  }
}
