import type { Workload } from './Runtime.ts'

/** Where a container has what is the agent's: no image, volume or file of an application is there. */
export const TOOLS_PATH = '/.rackfair'
/** The name by which programs that models drive look for what they should know. */
export const AGENTS_FILE = 'AGENTS.md'
export const AGENTS_PATH = `${TOOLS_PATH}/${AGENTS_FILE}`

/** Names the file to programs inside; what image or application call so stays theirs. */
export const agentsVariable = ({ note }: Pick<Workload, 'note'>): Record<string, string> =>
  note === undefined ? {} : { RACKFAIR_AGENTS_MD: AGENTS_PATH }
