import { createErrorGuard } from '@rackfair/rules/errors/errorGuard'
import { redactor } from '@rackfair/rules/text/redactor'
import { pino } from 'pino'
import { parseSettings, SettingsError, USAGE } from './settings/parseSettings.ts'
import { startPlatform } from './startPlatform.ts'

if (process.argv.includes('--help')) {
  console.log(USAGE)
  process.exit(0)
}
let redact = (text: string) => text
try {
  const settings = parseSettings(process.argv.slice(2), process.env)
  redact = redactor([settings.rpcUrl, settings.wsUrl, settings.databaseUrl, settings.site.mainnetRpcUrl ?? undefined])
  // Errors of libraries contain the URLs they requested. No key may reach the log.
  const log = pino(
    { level: process.env.RACKFAIR_LOG_LEVEL ?? 'info', base: null },
    { write: (line) => void process.stdout.write(redact(line)) },
  )
  const guard = createErrorGuard({
    now: () => performance.now(),
    report: (facts, message) => log.error(facts, message),
    end: () => process.exit(1),
  })
  process.on('uncaughtException', guard.caught)
  const platform = await startPlatform(settings, log, { uncaught: guard.count })
  guard.serving()
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      log.info({ signal }, 'platform stops')
      void platform.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      )
    })
  }
  log.info({ url: platform.url, role: settings.role, chain: settings.deployment.chainId }, 'platform is listening')
} catch (error) {
  const message = redact(error instanceof Error ? error.message : String(error))
  console.error(error instanceof SettingsError ? `platform: ${message}` : `platform cannot start: ${message}`)
  process.exit(2)
}
