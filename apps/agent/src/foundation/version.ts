import manifest from '../../package.json' with { type: 'json' }

/** Set when the agent is packaged. */
declare const __AGENT_VERSION__: string | undefined

export const AGENT_VERSION: string = typeof __AGENT_VERSION__ === 'string' ? __AGENT_VERSION__ : manifest.version
