import { prerender } from 'react-dom/static.edge'
import { Router } from 'wouter'
import { App } from './app/App.tsx'
import { loadScreen } from './app/Routes.tsx'
import { drawnTitle } from './ui/useDocumentTitle.ts'

/** A public page as it looks before its figures have arrived: what the build writes into its HTML, so that reading needs no script. */
export async function prerenderPage(path: string): Promise<{ title: string; body: string }> {
  await loadScreen(path)
  const failed: unknown[] = []
  const { prelude } = await prerender(
    <Router ssrPath={path}>
      <App />
    </Router>,
    {
      // In one piece: the pages' policy forbids the inline scripts that would put later pieces into place.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error) => {
        failed.push(error)
      },
    },
  )
  if (failed.length > 0) throw new Error(`${path} cannot be drawn ahead`, { cause: failed[0] })
  const body = await new Response(prelude).text()
  return { title: drawnTitle(), body }
}
