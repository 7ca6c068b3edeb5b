/*
 * What is waited for opens in place of this page once it is there. Until then only what has changed is said anew, so that nobody is read the
 * same words every few seconds, as a page that loads itself again would have it.
 */
const main = document.querySelector('main')
main.setAttribute('aria-live', 'polite')
wait(document)

function wait({ body }) {
  setTimeout(look, Number(body.dataset.wait) * 1000)
}

async function look() {
  const answer = await fetch(location.href, { cache: 'no-store', redirect: 'manual' }).catch(() => undefined)
  if (!answer) return wait(document)
  if (!answer.headers.has('rackfair-wait')) return location.reload()
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const said = next.querySelector('main')
  if (said.innerHTML !== main.innerHTML) {
    document.title = next.title
    main.replaceChildren(...said.childNodes)
  }
  wait(next)
}
