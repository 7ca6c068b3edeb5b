import type { Plugin } from 'vite'

/** HPKE falls back to Node's crypto without WebCrypto. A browser that runs this app has WebCrypto and no Node. */
export function withoutNodeCrypto(): Plugin {
  const ABSENT = '\0no-node-crypto'
  return {
    name: 'without-node-crypto',
    enforce: 'pre',
    resolveId: (id, importer) => (id === 'crypto' && importer?.includes('@hpke') ? ABSENT : undefined),
    load: (id) => (id === ABSENT ? 'export const webcrypto = undefined' : undefined),
  }
}
