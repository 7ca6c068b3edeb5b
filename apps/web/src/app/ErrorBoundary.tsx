import { Component, type ReactNode } from 'react'
import { useLocation, useSearch } from 'wouter'
import { CrashPage } from './CrashPage.tsx'

/** A screen that throws does not take the page's frame down with it. Navigating retries. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const search = useSearch()
  return <Boundary address={`${path}?${search}`}>{children}</Boundary>
}

class Boundary extends Component<{ address: string; children: ReactNode }, { error: Error | undefined }> {
  override state = { error: undefined as Error | undefined }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidUpdate(before: { address: string }): void {
    if (this.state.error && before.address !== this.props.address) this.setState({ error: undefined })
  }

  override render() {
    return this.state.error ? <CrashPage error={this.state.error} /> : this.props.children
  }
}
