const { order, nonce, time, text } = document.body.dataset
const button = document.querySelector('button')
const status = document.querySelector('[role=status]')
const wallets = new Map()
const NO_WALLET = 'No wallet was found in this browser. 此浏览器中没有找到钱包。'
let asking = false

window.addEventListener('eip6963:announceProvider', (event) => {
  const { info, provider } = event.detail
  wallets.set(info.uuid, { name: info.name, provider })
  draw()
})
window.dispatchEvent(new Event('eip6963:requestProvider'))
setTimeout(() => {
  if (wallets.size === 0 && window.ethereum) wallets.set('injected', { name: 'your wallet', provider: window.ethereum })
  draw()
}, 300)

/** Wallets announce themselves at any time: what was chosen and what was said about it stay. */
function draw() {
  const choice = document.querySelector('select')
  const chosen = choice.value
  choice.hidden = wallets.size < 2
  choice.replaceChildren(...[...wallets].map(([id, { name }]) => new Option(name, id, false, id === chosen)))
  button.disabled = asking || wallets.size === 0
  if (wallets.size === 0) status.textContent = NO_WALLET
  else if (status.textContent === NO_WALLET) status.textContent = ''
}

button.addEventListener('click', async () => {
  const { provider } = wallets.get(document.querySelector('select').value) ?? [...wallets.values()][0]
  asking = true
  draw()
  status.textContent = 'Waiting for your wallet … 正在等待钱包……'
  try {
    const accounts = await provider.request({ method: 'eth_requestAccounts' })
    const hex = `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
    const signature = await provider.request({ method: 'personal_sign', params: [hex, accounts[0]] })
    const answer = await fetch('/.rackfair/sign-in', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ order, nonce, time: Number(time), signature }),
    })
    if (answer.ok) location.replace('/')
    else status.textContent = (await answer.json()).message
  } catch (error) {
    status.textContent = error?.code === 4001 ? '' : String(error?.message ?? error).slice(0, 150)
  }
  asking = false
  draw()
})
