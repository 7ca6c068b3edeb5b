import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { type BuildEnvironmentOptions, defineConfig, type Plugin } from 'vite'
import { chunkOf } from './vite/chunkOf.ts'
import { prerender } from './vite/prerender.ts'

const platform = process.env.RACKFAIR_PLATFORM ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadFonts(), prerender(), withoutNodeCrypto()],
  server: {
    host: '127.0.0.1',
    proxy: {
      '/v1': { target: platform, ws: true },
      '/greet': platform,
      '/docs': platform,
    },
  },
  preview: { host: '127.0.0.1' },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    license: { fileName: 'licenses.txt' },
    rolldownOptions: { onLog: withoutNoise, output: { codeSplitting: { groups: [{ name: chunkOf, debugName: 'frame' }] } } },
  },
})

type Log = Parameters<NonNullable<NonNullable<BuildEnvironmentOptions['rolldownOptions']>['onLog']>>

/**
 * Libraries mark themselves for servers that render; here everything is a client. And viem's entry names another chain's code, which asks
 * for Node's threads: none of it is kept.
 */
function withoutNoise(level: Log[0], log: Log[1], print: Log[2]): void {
  if (log.code !== 'MODULE_LEVEL_DIRECTIVE' && !/ox\/_esm\/tempo/.test(log.message)) print(level, log)
}

/** HPKE asks Node for its crypto where there is no WebCrypto. A browser that runs this app has it, and has no Node. */
function withoutNodeCrypto(): Plugin {
  const ABSENT = '\0no-node-crypto'
  return {
    name: 'without-node-crypto',
    enforce: 'pre',
    resolveId: (id, importer) => (id === 'crypto' && importer?.includes('@hpke') ? ABSENT : undefined),
    load: (id) => (id === ABSENT ? 'export const webcrypto = undefined' : undefined),
  }
}

/** Text must not wait for the stylesheet to name its font: both files are fetched with the page. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, context) =>
        Object.keys(context.bundle ?? {})
          .filter((file) => file.endsWith('.woff2'))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  }
}
