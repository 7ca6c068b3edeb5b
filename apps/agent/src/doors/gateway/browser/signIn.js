import { keepSession } from '/.rackfair/session.js'

const WORDS = {
  en: {
    wallet: 'Wallet',
    none: 'No wallet was found in this browser.',
    waiting: 'Waiting for your wallet …',
    failed: {
      order_not_owned: 'This wallet does not own the order. Choose the account that bought it, and sign again.',
      text_too_old: 'This sign-in is too old. Reload the page and sign again.',
      agent_busy: 'Too many sign-ins. Try again in a moment.',
    },
  },
  zh: {
    wallet: '钱包',
    none: '此浏览器中没有找到钱包。',
    waiting: '正在等待钱包……',
    failed: {
      order_not_owned: '此钱包不拥有该订单。请选择购买时使用的账户，然后重新签名。',
      text_too_old: '本次登录已过期。请刷新页面后重新签名。',
      agent_busy: '登录次数过多，请稍后再试。',
    },
  },
}
const words = document.documentElement.lang === 'en' ? WORDS.en : WORDS.zh
const { order, nonce, time, text } = document.body.dataset
const button = document.querySelector('button')
const choice = document.querySelector('select')
const status = document.querySelector('[role=status]')
const wallets = new Map()
let asking = false

window.addEventListener('eip6963:announceProvider', (event) => {
  const { info, provider } = event.detail
  wallets.set(info.uuid, { name: info.name, provider })
  draw()
})
window.dispatchEvent(new Event('eip6963:requestProvider'))
setTimeout(() => {
  if (wallets.size === 0 && window.ethereum) wallets.set('injected', { name: words.wallet, provider: window.ethereum })
  draw()
}, 300)

/** Wallets announce themselves at any time: what was chosen and what was said about it stay. */
function draw() {
  const chosen = choice.value
  choice.hidden = wallets.size < 2
  choice.replaceChildren(...[...wallets].map(([id, { name }]) => new Option(name, id, false, id === chosen)))
  button.disabled = asking || wallets.size === 0
  if (wallets.size === 0) status.textContent = words.none
  else if (status.textContent === words.none) status.textContent = ''
}

button.addEventListener('click', async () => {
  const { provider } = wallets.get(choice.value) ?? [...wallets.values()][0]
  asking = true
  draw()
  status.textContent = words.waiting
  try {
    const accounts = await provider.request({ method: 'eth_requestAccounts' })
    const hex = `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
    const signature = await provider.request({ method: 'personal_sign', params: [hex, accounts[0]] })
    const answer = await fetch('/.rackfair/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ order, nonce, time: Number(time), signature }),
    })
    const { credentials, code, message } = await answer.json()
    if (answer.ok) {
      if (credentials) await keepSession(credentials)
      location.replace('/')
    } else {
      status.textContent = words.failed[code] ?? message
    }
  } catch (error) {
    status.textContent = error?.code === 4001 ? '' : String(error?.message ?? error).slice(0, 150)
  }
  asking = false
  draw()
})
