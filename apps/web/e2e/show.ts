/** Simulates switching to or from a tab, evaluated in its page: a browser under test reports all of its tabs as visible. */
export function show(visible: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: !visible })
  document.dispatchEvent(new Event('visibilitychange'))
}
