import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { type BuildEnvironmentOptions, defineConfig, type Plugin } from 'vite'
import { prerender } from './src/prerender/vite/prerender.ts'
import { budgets } from './vite/budgets.ts'
import { chunks } from './vite/chunks.ts'
import { compressed } from './vite/compressed.ts'
import { importArrived, withItself } from './vite/importArrived.ts'
import { withoutNodeCrypto } from './vite/withoutNodeCrypto.ts'

const platform = process.env.RACKFAIR_PLATFORM ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [
    chunks(),
    importArrived(),
    react(),
    tailwindcss(),
    preloadFonts(),
    prerender(),
    budgets(),
    withoutNodeCrypto(),
    compressed(),
  ],
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
    modulePreload: { polyfill: false, resolveDependencies: withItself },
    chunkSizeWarningLimit: 1000,
    license: { fileName: 'licenses.txt' },
    rolldownOptions: { onLog: withoutNoise },
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

/** Text must not wait for the stylesheet to name its font: what the first view needs of both is fetched with the page. */
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, context) =>
        Object.keys(context.bundle ?? {})
          .filter((file) => /-first-[^/]*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  }
}
