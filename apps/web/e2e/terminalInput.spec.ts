import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type CDPSession, expect, type Page, test } from '@playwright/test'
import { CHROMIUM } from '@rackfair/testkit'
import { build } from 'vite'
import { paste } from './paste.ts'

test.skip(!existsSync(CHROMIUM), `no Chromium at ${CHROMIUM}`)

/** Ways by which text reaches a field, and what of it a shell gets. */
const WAYS: readonly [way: string, enter: (page: Page, cdp: CDPSession) => Promise<unknown>, got: string][] = [
  ['keys', (page) => page.keyboard.type('echo Az 1\n'), 'echo Az 1\r'],
  ['an emoji panel', (page) => page.keyboard.insertText('é😀'), 'é😀'],
  [
    'the choice of an accent while its key is down',
    async (page) => {
      await page.keyboard.down('e')
      await page.keyboard.insertText('é')
      await page.keyboard.up('e')
      await page.keyboard.press('x')
    },
    'eéx',
  ],
  [
    'a panel that keeps the end of the key to itself',
    async (page) => {
      await page.keyboard.down('Meta')
      await page.keyboard.insertText('你')
      await page.keyboard.insertText('a')
      await page.keyboard.up('Meta')
    },
    '你a',
  ],
  ['dictation of two lines', (page) => page.keyboard.insertText('one\ntwo'), 'one\rtwo'],
  [
    'an input method',
    async (page, cdp) => {
      for (const text of ['n', 'ni', '你'])
        await cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
      await page.keyboard.insertText('你好')
      await page.keyboard.press('x')
    },
    '你好x',
  ],
  [
    'an input method, and keys before the page has a moment',
    async (page, cdp) => {
      await cdp.send('Input.imeSetComposition', { text: 'n', selectionStart: 1, selectionEnd: 1 })
      await whileBusy(page, () => [
        cdp.send('Input.insertText', { text: '你好' }),
        ...pressed(cdp, 'x\r'),
        ...['好', '我'].flatMap((text) => [
          cdp.send('Input.imeSetComposition', { text: 'h', selectionStart: 1, selectionEnd: 1 }),
          cdp.send('Input.insertText', { text }),
        ]),
        ...pressed(cdp, 'Y'),
      ])
    },
    '你好x\r好我Y',
  ],
  ['a key that an input method takes', (_, cdp) => Promise.all(takenKey(cdp, '，')), '，'],
  [
    'such keys, and others before the page has a moment',
    (page, cdp) => whileBusy(page, () => [...takenKey(cdp, '，'), ...takenKey(cdp, '。'), ...pressed(cdp, 'x')]),
    '，。x',
  ],
  [
    'a phone’s key that takes text back',
    async (page, cdp) => {
      await cdp.send('Input.imeSetComposition', { text: 'ab', selectionStart: 2, selectionEnd: 2 })
      await page.keyboard.insertText('ab')
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
      await Promise.all(takenKey(cdp, { command: 'deleteBackward' }))
    },
    'ab\x7f',
  ],
  ['paste', (page) => paste(page, 'ls é\nls'), 'ls é\rls'],
  ['an editing command', (page) => page.evaluate(() => document.execCommand('insertText', false, 'p@ß')), 'p@ß'],
  [
    'a password manager that sets the value',
    (page) =>
      page.evaluate(() => {
        const field = document.activeElement as HTMLTextAreaElement
        field.value = 'sécret'
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }),
    'sécret',
  ],
]

/** A key whose meaning an input method keeps to itself. */
function takenKey(cdp: CDPSession, does: string | { command: string }): Promise<unknown>[] {
  const key = { windowsVirtualKeyCode: 229, key: 'Process' }
  const commands = typeof does === 'string' ? [] : [does.command]
  return [
    cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key, commands }),
    ...(typeof does === 'string' ? [cdp.send('Input.insertText', { text: does })] : []),
    cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
  ]
}

/** In their order, without a wait for the page between them, as a hand presses keys. */
function pressed(cdp: CDPSession, characters: string): Promise<unknown>[] {
  return [...characters].flatMap((text) => {
    const key = { key: text === '\r' ? 'Enter' : text, windowsVirtualKeyCode: text.toUpperCase().charCodeAt(0) }
    return [
      cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key, text }),
      cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
    ]
  })
}

/** All of it reaches the page before any timer does. */
async function whileBusy(page: Page, send: () => Promise<unknown>[]) {
  const busy = page.evaluate(() => {
    const until = performance.now() + 500
    while (performance.now() < until);
  })
  await Promise.all([busy, ...send()])
}

for (const screenReader of [false, true])
  test(`terminal: takes text however it comes, ${screenReader ? 'with' : 'without'} a screen reader`, async ({ page }) => {
    const { script, style } = await built()
    await page.setContent(`<style>${style}</style><div id="place" style="width: 800px; height: 400px"></div>`)
    await page.addScriptTag({ content: script })
    const cdp = await page.context().newCDPSession(page)
    await page.evaluate((isOn) => {
      const place = document.querySelector<HTMLElement>('#place')
      const { screen } = window as unknown as { screen: typeof import('../src/features/orders/terminal/openScreen.ts') }
      if (!place) return
      const { terminal } = screen.openScreen(place, { label: 'shell', screenReader: isOn, onLeave: () => undefined })
      const got: string[] = []
      terminal.onData((text) => got.push(text))
      terminal.focus()
      Object.assign(window, { takeGot: () => got.splice(0).join('') })
    }, screenReader)
    const seen: [string, string][] = []
    for (const [way, enter] of WAYS) {
      await enter(page, cdp)
      // Behind all that xterm has put off.
      const got = await page.evaluate(async () => {
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
        return (window as unknown as { takeGot: () => string }).takeGot()
      })
      seen.push([way, JSON.stringify(got)])
    }
    expect(seen).toEqual(WAYS.map(([way, , got]) => [way, JSON.stringify(got)]))
  })

/** The screen alone, as the page bundles it. */
async function built() {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: {
        entry: fileURLToPath(new URL('../src/features/orders/terminal/openScreen.ts', import.meta.url)),
        formats: ['iife'],
        name: 'screen',
      },
    },
  })
  const files = [result].flat().flatMap((one) => ('output' in one ? one.output : []))
  const code = files.find((file) => file.type === 'chunk')?.code ?? ''
  const style = files.find((file) => file.type === 'asset')?.source ?? ''
  return { script: code.replace(/^var screen/m, 'window.screen'), style: String(style) }
}
