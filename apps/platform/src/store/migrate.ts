import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { alertPurse } from './migrations/alertPurse.ts'
import { alertTables } from './migrations/alertTables.ts'
import { chainTables } from './migrations/chainTables.ts'
import { deploymentNames } from './migrations/deploymentNames.ts'
import { deployTime } from './migrations/deployTime.ts'
import { detailsColumn } from './migrations/detailsColumn.ts'
import { hardwareTables } from './migrations/hardwareTables.ts'
import { lockedPledges } from './migrations/lockedPledges.ts'
import { machineColumn } from './migrations/machineColumn.ts'
import { maintenanceTable } from './migrations/maintenanceTable.ts'
import { minTerm } from './migrations/minTerm.ts'
import { ownTables } from './migrations/ownTables.ts'
import { pledgeTables } from './migrations/pledgeTables.ts'
import { presenceTables } from './migrations/presenceTables.ts'
import { reportColumns } from './migrations/reportColumns.ts'
import { uptimeTables } from './migrations/uptimeTables.ts'
import { workspaceTables } from './migrations/workspaceTables.ts'
import type { Tables } from './tables.ts'

/** Migrates the tables. Forward only: a released step is never edited. */
export async function migrate(db: Kysely<Tables>, kind: 'sqlite' | 'postgres'): Promise<void> {
  const steps: Record<string, Migration> = {
    '001_chain': chainTables(kind),
    '002_own': ownTables(),
    '003_pledge': pledgeTables(kind),
    '004_presence': presenceTables(),
    '005_details': detailsColumn(),
    '006_deploy_time': deployTime(),
    '007_workspace': workspaceTables(),
    '008_locked': lockedPledges(kind),
    '009_machine': machineColumn(),
    '010_reports': reportColumns(kind),
    '011_uptime': uptimeTables(kind),
    '012_alerts': alertTables(),
    '013_hardware': hardwareTables(),
    '014_maintenance': maintenanceTable(),
    '015_min_term': minTerm(),
    '016_alert_purse': alertPurse(),
    '017_deployment_names': deploymentNames(),
  }
  if (await isMigrated(db, Object.keys(steps))) return
  const migrator = new Migrator({ db, provider: { getMigrations: async () => steps } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/** The migrator first reads the columns of every table, which takes longer than the rest of a start. */
async function isMigrated(db: Kysely<Tables>, steps: readonly string[]): Promise<boolean> {
  const done = sql<{ name: string }>`select name from kysely_migration order by name`
  const rows = await done.execute(db).then(
    (answer) => answer.rows,
    // A new database has no such table; whatever else is wrong, the migrator says.
    () => [],
  )
  return rows.length === steps.length && rows.every(({ name }, index) => name === steps[index])
}
