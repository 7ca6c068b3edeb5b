export {
  type FileEntry,
  type FileSpace,
  type GpuUsage,
  listMessage,
  type MachineGpu,
  type MachinesNow,
  machinesMessage,
  type NodeUses,
  type OwnDomains,
  type RegisteredKey,
  type SshAccess,
  type SshKey,
  type TerminalEnd,
  type TerminalOpened,
  terminalMessage,
  type UsageLimits,
  type UsagePoint,
  usageMessage,
} from '@rackfair/protocol/workspaceAnswers'
export { carrySsh } from './carrySsh.ts'
export { changeFiles, type FileChange } from './changeFiles.ts'
export { type Download, type DownloadOptions, download, listFiles, type UploadOptions, upload } from './copy.ts'
export { createWorkspace } from './createWorkspace.ts'
export { type DomainsChange, requestDomains } from './domains.ts'
export { events } from './events.ts'
export { type ExecOptions, exec } from './exec.ts'
export { type AgentFinder, checkAnnouncedKeys, type FoundAgent, findAgent } from './findAgent.ts'
export { type FollowedLine, type LogsOptions, logs } from './logs.ts'
export { logsOfServices, type ServiceLine } from './logsOfServices.ts'
export { ofService } from './ofService.ts'
export { openSession, type WebSocketClass } from './openSession.ts'
export { openWorkspace, type WorkspaceKeyStore } from './openWorkspace.ts'
export { type PowerAction, power } from './power.ts'
export type { RememberedDeployment } from './read/events.ts'
export { type Job, type JobResult, type RunJobOptions, runJob } from './runJob.ts'
export { checkSshHostKey, requestSshAccess, type SshKeysChange, sshFingerprint } from './sshAccess.ts'
export { type TerminalOptions, terminal } from './terminal.ts'
export { toWorkspaceError } from './toWorkspaceError.ts'
export { type Usage, usage } from './usage.ts'
export type { FollowOptions, Workspace, WorkspaceKind, WorkspaceStream } from './Workspace.ts'
export {
  exportWorkspaceKey,
  importWorkspaceKey,
  keyName,
  makeWorkspaceKey,
  ticketLink,
  type VisitPlace,
  type WorkspaceKey,
} from './workspaceKey.ts'
