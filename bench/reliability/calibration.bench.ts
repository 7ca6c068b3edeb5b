import { writeFileSync } from 'node:fs'
import {
  calibration,
  FAILURE_LAWS,
  type ScoredHost,
  scoreRow,
  simulateHosts,
} from '../../packages/rules/src/uptime/testing/simulateHosts.ts'

/** The forecast reliability of nodes compared with the outcome: the table of `docs/reliability.md`, and its plot with --write. */
const SEED = 20_261_122
const COUNT = 10_000
const DAYS = [7, 30]
const PLOTTED = { law: 'steady', days: 30 }
const [SIZE, LEFT, TOP] = [300, 56, 16]
const TITLE = 'What is said of the next 30 days, and what is true'
const THEMES = {
  light: { ink: '#1b1f24', line: '#c9ced6', ours: '#0b7a4b', runpod: '#b4530a', sevenDays: '#5b5bd6' },
  dark: { ink: '#e6e9ee', line: '#3a414b', ours: '#3ecf8e', runpod: '#f0a35e', sevenDays: '#9d9dff' },
} as const
const FORECASTS = {
  ours: ['Rackfair', (host: ScoredHost) => host.ours],
  runpod: ['share of minutes, 30 days (RunPod)', (host: ScoredHost) => host.runpod],
  sevenDays: ['share of minutes, 7 days', (host: ScoredHost) => host.sevenDays],
} as const

for (const [name, law] of Object.entries(FAILURE_LAWS))
  for (const days of DAYS) {
    const hosts = simulateHosts(law, { count: COUNT, days, seed: SEED })
    console.log(scoreRow(name, days, hosts))
    if (name !== PLOTTED.law || days !== PLOTTED.days || !process.argv.includes('--write')) continue
    for (const theme of ['light', 'dark'] as const)
      writeFileSync(new URL(`../../docs/images/reliability-${theme}.svg`, import.meta.url), plot(hosts, THEMES[theme]))
  }

/** One point per decile of hosts: the mean forecast, and the truth. A point on the diagonal is a calibrated forecast. */
function plot(hosts: readonly ScoredHost[], colours: Record<'ink' | 'line' | keyof typeof FORECASTS, string>): string {
  const x = (said: number) => (LEFT + said * SIZE).toFixed(1)
  const y = (truth: number) => (TOP + (1 - truth) * SIZE).toFixed(1)
  const text = (at: string, content: string, fill = colours.ink) =>
    `<text ${at} fill="${fill}" font-family="system-ui, sans-serif" font-size="12">${content}</text>`
  const parts = [0, 0.25, 0.5, 0.75, 1].flatMap((value) => [
    `<path d="M${x(0)} ${y(value)}H${x(1)}M${x(value)} ${y(0)}V${y(1)}" stroke="${colours.line}" stroke-width="0.5"/>`,
    text(`x="${LEFT - 8}" y="${Number(y(value)) + 4}" text-anchor="end"`, `${value * 100} %`),
    text(`x="${x(value)}" y="${Number(y(0)) + 18}" text-anchor="middle"`, `${value * 100} %`),
  ])
  parts.push(`<path d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}" stroke="${colours.ink}" stroke-dasharray="4 4"/>`)
  for (const [index, [key, [label, forecast]]] of Object.entries(FORECASTS).entries()) {
    const fill = colours[key as keyof typeof FORECASTS]
    for (const { said, truth } of calibration(hosts, forecast))
      parts.push(`<circle cx="${x(said)}" cy="${y(truth)}" r="4.5" fill="${fill}" fill-opacity="0.85"/>`)
    parts.push(text(`x="${LEFT}" y="${TOP + SIZE + 62 + index * 18}"`, `● ${label}`, fill))
  }
  parts.push(
    text(`x="${x(0.5)}" y="${TOP + SIZE + 38}" text-anchor="middle"`, 'said of a tenth of the hosts; upwards: true of it'),
  )
  const [width, height] = [LEFT + SIZE + 24, TOP + SIZE + 110]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>${TITLE}</title>${parts.join('')}</svg>\n`
}
