import { describe, expect, it } from 'vitest'
import { applicationText, valueNames } from '../services/applicationText.ts'
import { shareable } from '../services/shareable.ts'
import { formatApplicationYaml } from './applicationYaml.ts'
import { readPasted } from './readPasted.ts'

const COMPOSE = `
services:
  web:
    image: ghcr.io/acme/shop:2.1
    command: ["serve", "--port", "8000"]
    entrypoint: ["/bin/shop"]
    ports: ["8000:8000"]
    environment: { CACHE_URL: "redis://cache:6379", NUMBER: "5", OFF: "false", POSTGRES_PASSWORD: hunter2, DB_PASSWORD: correct horse }
    depends_on: { db: { condition: service_healthy } }
    volumes: ["seen:/seen"]
    shm_size: 128m
  db:
    image: postgres:16
    environment: { POSTGRES_PASSWORD: hunter2, DB_PASSWORD: another }
    healthcheck: { test: ["CMD", "pg_isready"], interval: 5s }
    mem_limit: 512m
    volumes: ["rows:/var/lib/postgresql/data", "seen:/seen:ro"]
  cache: { image: redis:7, container_name: Store }
volumes: { rows: {}, seen: {} }
`

describe('the file of an application of several services', () => {
  const pasted = readPasted(COMPOSE)
  const application = pasted.application
  if (!application) throw new Error(JSON.stringify(pasted.problems))
  const file = formatApplicationYaml(application)

  it('is read as the very application, whose hash is what is signed', () => {
    const again = readPasted(file)
    expect(again.problems).toEqual([])
    expect(again.kind).toBe('app')
    expect(again.services).toEqual(['cache', 'db', 'web'])
    expect(applicationText(again.application ?? application)).toBe(applicationText(application))
    expect(formatApplicationYaml(again.application ?? application)).toBe(file)
  })

  it('for others has no value that opens something, and asks each who deploys it for them', () => {
    const open: Record<string, Record<string, string>> = {
      db: { POSTGRES_PASSWORD: 'hunter2', DB_PASSWORD: 'another' },
      web: { POSTGRES_PASSWORD: 'hunter2', DB_PASSWORD: 'correct horse' },
    }
    const services = application.services.map((one) => ({ ...one, env: { ...one.env, ...open[one.name] }, secrets: {} }))
    const given = formatApplicationYaml(shareable({ ...application, services }))
    expect(given).not.toContain('hunter2')
    expect(given).not.toContain('correct horse')
    const again = readPasted(given)
    expect(again.values).toEqual({})
    expect(again.application && valueNames(again.application)).toEqual(['DB_PASSWORD', 'POSTGRES_PASSWORD', 'WEB_DB_PASSWORD'])
    const secrets = Object.fromEntries(again.application?.services.map((one) => [one.name, one.secrets]) ?? [])
    // The same value under the same name is one.
    expect(secrets).toEqual({
      cache: {},
      db: { DB_PASSWORD: 'DB_PASSWORD', POSTGRES_PASSWORD: 'POSTGRES_PASSWORD' },
      web: { DB_PASSWORD: 'WEB_DB_PASSWORD', POSTGRES_PASSWORD: 'POSTGRES_PASSWORD' },
    })
  })

  it('of a stranger is refused by line where it has what no application has', () => {
    const lines = [
      'application:',
      '  web:',
      '    image: redis:7',
      '    privileged: true',
      '    env: { A: 5 }',
      'values: { KEY: x }',
      '',
    ]
    const { application: whole, problems } = readPasted(lines.join('\n'))
    expect(whole).toBeUndefined()
    expect(problems).toContainEqual({ field: 'values', code: 'unsupported', line: 6 })
    expect(problems).toContainEqual(expect.objectContaining({ field: 'services.web.privileged', line: 4 }))
  })

  it('is refused whole where it is no map, too long or twice in one text', () => {
    for (const text of [
      'application: 5\n',
      'application: [a]\n',
      'application: {}\n',
      `${file}---\n${file}`,
      `${file}${'#'.repeat(70_000)}`,
    ]) {
      const { application: whole, problems } = readPasted(text)
      expect(whole).toBeUndefined()
      expect(problems.length).toBeGreaterThan(0)
    }
  })
})
