import type { Path } from './paths.ts'
import { isRecord, textOf } from './Reading.ts'

/** One object of a Kubernetes file, and where it stands. */
export interface KubernetesObject {
  kind: string
  value: Record<string, unknown>
  /** Path in its document, and which one that is. */
  path: Path
  document: number
}

/** Whether a document is what Kubernetes calls an object. */
export const isKubernetesObject = (value: unknown): value is Record<string, unknown> => isRecord(value) && 'kind' in value

/** The objects of a document, those of a list each. */
export function objectsOf(value: unknown, path: Path, document: number): KubernetesObject[] {
  if (!isRecord(value)) return value === null || value === undefined ? [] : [{ kind: '', value: {}, path, document }]
  const kind = textOf(value.kind)
  if (kind.endsWith('List') && Array.isArray(value.items))
    return value.items.flatMap((item, index) => objectsOf(item, [...path, 'items', index], document))
  return [{ kind, value, path, document }]
}
