const WORDS = {
  en: {
    title: 'It did not open',
    none: 'Press Visit under My orders: it opens your application from there.',
    silent: 'The provider’s machine did not answer. Nothing was opened. Press Visit again.',
    failed: {
      order_not_found: 'This order is no longer on this machine.',
      order_not_owned:
        'The wallet that signed does not own the order, or the page that asked is not the market of this provider.',
      text_too_old: 'What you signed has expired, or the clock of your device is wrong. Press Visit again and sign again.',
      text_in_future: 'The clock of your device is ahead. Set it right, then press Visit again.',
      text_replayed: 'This link was used before. Press Visit again.',
      wrong_signer: 'This link was changed on its way. Press Visit again.',
      wrong_provider: 'This link is for another machine. Press Visit again.',
      agent_busy: 'Too many sign-ins. Try again in a moment.',
      preset_needs_origin:
        'This provider has no address of its own for your application. Cancel the order and choose another machine.',
      chain_unreachable: 'The provider’s machine cannot reach the chain to check who you are. Try again in a moment.',
    },
  },
  zh: {
    title: '未能打开',
    none: '请在“我的订单”中点击“访问”，即可打开应用。',
    silent: '供应商的机器没有响应，没有打开任何应用。请再次点击“访问”。',
    failed: {
      order_not_found: '此订单已不在该机器上。',
      order_not_owned: '签名的钱包不拥有该订单，或请求签名的网页不是该供应商的市场。',
      text_too_old: '签名已过期，或您设备的时钟不准。请再次点击“访问”并重新签名。',
      text_in_future: '您设备的时钟过快。请校准后再次点击“访问”。',
      text_replayed: '此链接已使用过。请再次点击“访问”。',
      wrong_signer: '此链接在途中被更改。请再次点击“访问”。',
      wrong_provider: '此链接属于另一台机器。请再次点击“访问”。',
      agent_busy: '登录次数过多，请稍后再试。',
      preset_needs_origin: '该供应商没有为您的应用提供独立的地址。请取消订单并选择其他机器。',
      chain_unreachable: '供应商的机器无法连接到链来确认您的身份。请稍后再试。',
    },
  },
}
const words = document.documentElement.lang === 'en' ? WORDS.en : WORDS.zh
const ticket = location.hash.slice(1)
// Before anything else: neither a copied address nor the history holds the ticket.
history.replaceState(null, '', location.pathname + location.search)

if (ticket === '') say(words.none)
else {
  try {
    const answer = await fetch('/.rackfair/open', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new TextDecoder().decode(
        Uint8Array.from(atob(ticket.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0)),
      ),
    })
    const { to, code, message } = await answer.json()
    if (answer.ok) location.replace(to)
    else say(words.failed[code] ?? message)
  } catch {
    say(words.silent)
  }
}

/** Why it did not open, and the way to the gateway's own sign-in. */
function say(why) {
  document.querySelector('h1').textContent = words.title
  document.querySelector('main > p').hidden = true
  document.querySelector('[role=status]').textContent = why
  const way = document.querySelector('main > p:last-of-type')
  way.firstElementChild.href = `/${document.body.dataset.link}`
  way.hidden = false
}
