import { describe, expect, it } from 'vitest'
import { levelOf, MAX_SHOWN_CHARACTERS, readLine } from './readLine.ts'

const read = (text: string) => readLine(new TextEncoder().encode(text))

describe('a line of an application', () => {
  it.each([
    ['plain text stays', 'GET /index.html 200', 'GET /index.html 200'],
    ['colours are taken out', '\u001b[1;31mfailed\u001b[0m in 2 s', 'failed in 2 s'],
    ['the title of a window is not set', '\u001b]0;owned\u0007hello', 'hello'],
    ['a link of a terminal is its text', '\u001b]8;;https://evil.example\u001b\\click\u001b]8;;\u001b\\', 'click'],
    ['the screen is not cleared', '\u001b[2J\u001b[Hhello', 'hello'],
    ['an escape without an end does nothing', 'a\u001b', 'a·'],
    ['a progress bar shows its last state', '10 %\r50 %\r100 %\r', '100 %'],
    ['a tab is space', 'a\tb', 'a    b'],
    ['direction marks are seen', 'user\u202Etxt.exe', 'user·txt.exe'],
    ['a bell rings not', 'a\u0007b\u0000', 'a·b·'],
    ['markup is text', '<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ])('%s', (_name, written, shown) => expect(read(written)).toBe(shown))

  it('is printable for arbitrary bytes', () => {
    const bytes = Uint8Array.from({ length: 512 }, (_, index) => (index * 37) % 256)
    expect(readLine(bytes)).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(readLine(new Uint8Array([0xff, 0xfe, 0x41]))).toBe('��A')
  })

  it('is truncated for the screen', () => expect(read('x'.repeat(70_000))).toHaveLength(MAX_SHOWN_CHARACTERS))
})

describe('the level of a line', () => {
  it.each([
    ['fail', '2026/11/22 14:00:01 [error] 7#7: *1 open() failed'],
    ['fail', '{"level":"error","msg":"no space"}'],
    ['fail', 'Traceback (most recent call last):'],
    ['fail', 'E1122 14:00:01 1 main.go:3] lost'],
    ['fail', 'ValueError: no such name'],
    ['warn', 'WARNING: no file found'],
    ['warn', 'npm warn deprecated left-pad@1.0.0'],
    ['info', 'INFO 0 errors, 2 warnings'],
    ['info', '127.0.0.1 - - "GET /error.html HTTP/1.1" 200'],
    ['info', 'terror, mirror, forwarning'],
    [
      'info',
      '2026/11/22 14:00:01 [error] 29#29: *1 open() "/usr/share/nginx/html/favicon.ico" failed (2: No such file or directory)',
    ],
    ['info', '[error] 7#7: *3 open() "/srv/apple-touch-icon-precomposed.png" failed (2: No such file or directory)'],
    ['fail', '[error] 7#7: *3 open() "/srv/favicon.ico.bak" failed (2: No such file or directory)'],
  ])('is %s: %s', (level, text) => expect(levelOf(text, 'info')).toBe(level))

  it('is inherited by stack frames', () => {
    expect(levelOf('    at run (/app/main.js:3)', 'fail')).toBe('fail')
    expect(levelOf('next request', 'fail')).toBe('info')
  })
})
