import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Router } from 'wouter'
import { WalletProvider } from '../wallet/index.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { exactParser } from './exactParser.ts'
import { Layout } from './Layout.tsx'
import { PageSkeleton } from './PageSkeleton.tsx'
import { Routes } from './Routes.tsx'

export function App({ client }: { client: QueryClient }) {
  return (
    <QueryClientProvider client={client}>
      <ErrorBoundary>
        <Suspense fallback={null}>
          <Router parser={exactParser}>
            <WalletProvider>
              <Layout>
                <ErrorBoundary>
                  <Suspense fallback={<PageSkeleton />}>
                    <Routes />
                  </Suspense>
                </ErrorBoundary>
              </Layout>
            </WalletProvider>
          </Router>
        </Suspense>
      </ErrorBoundary>
    </QueryClientProvider>
  )
}
