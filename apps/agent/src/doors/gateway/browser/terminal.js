import { FitAddon } from '/.rackfair/addon-fit.js'
import { Terminal } from '/.rackfair/xterm.js'

const WORDS = {
  en: {
    idle: 'Closed after a while without input. Press a key to continue.',
    lost: (reason) => `${reason || 'Connection lost'}. Reconnecting …`,
  },
  zh: {
    idle: '长时间没有输入，已断开；按任意键继续。',
    lost: () => '连接已断开，正在重新连接……',
  },
}
const words = document.documentElement.lang === 'en' ? WORDS.en : WORDS.zh
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 15_000
const MAX_DRAW_MS = 1000
/** REP, CHT, CBT, IL, DL, SU, SD: xterm does them as often as it is told, up to 2^31 times, and any program can tell it. */
const REPEATED = ['b', 'I', 'Z', 'L', 'M', 'S', 'T']
const MAX_REPEATS = 10_000
const READER_KEY = 'rackfair.screenReader'
const status = document.querySelector('[role=status]')
const terminal = new Terminal({
  cursorBlink: true,
  fontSize: 14,
  scrollback: 5000,
  minimumContrastRatio: 4.5,
  theme: { background: '#0F1113', foreground: '#ECEAE4' },
  fontFamily: 'ui-monospace, Menlo, Consolas, monospace',
})
/** xterm drops text that comes without keys, as from an emoji panel, while it writes for screen readers: who needs that switches it on. */
const forReaders = document.querySelector('[role=switch]')
const useChoice = () => {
  terminal.options.screenReaderMode = forReaders.checked
}
forReaders.checked = localStorage.getItem(READER_KEY) === '1'
forReaders.onchange = () => {
  localStorage.setItem(READER_KEY, forReaders.checked ? '1' : '0')
  useChoice()
  terminal.focus()
}
useChoice()
for (const final of REPEATED) terminal.parser.registerCsiHandler({ final }, ([times]) => times > MAX_REPEATS)
const fit = new FitAddon()
terminal.loadAddon(fit)
terminal.open(document.querySelector('#terminal'))
fit.fit()
terminal.focus()

let socket
let retryMs = FIRST_RETRY_MS
/** What was typed before the shell was there, or undefined when it is: it drops what comes before it has drawn. */
let typed = []

function connect() {
  const url = new URL('/.rackfair/terminal', location.href)
  url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
  url.searchParams.set('columns', String(terminal.cols))
  url.searchParams.set('rows', String(terminal.rows))
  const connection = new WebSocket(url)
  let wasOpen = false
  socket = connection
  socket.binaryType = 'arraybuffer'
  socket.onopen = () => {
    wasOpen = true
    retryMs = FIRST_RETRY_MS
    status.textContent = ''
    setTimeout(sendTyped, MAX_DRAW_MS, connection)
  }
  socket.onmessage = ({ data }) => terminal.write(new Uint8Array(data), () => sendTyped(connection))
  socket.onclose = ({ code, reason }) => {
    typed ??= []
    if (!wasOpen) leaveIfClosed()
    if (code === 4408) {
      status.textContent = words.idle
      const again = terminal.onData(() => {
        again.dispose()
        typed = []
        connect()
      })
    } else {
      status.textContent = words.lost(reason)
      setTimeout(connect, retryMs)
      retryMs = Math.min(MAX_RETRY_MS, retryMs * 2)
    }
  }
}

/** A connection that is refused does not say why. Where this page is not here any more, the one that is knows what to do: sign in, or wait. */
async function leaveIfClosed() {
  const answer = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined)
  if (answer && !answer.ok) location.reload()
}

function sendTyped(connection) {
  if (connection !== socket || connection.readyState !== WebSocket.OPEN) return
  for (const keys of typed ?? []) connection.send(keys)
  typed = undefined
}

const send = (message) => socket?.readyState === WebSocket.OPEN && socket.send(message)
const type = (keys) => (typed ? typed.push(keys) : send(keys))
terminal.onData((text) => type(new TextEncoder().encode(text)))
terminal.onBinary((text) => type(Uint8Array.from(text, (char) => char.charCodeAt(0))))
terminal.onResize(({ cols, rows }) => send(JSON.stringify({ columns: cols, rows })))
new ResizeObserver(() => fit.fit()).observe(document.querySelector('#terminal'))
connect()
