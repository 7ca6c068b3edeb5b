import { useMessages } from '../../i18n/useMessages.ts'
import { nodeMessages } from './messages.ts'

/** From the keyboard past search, filters and headings to the first machine that can be bought. */
export function SkipToMachines() {
  const text = useMessages(nodeMessages)
  const skip = () => {
    for (const goal of ['[data-row] a[href^="/addorder"]', '[data-row] a', 'main']) {
      const found = document.querySelector<HTMLElement>(goal)
      if (found) return found.focus()
    }
  }
  return (
    <button
      type="button"
      onClick={skip}
      className="sr-only z-50 rounded-md bg-raised px-3 py-2 focus:not-sr-only focus:absolute focus:top-3 focus:left-3"
    >
      {text.skip}
    </button>
  )
}
