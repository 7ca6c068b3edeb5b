import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { queryClient } from '../lib/queryClient.ts'
import { WalletProvider } from '../wallet/index.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Layout } from './Layout.tsx'
import { PageSkeleton } from './PageSkeleton.tsx'
import { Routes } from './Routes.tsx'

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <ErrorBoundary>
        <Suspense fallback={null}>
          <WalletProvider>
            <Layout>
              <ErrorBoundary>
                <Suspense fallback={<PageSkeleton />}>
                  <Routes />
                </Suspense>
              </ErrorBoundary>
            </Layout>
          </WalletProvider>
        </Suspense>
      </ErrorBoundary>
    </QueryClientProvider>
  )
}
