import { expect, type Locator } from '@playwright/test'

/**
 * Presses, and expects that a button of `place` is called `name` afterwards, even if only for a moment. The page itself watches for it: a
 * test that looks from outside may look too late.
 */
export async function seenBriefly(place: Locator, name: string, press: () => Promise<void>): Promise<void> {
  const watch = await place.evaluateHandle((element, wanted) => {
    const found = { seen: false }
    const look = () => {
      for (const button of element.querySelectorAll('button')) {
        // biome-ignore lint/performance/useDomNodeTextContent: the word that it takes the place of is in the button too, hidden
        const shown = button.ariaLabel ?? button.innerText
        found.seen ||= shown.trim() === wanted
      }
    }
    new MutationObserver(look).observe(element, { subtree: true, childList: true, characterData: true, attributes: true })
    return found
  }, name)
  await press()
  await expect.poll(() => watch.evaluate(({ seen }) => seen), { message: `a button called ${name}` }).toBe(true)
}
