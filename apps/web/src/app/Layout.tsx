import { type ReactNode, Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useSavedSearches } from '../entities/node/savedSearches.ts'
import { useMessages } from '../i18n/useMessages.ts'
import { useLive } from '../platform/live/useLive.ts'
import { lazyPart } from '../platform/loading/lazyPart.ts'
import { useHasInteracted } from '../platform/loading/useHasInteracted.ts'
import { currentToasts, subscribeToasts } from '../ui/toastStore.ts'
import { isFreeToSee } from './asksForWallet.ts'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { appMessages } from './messages.ts'
import { goToPlace } from './scrollPlaces.ts'
import { useConnectPanel } from './useConnectPanel.ts'

const ConnectPanel = lazyPart(() => import('./ConnectPanel.tsx').then((module) => module.ConnectPanel))
const SearchWatch = lazyPart(() => import('../features/nodes/saved/SearchWatch.tsx').then((module) => module.SearchWatch))
const Toaster = lazyPart(() => import('../ui/Toaster.tsx').then((module) => module.Toaster))

/** Header, page and footer. Navigation moves the focus to the page's start; Back, Forward and a reload keep the scroll position. */
export function Layout({ children }: { children: ReactNode }) {
  const text = useMessages(appMessages)
  const live = useLive()
  const wanted = useHasInteracted()
  const searches = useSavedSearches()
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts, currentToasts)
  const main = useRef<HTMLElement>(null)
  const [path] = useLocation()
  const search = useSearch()
  const shown = useRef(path)
  const panel = useConnectPanel()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step back may change the query alone
  useEffect(() => {
    const isNew = shown.current !== path
    shown.current = path
    goToPlace(isNew)
    if (isNew) main.current?.focus({ preventScroll: true })
  }, [path, search])
  return (
    <div className="flex min-h-screen flex-col">
      {/* There before the panel, so that its coming is announced, and first, so that one Tab leads to it. */}
      <div aria-live="polite">
        {panel && (
          <Suspense fallback={null}>
            <ConnectPanel isFree={isFreeToSee(path)} {...panel} />
          </Suspense>
        )}
      </div>
      <a
        href="#main"
        className="sr-only z-50 rounded-md bg-raised px-3 py-2 focus:not-sr-only focus:absolute focus:top-3 focus:left-3"
      >
        {text.skip}
      </a>
      <Header live={live} />
      <main id="main" ref={main} tabIndex={-1} className="flex-1">
        {children}
      </main>
      <Footer />
      {searches.length > 0 && (
        <Suspense fallback={null}>
          <SearchWatch />
        </Suspense>
      )}
      {(wanted || toasts.length > 0) && (
        <Suspense fallback={null}>
          <Toaster />
        </Suspense>
      )}
    </div>
  )
}
