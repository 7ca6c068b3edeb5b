import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { DeploymentWire } from '@rackfair/protocol/deployments'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { ChainNode, ChainOrder } from '../chain/read/chainView.ts'
import { diskFull } from '../foundation/diskFull.ts'
import { createValueCipher, loadValueKey, newValueKey } from './valueCipher.ts'

/** A verified request: what the order's user wants to run, until the next one. */
export interface Command {
  orderId: bigint
  deployId: number
  deploymentId: string
  user: LowerCaseAddress
  /** Timestamp of the signed text in Unix seconds; the next must be later. */
  time: number
  /** Settings of a preset, or the secret values of an own application; undefined if their key is lost. */
  env: Record<string, string> | undefined
  /** The specification of an own application, as signed. */
  app?: string | undefined
  /** Index of the order's network and of its port at the gateway. */
  slot: number
  /** Ids of its GPUs. */
  gpus: string[]
  /** The renter stopped it, and has not started it again. */
  stopped?: boolean | undefined
  /** True once the application of this deployment has answered. */
  hasRun: boolean
  /** Chain time in seconds at which the order's end was observed; undefined while it is live. */
  endedAt: number | undefined
}

/** What a request was: the hash of its text and, where it has a name, that of its wallet, and what it names. */
export interface UsedRequest {
  hash: string
  once?: { name: string; asked: string } | undefined
}

/** A command's order and its node, as read from the chain. */
export interface Snapshot {
  order: ChainOrder
  node: ChainNode
}

const MAX_REPORTED_DEPLOYMENTS = 50

const MIGRATIONS = [
  `CREATE TABLE command (
     orderId TEXT PRIMARY KEY, deployId INTEGER NOT NULL, deploymentId TEXT NOT NULL, user TEXT NOT NULL, time INTEGER NOT NULL,
     env TEXT NOT NULL, slot INTEGER NOT NULL, gpus TEXT NOT NULL, hasRun INTEGER NOT NULL DEFAULT 0, endedAt INTEGER) STRICT;
   CREATE TABLE deployment (id TEXT PRIMARY KEY, orderId TEXT NOT NULL, json TEXT NOT NULL, requestedAt INTEGER NOT NULL) STRICT;
   CREATE INDEX deploymentByOrder ON deployment (orderId, requestedAt);
   CREATE TABLE outbox (
     key TEXT PRIMARY KEY, orderId TEXT NOT NULL, call TEXT NOT NULL, state TEXT NOT NULL, nonce INTEGER, raw TEXT, hash TEXT,
     attempts INTEGER NOT NULL DEFAULT 0, error TEXT, updatedAt INTEGER NOT NULL) STRICT;
   CREATE TABLE fact (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`,
  'CREATE TABLE takenText (hash TEXT PRIMARY KEY, orderId TEXT NOT NULL, time INTEGER NOT NULL, deploymentId TEXT NOT NULL) STRICT',
  // endedAt is on the chain's clock; values that an older agent wrote by its own clock are re-read from the chain.
  'UPDATE command SET endedAt = NULL',
  "ALTER TABLE outbox ADD COLUMN cheaper TEXT NOT NULL DEFAULT '[]'",
  'ALTER TABLE command ADD COLUMN seen TEXT',
  `CREATE TABLE workspaceKey (
     orderId TEXT NOT NULL, key TEXT NOT NULL, wallet TEXT NOT NULL, issuedAt INTEGER NOT NULL, expiresAt INTEGER NOT NULL,
     usedAt INTEGER NOT NULL, revokedAt INTEGER, PRIMARY KEY (orderId, key)) STRICT`,
  'ALTER TABLE command ADD COLUMN app TEXT',
  `CREATE TABLE sshKey (
     orderId TEXT NOT NULL, fingerprint TEXT NOT NULL, type TEXT NOT NULL, line TEXT NOT NULL, comment TEXT NOT NULL, wallet TEXT NOT NULL,
     registeredBy TEXT NOT NULL, addedAt INTEGER NOT NULL, usedAt INTEGER, PRIMARY KEY (orderId, fingerprint)) STRICT`,
  'ALTER TABLE command ADD COLUMN stopped INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE takenText RENAME TO usedRequest; ALTER TABLE command RENAME COLUMN seen TO snapshot',
  // What runs until the deployment after it has its image.
  'CREATE TABLE earlierCommand AS SELECT * FROM command WHERE 0; CREATE UNIQUE INDEX earlierByOrder ON earlierCommand (orderId)',
  'CREATE TABLE toldApp (orderId TEXT PRIMARY KEY, app TEXT NOT NULL) STRICT',
  'CREATE TABLE ownDomain (domain TEXT PRIMARY KEY, orderId TEXT NOT NULL, addedAt INTEGER NOT NULL) STRICT',
  `ALTER TABLE usedRequest ADD COLUMN once TEXT; ALTER TABLE usedRequest ADD COLUMN asked TEXT;
   CREATE INDEX usedOnce ON usedRequest (orderId, once) WHERE once IS NOT NULL`,
]

type Cipher = ReturnType<typeof createValueCipher>

function migrate(db: DatabaseSync, cipher: Cipher): void {
  const version = (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
  for (let next = version; next < MIGRATIONS.length; next += 1)
    db.exec(`BEGIN; ${MIGRATIONS[next]}; PRAGMA user_version = ${next + 1}; COMMIT`)
  // Values that an earlier agent stored in plaintext.
  for (const { orderId, env } of db.prepare("SELECT orderId, env FROM command WHERE env LIKE '{%'").all())
    db.prepare('UPDATE command SET env = ? WHERE orderId = ?').run(
      cipher.seal(JSON.parse(String(env)) as Record<string, string>, String(orderId)),
      orderId as string,
    )
}

interface Statement {
  get(...values: SQLInputValue[]): unknown
  all(...values: SQLInputValue[]): unknown[]
  run(...values: SQLInputValue[]): unknown
}
type Prepare = (sql: string) => Statement

function prepareStatements(prepare: Prepare) {
  return {
    command: prepare('SELECT * FROM command WHERE orderId = ?'),
    commands: prepare('SELECT * FROM command'),
    putCommand: prepare(
      `INSERT INTO command (orderId, deployId, deploymentId, user, time, env, app, slot, gpus, stopped, hasRun, endedAt) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)
       ON CONFLICT (orderId) DO UPDATE SET deployId = excluded.deployId, deploymentId = excluded.deploymentId, user = excluded.user,
       time = excluded.time, env = excluded.env, app = excluded.app, slot = excluded.slot, gpus = excluded.gpus, stopped = excluded.stopped, hasRun = excluded.hasRun, endedAt = excluded.endedAt`,
    ),
    beside: prepare('SELECT slot, gpus FROM command WHERE orderId <> ?'),
    snapshots: prepare('SELECT snapshot FROM command WHERE snapshot IS NOT NULL'),
    saveSnapshot: prepare('UPDATE command SET snapshot = ?1 WHERE orderId = ?2 AND snapshot IS NOT ?1'),
    dropCommand: prepare('DELETE FROM command WHERE orderId = ?'),
    deployment: prepare('SELECT json FROM deployment WHERE id = ?'),
    deploymentsOf: prepare(
      `SELECT json FROM deployment WHERE orderId = ? ORDER BY requestedAt DESC, rowid DESC LIMIT ${MAX_REPORTED_DEPLOYMENTS}`,
    ),
    putDeployment: prepare(
      'INSERT INTO deployment (id, orderId, json, requestedAt) VALUES (?,?,?,?) ON CONFLICT (id) DO UPDATE SET json = excluded.json',
    ),
    forgetDeployments: prepare(
      `DELETE FROM deployment WHERE orderId = ?1 AND id <> ?2 AND rowid NOT IN
       (SELECT rowid FROM deployment WHERE orderId = ?1 ORDER BY requestedAt DESC, rowid DESC LIMIT ${MAX_REPORTED_DEPLOYMENTS})`,
    ),
    fact: prepare('SELECT value FROM fact WHERE key = ?'),
    putFact: prepare('INSERT INTO fact (key, value) VALUES (?,?) ON CONFLICT (key) DO UPDATE SET value = excluded.value'),
  }
}

/** The agent's own database: accepted commands, what it reported about them, transactions in flight. One file, safe against kill -9. */
export function openAgentDb(file: string) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000; PRAGMA secure_delete = ON')
  const cipher = createValueCipher(file === ':memory:' ? newValueKey() : loadValueKey(`${file}.key`))
  migrate(db, cipher)
  const prepare: Prepare = (sql) => {
    const statement = db.prepare(sql)
    return {
      get: (...values) => statement.get(...values),
      all: (...values) => statement.all(...values),
      run: (...values) => writing(() => statement.run(...values)),
    }
  }
  const statements = prepareStatements(prepare)
  const parse = (row: unknown) => (row === undefined ? undefined : (JSON.parse((row as { json: string }).json) as DeploymentWire))
  let writes = 0
  const write = (command: Command) => {
    writes += 1
    statements.putCommand.run(...columnsOf(command, cipher))
  }
  /** Writes a command that takes a slot and GPUs. */
  const allot = (command: Command) => {
    requireApart(command, statements.beside.all(String(command.orderId)))
    write(command)
  }
  const writeDeployment = (one: DeploymentWire) => {
    writes += 1
    statements.putDeployment.run(one.id, one.orderId, JSON.stringify(one), one.requestedAt)
  }
  const writeSnapshot = (snapshot: Snapshot) => statements.saveSnapshot.run(toText(snapshot), String(snapshot.order.id))
  const transaction = (work: () => void) => inTransaction(db, work)

  const earlier = earlierCommands({ prepare, read: (row) => toCommand(row, cipher), write: allot, transaction })
  const used = usedRequests(prepare)
  return {
    db,
    transaction,
    command: (orderId: bigint) => toCommand(statements.command.get(String(orderId)), cipher),
    commands: () => statements.commands.all().flatMap((row) => toCommand(row, cipher) ?? []),
    putCommand: write,
    dropCommand(orderId: bigint) {
      writes += 1
      statements.dropCommand.run(String(orderId))
      earlier.drop(orderId)
    },
    earlier: earlier.of,
    dropEarlier: earlier.drop,
    restoreEarlier: earlier.restore,
    /**
     * Accepts a verified request: from here on it survives a crash and cannot be replayed. A renter may ask again every few seconds, so of
     * the order's earlier deployments only those remain that its owner is shown. `before`: what becomes of the command before it.
     */
    accept(request: UsedRequest, command: Command, deployment: DeploymentWire, snapshot: Snapshot, before: Fate = 'drop') {
      transaction(() => {
        if (before === 'keep') earlier.keep(command.orderId)
        if (before === 'drop') earlier.drop(command.orderId)
        used.put(request, command)
        allot(command)
        writeSnapshot(snapshot)
        writeDeployment(deployment)
        statements.forgetDeployments.run(deployment.orderId, deployment.id)
      })
    },
    /** Last chain state of all commands' orders, used by an agent that starts while the chain is unreachable. */
    snapshots: () => statements.snapshots.all().map((row) => fromText((row as { snapshot: string }).snapshot) as Snapshot),
    saveSnapshot: writeSnapshot,
    ...used.read,
    /** The deployments of an order shown to its owner, newest first. */
    deploymentsOf: (orderId: bigint) => statements.deploymentsOf.all(String(orderId)).flatMap((row) => parse(row) ?? []),
    deployment: (id: string) => parse(statements.deployment.get(id)),
    putDeployment: writeDeployment,
    /** Changes after every write to a command or a deployment. */
    writes: () => writes,
    fact: (key: string) => (statements.fact.get(key) as { value: string } | undefined)?.value,
    putFact: (key: string, value: string) => statements.putFact.run(key, value),
    close: () => db.close(),
  }
}

/** What becomes of an earlier command when the next is accepted: the present one becomes it, it stays, or it is forgotten. */
export type Fate = 'keep' | 'leave' | 'drop'

/** What ran before the present command of an order, and goes on until that has its image. */
function earlierCommands(db: {
  prepare: Prepare
  read: (row: unknown) => Command | undefined
  write: (command: Command) => void
  transaction: (work: () => void) => void
}) {
  const find = db.prepare('SELECT * FROM earlierCommand WHERE orderId = ?')
  const copy = db.prepare('INSERT OR REPLACE INTO earlierCommand SELECT * FROM command WHERE orderId = ?')
  const remove = db.prepare('DELETE FROM earlierCommand WHERE orderId = ?')
  const of = (orderId: bigint) => db.read(find.get(String(orderId)))
  const drop = (orderId: bigint) => remove.run(String(orderId))
  return {
    /** Undefined if there is none, or none any more. */
    of,
    keep: (orderId: bigint) => copy.run(String(orderId)),
    drop,
    /** Makes the earlier command the present one again, and returns it; undefined if there is none. */
    restore(orderId: bigint): Command | undefined {
      const earlier = of(orderId)
      if (earlier)
        db.transaction(() => {
          db.write(earlier)
          drop(orderId)
        })
      return earlier
    },
  }
}

/** The requests that were accepted, so that none is accepted twice. */
function usedRequests(prepare: Prepare) {
  const find = prepare('SELECT 1 FROM usedRequest WHERE hash = ?')
  const findSame = prepare('SELECT json FROM usedRequest JOIN deployment ON deployment.id = deploymentId WHERE hash = ?')
  const insert = prepare('INSERT INTO usedRequest (hash, orderId, time, deploymentId, once, asked) VALUES (?,?,?,?,?,?)')
  const findNamed = prepare(
    `SELECT asked, json FROM usedRequest JOIN deployment ON deployment.id = deploymentId
     WHERE usedRequest.orderId = ? AND once = ?`,
  )
  const last = prepare('SELECT max(time) AS time FROM usedRequest WHERE orderId = ?')
  // A text of an order that is not later than its last one is refused for that, so the last one is enough, and those with a name.
  const forget = prepare(
    `DELETE FROM usedRequest WHERE time < ?
     AND time < ifnull((SELECT time FROM command WHERE command.orderId = usedRequest.orderId), usedRequest.time + 1)
     AND NOT (once IS NOT NULL AND EXISTS (SELECT 1 FROM command WHERE command.orderId = usedRequest.orderId)
              AND EXISTS (SELECT 1 FROM deployment WHERE deployment.id = usedRequest.deploymentId))`,
  )
  return {
    put: ({ hash, once }: UsedRequest, { orderId, time, deploymentId }: Command) =>
      insert.run(hash, String(orderId), time, deploymentId, once?.name ?? null, once?.asked ?? null),
    read: {
      wasAccepted: (textHash: string) => find.get(textHash) !== undefined,
      /** What became of an accepted request; undefined if it was none, or its deployment is forgotten. */
      acceptedAs(textHash: string): DeploymentWire | undefined {
        const row = findSame.get(textHash) as { json: string } | undefined
        return row && (JSON.parse(row.json) as DeploymentWire)
      },
      /** What an order was asked for under a name, and what became of it; undefined once that is no longer among its newest deployments. */
      named(orderId: bigint, name: string): { asked: string; deployment: DeploymentWire } | undefined {
        const row = findNamed.get(String(orderId), name) as { asked: string; json: string } | undefined
        return row && { asked: row.asked, deployment: JSON.parse(row.json) as DeploymentWire }
      },
      lastTime: (orderId: bigint) => (last.get(String(orderId)) as { time: number | null }).time ?? 0,
      forgetRequestsBefore: (time: number) => forget.run(time),
    },
  }
}
export type AgentDb = ReturnType<typeof openAgentDb>

const SQLITE_FULL = 13

/** Throws `disk_full` if the disk has no room for the write; previous data is untouched. */
function writing<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if ((cause as { errcode?: number }).errcode !== SQLITE_FULL) throw cause
    throw diskFull('the agent cannot record what it does', cause)
  }
}

/** The wall between tenants begins here: network, port and GPUs of an order are no other's. */
function requireApart({ orderId, slot, gpus }: Command, others: readonly unknown[]): void {
  for (const other of others as readonly { slot: number; gpus: string }[]) {
    assert(other.slot !== slot, `order ${orderId} would get the network of another order`)
    const taken = JSON.parse(other.gpus) as string[]
    assert(!gpus.some((gpu) => taken.includes(gpu)), `order ${orderId} would get a GPU of another order`)
  }
}

function inTransaction(db: DatabaseSync, work: () => void): void {
  writing(() => db.exec('BEGIN IMMEDIATE'))
  try {
    work()
    writing(() => db.exec('COMMIT'))
  } catch (error) {
    // On a full disk SQLite has already rolled back.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

const toText = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? { bigint: String(one) } : one))

const fromText = (text: string): unknown =>
  JSON.parse(text, (_, one) => (typeof one?.bigint === 'string' ? BigInt(one.bigint) : one))

/** In the order of `putCommand`. */
const columnsOf = (command: Command, cipher: Cipher): SQLInputValue[] => [
  String(command.orderId),
  command.deployId,
  command.deploymentId,
  command.user,
  command.time,
  command.env === undefined ? '' : cipher.seal(command.env, String(command.orderId)),
  command.app ?? null,
  command.slot,
  JSON.stringify(command.gpus),
  command.stopped ? 1 : 0,
  command.hasRun ? 1 : 0,
  command.endedAt ?? null,
]

function toCommand(row: unknown, cipher: Cipher): Command | undefined {
  if (row === undefined) return undefined
  const one = row as Record<string, string | number | null>
  return {
    orderId: BigInt(one.orderId as string),
    deployId: Number(one.deployId),
    deploymentId: String(one.deploymentId),
    user: String(one.user) as LowerCaseAddress,
    time: Number(one.time),
    env: cipher.open(String(one.env), String(one.orderId)),
    app: one.app === null ? undefined : String(one.app),
    slot: Number(one.slot),
    gpus: JSON.parse(String(one.gpus)) as string[],
    stopped: one.stopped === 1 ? true : undefined,
    hasRun: one.hasRun === 1,
    endedAt: one.endedAt === null ? undefined : Number(one.endedAt),
  }
}
