import { expect, it } from 'vitest'
import { redactor, secretHider } from './redactor.ts'

it('keeps the host of an address, but nothing that could be a key', () => {
  const redact = redactor([
    'https://node.example/v3/0123456789abcdef?token=s3cr3t-token',
    'postgres://market:pass%20word@db:5432/market',
  ])
  expect(redact('HTTP request failed. URL: https://node.example/v3/0123456789abcdef?token=s3cr3t-token Status: 500')).toBe(
    'HTTP request failed. URL: https://node.example Status: 500',
  )
  expect(redact('key 0123456789abcdef is over its limit, token s3cr3t-token')).toBe(
    'key [hidden] is over its limit, token [hidden]',
  )
  expect(redact('cannot reach postgres://market:pass%20word@db:5432/market')).toBe('cannot reach postgres://db:5432')
  expect(redact('{"url":"wss://user:pw@other.example/key","at":1}')).toBe('{"url":"wss://other.example","at":1}')
  expect(redact('password "pass word" was refused')).toBe('password "[hidden]" was refused')
})

it('hides the passwords of a database, but not its name, which is often that of the market', () => {
  const redact = redactor(['postgres://rackfair:pass-word@db/rackfair?sslmode=require&sslpassword=key-word'])
  expect(redact('rackfair-indexer: pass-word and key-word are wrong, connections require TLS')).toBe(
    'rackfair-indexer: [hidden] and [hidden] are wrong, connections require TLS',
  )
})

it('leaves other texts unchanged', () => {
  const redact = redactor(['http://127.0.0.1:8545', undefined])
  expect(redact('blocks 0 and 1 of the chain do not link, at 127.0.0.1:8545')).toBe(
    'blocks 0 and 1 of the chain do not link, at 127.0.0.1:8545',
  )
})

it('leaves addresses that people open in texts for people', () => {
  const hide = secretHider(['https://node.example/v3/0123456789abcdef?token=s3cr3t-token'])
  expect(hide('see https://docs.example/guide/rpc; https://node.example/v3/0123456789abcdef?token=s3cr3t-token fails')).toBe(
    'see https://docs.example/guide/rpc; https://node.example[hidden] fails',
  )
})
