import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '@rackfair/rules/errors/AppError'
import { EX_CONFIG } from '../foundation/exitCodes.ts'
import { isPackaged } from '../foundation/resources.ts'
import { runCommand } from '../foundation/runCommand.ts'
import type { Output } from './output.ts'

/** Capabilities that neither the agent nor its engine uses, so that code breaking out of both lacks them too. */
export const UNUSED_CAPABILITIES = [
  ...['CAP_SYS_TIME', 'CAP_SYS_BOOT', 'CAP_SYS_PACCT', 'CAP_SYS_TTY_CONFIG', 'CAP_WAKE_ALARM', 'CAP_BLOCK_SUSPEND', 'CAP_LEASE'],
  ...['CAP_LINUX_IMMUTABLE', 'CAP_MAC_ADMIN', 'CAP_MAC_OVERRIDE', 'CAP_AUDIT_CONTROL', 'CAP_AUDIT_READ', 'CAP_IPC_OWNER'],
]

export const UNIT = 'etc/systemd/system/rackfair-agent.service'

/**
 * Installs a systemd unit that runs this very program with this configuration. Under a root other than `/` (an image being built)
 * the unit is only written; where no systemd runs it is only printed.
 */
export async function installService(configFile: string, data: string, root: string, output: Output): Promise<void> {
  if (!existsSync(configFile))
    throw new AppError('bad_request', `${configFile} cannot be read; run: rackfair-agent init --config ${configFile}`)
  const file = join(root, UNIT)
  const unit = unitOf(resolve(configFile), resolve(data))
  const here = resolve(root) === '/'
  if (here && !existsSync('/run/systemd/system'))
    return output.result({ installed: false, file, unit }, `${unit}\nThere is no systemd here: nothing was installed.`)
  if (existsSync(file) && readFileSync(file, 'utf8') === unit)
    return output.result({ installed: true, changed: false, file }, `${file} is installed already.`)
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, unit)
  } catch (cause) {
    throw new AppError('forbidden', `${file} cannot be written: ${(cause as Error).message}; run this as root`, { cause })
  }
  output.say(`wrote ${file}`)
  if (here) await enable()
  output.result(
    { installed: true, changed: true, file },
    here ? 'Installed and started.' : `Installed below ${root}; not started.`,
  )
}

async function enable(): Promise<void> {
  for (const args of [['daemon-reload'], ['enable', '--now', 'rackfair-agent.service']]) {
    const { code, stderr } = await runCommand('systemctl', args)
    if (code !== 0) throw new AppError('internal', `systemctl ${args[0]}: ${stderr.trim()}`)
  }
}

/**
 * The tenants' containers outlive the agent: only its own process is killed (KillMode), and a container that runs out of memory takes
 * nothing else down (OOMPolicy). Options that use a mount namespace (ProtectSystem and the like) would hide the disks of running orders
 * from the restarted agent, and those that use seccomp would be inherited by the containers: neither is used, see ADR 0027.
 */
function unitOf(configFile: string, data: string): string {
  const program = fileURLToPath(new URL(isPackaged ? './main.mjs' : '../main.ts', import.meta.url))
  if (program.includes('/_npx/'))
    throw new AppError('bad_request', 'what npx fetched is deleted some day; install the agent first: npm install --global FILE')
  return `[Unit]
Description=Rackfair agent
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${process.execPath} ${program} start --config ${configFile} --data ${data}
Restart=always
RestartSec=2
RestartPreventExitStatus=${EX_CONFIG}
KillMode=process
TimeoutStopSec=60
OOMPolicy=continue
Delegate=yes
TasksMax=infinity
LimitNOFILE=1048576
NoNewPrivileges=yes
CapabilityBoundingSet=~${UNUSED_CAPABILITIES.join(' ')}

[Install]
WantedBy=multi-user.target
`
}
