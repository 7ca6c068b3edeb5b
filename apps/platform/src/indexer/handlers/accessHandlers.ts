import type { Handlers } from './Handlers.ts'

export const accessHandlers: Handlers = {
  VersionPublished(fold, { args }) {
    for (const kind of ['registry', 'pledge', 'market'] as const) {
      fold.put('contract', { address: args.set[kind].toLowerCase(), kind, version: args.ver })
    }
  },
}
