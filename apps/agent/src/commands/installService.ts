import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '@rackfair/core'
import { EX_CONFIG } from '../exitCodes.ts'
import { isPackaged } from '../resources.ts'
import { runCommand } from '../runtime/runCommand.ts'
import type { Output } from './output.ts'

/** What neither the agent nor its engine ever does: whoever breaks out of both of them has to do without, too. */
export const UNUSED_CAPABILITIES = [
  ...['CAP_SYS_TIME', 'CAP_SYS_BOOT', 'CAP_SYS_PACCT', 'CAP_SYS_TTY_CONFIG', 'CAP_WAKE_ALARM', 'CAP_BLOCK_SUSPEND', 'CAP_LEASE'],
  ...['CAP_LINUX_IMMUTABLE', 'CAP_MAC_ADMIN', 'CAP_MAC_OVERRIDE', 'CAP_AUDIT_CONTROL', 'CAP_AUDIT_READ', 'CAP_IPC_OWNER'],
]

export const UNIT = 'etc/systemd/system/rackfair-agent.service'

/**
 * A systemd unit that runs this very program with this configuration. Below another root than `/` (an image that is being made)
 * it is written only; where no systemd runs it is only shown.
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
 * The tenants' containers outlive the agent: only its own process is ended (KillMode), and one of theirs that runs out of memory ends
 * nothing else (OOMPolicy). What systemd does by a mount namespace (ProtectSystem and its like) would hide the disks of running orders from
 * the agent of the next start, and what it does by seccomp would hold in the containers too: both stay out, see ADR 0027.
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
