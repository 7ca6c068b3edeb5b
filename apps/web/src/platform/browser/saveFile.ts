/** Browsers read the file shortly after the press. */
const REVOKE_MS = 60_000

/** Hands a file to the browser, which puts it where its downloads go. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS)
}
