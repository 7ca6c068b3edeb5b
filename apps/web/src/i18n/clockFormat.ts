/** 13:58:11, in the zone of this browser. */
export function clockFormat(tag: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
}
