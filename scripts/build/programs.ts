/** The programs that users install, with the sources of each beyond its room and the libraries they all share. */
export const PROGRAMS = {
  agent: { room: 'apps/agent', inputs: ['packages/sealed/src', 'presets', 'apps/agent/package.json'] },
  platform: { room: 'apps/platform', inputs: ['presets'] },
  monitor: { room: 'apps/monitor', inputs: [] },
  edge: { room: 'apps/edge', inputs: [] },
  cli: { room: 'packages/cli', inputs: ['packages/sealed/src'] },
  action: { room: 'packages/action', inputs: ['packages/sealed/src'] },
  mcp: { room: 'packages/mcp', inputs: ['packages/sealed/src'] },
  x402: { room: 'packages/x402', inputs: ['packages/sealed/src'] },
} as const

export type ProgramName = keyof typeof PROGRAMS
