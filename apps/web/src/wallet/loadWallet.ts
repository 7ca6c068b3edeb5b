type Runtime = typeof import('./runtime/index.ts')

let loading: Promise<Runtime> | undefined

/** The wallet code, loaded on idle or on the first click and never with a public page's first load. */
export function loadWallet(): Promise<Runtime> {
  loading ??= import('./runtime/index.ts').catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
