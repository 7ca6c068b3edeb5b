import type { Terminal } from '@xterm/xterm'

/** Composed and pasted text arrives by other events, which xterm handles. */
const INSERTED = /^insert(Text|LineBreak|Paragraph)$/
const TAKEN_BACK = /^delete\w*Backward$/
/** Of a key that an input method takes. */
const TAKEN_KEY = 229
const KEYS_AMID_COMPOSED_TEXT = new Set(['CapsLock', 'Shift', 'Control', 'Alt'])

/**
 * Sends text that is inserted without keys: by an emoji panel, the choice of an accent, dictation, a phone's keyboard or a password manager.
 * xterm drops it while a key is down, and always while it writes for screen readers.
 * Composed text, too: xterm sends it from a timer. A key that overtakes the timer in a busy page would arrive before it, or cut its end off.
 */
export function takeInsertedText(terminal: Terminal): void {
  const place = terminal.element
  const field = terminal.textarea
  if (!place || !field) return
  /** For the key that is down: its text may be inserted as well. */
  let sent: string | undefined
  /** Where in the field the composed text begins that is yet to be sent. */
  let unsentFrom: number | undefined
  let isComposing = false
  let lastStart = 0
  const send = (text: string) => terminal.input(text.replaceAll(/\r?\n/g, '\r'))
  const sendComposed = () => {
    if (unsentFrom === undefined) return
    const text = field.value.slice(unsentFrom)
    unsentFrom = undefined
    // Nothing is left for xterm's own timer.
    field.value = ''
    if (text !== '') send(text)
  }
  const begin = () => {
    isComposing = true
    lastStart = field.value.length
    unsentFrom ??= lastStart
  }
  const end = () => {
    isComposing = false
    setTimeout(() => {
      // A change of the field would end what is being composed: xterm sends the text before it.
      if (isComposing) unsentFrom = lastStart
      else sendComposed()
    })
  }
  place.addEventListener('compositionstart', begin, { capture: true })
  place.addEventListener('compositionend', end, { capture: true })
  const beforeKey = (event: KeyboardEvent) => {
    sent = undefined
    if (isComposing || KEYS_AMID_COMPOSED_TEXT.has(event.key)) return
    sendComposed()
    // What such a key does to the field arrives as an input of its own.
    if (event.keyCode === TAKEN_KEY) event.stopPropagation()
  }
  place.addEventListener('keydown', beforeKey, { capture: true })
  place.addEventListener('keyup', () => {
    sent = undefined
  })
  terminal.onKey(({ key }) => {
    sent = key
  })
  const take = (event: Event) => {
    if (event.target !== field || unsentFrom !== undefined) return
    const text = insertedBy(event, field)
    if (text === '' || text === sent) return
    event.stopPropagation()
    // An input method would compose into the rest, and xterm would send the rest again.
    field.value = ''
    send(text)
  }
  place.addEventListener('input', take, { capture: true })
  // Ahead of the change: in an empty field there is none, and what is taken back was sent before.
  place.addEventListener('beforeinput', (event) => {
    if (unsentFrom === undefined && TAKEN_BACK.test(event.inputType)) send('\x7f')
  })
}

/** Who sets the value and reports it, as password managers do, does not say what was inserted. A line break has no data. */
function insertedBy(event: Event, field: HTMLTextAreaElement): string {
  const { inputType = '', data = null } = event as Partial<InputEvent>
  if (inputType === '') return field.value
  return INSERTED.test(inputType) ? (data ?? '\r') : ''
}
