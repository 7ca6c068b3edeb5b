/** The programs that people install, with what each is made of beside its room and the libraries that all of them share. */
export const PROGRAMS = {
  agent: { room: 'apps/agent', inputs: ['packages/sealed/src', 'presets', 'apps/agent/package.json'] },
  platform: { room: 'apps/platform', inputs: ['presets'] },
  monitor: { room: 'apps/monitor', inputs: [] },
  cli: { room: 'packages/cli', inputs: ['packages/sealed/src'] },
} as const

export type ProgramName = keyof typeof PROGRAMS
