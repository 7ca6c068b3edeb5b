import { AppError } from '@rackfair/rules/errors/AppError'
import { download, type Workspace } from '@rackfair/sdk/workspace'

/** Bytes of a text that is opened, and of a picture, a sound or a film. */
export const MAX_TEXT_BYTES = 2 ** 20
export const MAX_MEDIA_BYTES = 32 * 2 ** 20

const MEDIA: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  svg: 'image/svg+xml',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
  webm: 'video/webm',
}

/** What a file is shown as. `ending` is what its lines end with; undefined where they differ, so that it cannot be written back as it was. */
export type OpenedFile =
  | { kind: 'text'; text: string; ending: '\n' | '\r\n' | undefined }
  | { kind: 'image' | 'audio' | 'video'; blob: Blob }
  | { kind: 'large' | 'other' }

/** The kind of a picture, a sound or a film by its name; undefined for every other file. */
export const mediaTypeOf = (name: string): string | undefined => MEDIA[/\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '']

/**
 * Reads a file as far as it can be shown.
 * @throws AppError why it cannot be read.
 */
export async function readFile(workspace: Workspace, path: string, signal: AbortSignal): Promise<OpenedFile> {
  const media = mediaTypeOf(path)
  const most = media === undefined ? MAX_TEXT_BYTES : MAX_MEDIA_BYTES
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  let isLarge = false
  // Of a file that grows, or says no size, more may come than it had.
  const check = (bytes: number | undefined) => {
    isLarge ||= (bytes ?? 0) > most
    if (isLarge) throw new AppError('payload_too_large', `more than ${most} bytes`)
  }
  try {
    await download(workspace, path, {
      signal,
      onBegin: (begin) => check(begin.size),
      onBytes(bytes) {
        size += bytes.length
        check(size)
        pieces.push(new Uint8Array(bytes))
      },
    })
  } catch (error) {
    if (isLarge) return { kind: 'large' }
    throw error
  }
  if (media !== undefined)
    return { kind: media.split('/')[0] as 'image' | 'audio' | 'video', blob: new Blob(pieces, { type: media }) }
  return asText(new Uint8Array(await new Blob(pieces).arrayBuffer()))
}

/** A text where the bytes are UTF-8 without a zero, which no editor keeps. */
export function asText(bytes: Uint8Array): OpenedFile {
  if (bytes.includes(0)) return { kind: 'other' }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { kind: 'text', text: text.replaceAll('\r\n', '\n'), ending: endingOf(text) }
  } catch {
    return { kind: 'other' }
  }
}

function endingOf(text: string): '\n' | '\r\n' | undefined {
  const both = text.split('\r\n').length - 1
  const feeds = text.split('\n').length - 1
  const returns = text.split('\r').length - 1
  if (returns === 0) return '\n'
  return both === feeds && both === returns ? '\r\n' : undefined
}
