import { clockFormat } from '../../i18n/clockFormat.ts'
import { arrive } from '../../platform/loading/arrive.ts'
import { whenIdle } from '../../platform/loading/onFirstInteraction.ts'

import { follow } from './follow.ts'
import { isForThisBrowser } from './isForThisBrowser.ts'
import { loadProgram } from './loadProgram.ts'

/*
 * For pages that the platform rendered with their data: keeps the page live, and loads the app at the first interaction, which
 * `public/boot.js` reports. The build lists the app's files in this script's element (src/prerender/vite/prerender.ts).
 */
const own = document.querySelector<HTMLScriptElement>('script[data-app]')
const root = document.getElementById('app')
const filesIn = (list: string | undefined) => list?.split(' ') ?? []
if (own && root) start(root, own.dataset.app ?? '', filesIn(own.dataset.parts), filesIn(own.dataset.next))

function start(root: HTMLElement, program: string, parts: readonly string[], next: readonly string[]): void {
  const { rackfairKept: kept } = window
  const sparing = 'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData === true
  let stop = () => {}
  let isWanted = false
  const bring = () => {
    if (isWanted) return
    isWanted = true
    stop()
    void loadProgram(program, parts)
  }
  // What a pressed link leads to comes with the app, not after it.
  const goOn = () => {
    if (kept?.click?.tag === 'A') void arrive(next).catch(() => undefined)
  }
  window.addEventListener('click', goOn, true)
  goOn()
  if (!kept || kept.sign || isForThisBrowser(root)) {
    bring()
    return
  }
  kept.onSign = bring
  const seen = new IntersectionObserver((places) => places.some(({ isIntersecting }) => isIntersecting) && bring())
  const complete = () => {
    for (const clock of root.querySelectorAll<HTMLElement>('[data-clock]')) showTime(clock)
    for (const place of root.querySelectorAll('[data-later]')) seen.observe(place)
  }
  const unfollow = follow({ root, program, sparing, giveUp: bring, changed: complete })
  const ticking = setInterval(complete, 1000)
  stop = () => {
    unfollow()
    seen.disconnect()
    clearInterval(ticking)
  }
  complete()
  if (sparing) return
  const ahead = () => whenPainted(() => whenIdle(() => void arrive(parts, 'low').catch(() => undefined)))
  if (document.readyState === 'complete') ahead()
  else window.addEventListener('load', ahead)
}

/** Waits until the page is painted: fetching earlier would delay the paint. A hidden tab is painted once it is shown. */
function whenPainted(callback: () => void): void {
  const watcher = new PerformanceObserver(() => {
    watcher.disconnect()
    callback()
  })
  watcher.observe({ type: 'paint', buffered: true })
}

/** A clock that the platform could not render, because it does not know this browser's time. */
function showTime(clock: HTMLElement): void {
  clock.textContent = clockFormat(document.documentElement.lang).format(Date.now() + Number(clock.dataset.clock) * 1000)
  clock.classList.remove('invisible')
}
