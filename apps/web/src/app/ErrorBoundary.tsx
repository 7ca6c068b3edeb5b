import { Component, type ReactNode } from 'react'
import { CrashPage } from './CrashPage.tsx'

/** A screen that throws does not take the page's frame with it. A new address is a new try. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | undefined; path: string | undefined }> {
  override state = { error: undefined as Error | undefined, path: globalThis.location?.pathname }

  static getDerivedStateFromError(error: Error) {
    return { error, path: window.location.pathname }
  }

  override componentDidUpdate(): void {
    if (this.state.error && this.state.path !== window.location.pathname) this.setState({ error: undefined })
  }

  override render() {
    return this.state.error ? <CrashPage error={this.state.error} /> : this.props.children
  }
}
