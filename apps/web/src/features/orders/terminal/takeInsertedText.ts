import type { Terminal } from '@xterm/xterm'

/** Composed and pasted text arrives by other events, which xterm handles. */
const INSERTED = /^insert(Text|LineBreak|Paragraph)$/
/** Of a key that an input method takes. */
const TAKEN_KEY = 229

/**
 * Sends text that is inserted without keys: by an emoji panel, the choice of an accent, dictation, a phone's keyboard or a password manager.
 * xterm drops it while a key is down, and always while it writes for screen readers.
 */
export function takeInsertedText(terminal: Terminal): void {
  const place = terminal.element
  if (!place) return
  /** For the key that is down: its text may be inserted as well. */
  let sent: string | undefined
  /** How often xterm is yet to compare the field with what was in it, and to send the difference. */
  let comparisons = 0
  const begin = () => {
    comparisons += 1
  }
  /** Behind what xterm itself has put off. */
  const end = () => setTimeout(() => (comparisons -= 1))
  place.addEventListener('compositionstart', begin)
  place.addEventListener('compositionend', end)
  place.addEventListener('keydown', (event) => {
    if (event.keyCode !== TAKEN_KEY || event.isComposing) return
    begin()
    end()
  })
  const forget = () => {
    sent = undefined
  }
  place.addEventListener('keydown', forget, { capture: true })
  place.addEventListener('keyup', forget)
  terminal.onKey(({ key }) => {
    sent = key
  })
  const take = (event: Event) => {
    const field = terminal.textarea
    if (!field || event.target !== field || comparisons > 0) return
    const text = insertedBy(event, field)
    if (text === '' || text === sent) return
    event.stopPropagation()
    // An input method would compose into the rest, and xterm would send the rest again.
    field.value = ''
    terminal.input(text.replaceAll(/\r?\n/g, '\r'))
  }
  place.addEventListener('input', take, { capture: true })
}

/** Who sets the value and reports it, as password managers do, does not say what was inserted. A line break has no data. */
function insertedBy(event: Event, field: HTMLTextAreaElement): string {
  const { inputType = '', data = null } = event as Partial<InputEvent>
  if (inputType === '') return field.value
  return INSERTED.test(inputType) ? (data ?? '\r') : ''
}
