import type { Workspace, WorkspaceKind } from './Workspace.ts'

const OF_ONE: readonly WorkspaceKind[] = ['logs', 'usage', 'terminal', 'exec', 'files', 'power']
/** The same for the same one: what is kept of a workspace, as its transfers, is kept of this too. */
const made = new WeakMap<Workspace, Map<string, Workspace>>()

/**
 * The workspace of one of several services of an order: what is asked of it is asked of that service. `details.services` of a deployment
 * names them; without a name, everything is of the one with the page, and usage of all together.
 *
 * @throws AppError `service_unknown` from what is asked, where there is none of that name.
 * @example for await (const { bytes } of logs(ofService(workspace, 'db'))) process.stdout.write(bytes)
 */
export function ofService(workspace: Workspace, service: string): Workspace {
  const known = made.get(workspace) ?? new Map<string, Workspace>()
  made.set(workspace, known)
  const before = known.get(service)
  if (before) return before
  const named = (kind: WorkspaceKind, request: unknown = {}): unknown =>
    OF_ONE.includes(kind) ? { ...(request as object), service } : request
  const one: Workspace = {
    ...workspace,
    open: (kind, request) => workspace.open(kind, named(kind, request)),
    follow: (options) => workspace.follow({ ...options, request: () => named(options.kind, options.request()) }),
  }
  known.set(service, one)
  return one
}
