import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RemoteImage } from './createRegistryClient.ts'

/** The name by which the engine imports the layout. */
export const LAYOUT_NAME = 'app'

/** Writes what an engine imports beside the layers, which lie in `folder`/blobs/sha256 by their digests. */
export function writeLayout(folder: string, { config, layers }: Pick<RemoteImage, 'config' | 'layers'>): void {
  const put = (bytes: Buffer): { digest: string; size: number } => {
    const hash = createHash('sha256').update(bytes).digest('hex')
    writeFileSync(join(folder, 'blobs', 'sha256', hash), bytes)
    return { digest: `sha256:${hash}`, size: bytes.length }
  }
  const manifest = put(
    Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: 'application/vnd.oci.image.manifest.v1+json',
        config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...put(config.bytes) },
        layers: layers.map(({ mediaType, digest, size }) => ({ mediaType: ociTypeOf(mediaType), digest, size })),
      }),
    ),
  )
  writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
  writeFileSync(
    join(folder, 'index.json'),
    JSON.stringify({
      schemaVersion: 2,
      manifests: [
        {
          mediaType: 'application/vnd.oci.image.manifest.v1+json',
          ...manifest,
          annotations: { 'org.opencontainers.image.ref.name': LAYOUT_NAME },
        },
      ],
    }),
  )
}

function ociTypeOf(mediaType: string): string {
  const packing = /zstd/.test(mediaType) ? '+zstd' : /gzip/.test(mediaType) ? '+gzip' : ''
  return `application/vnd.oci.image.layer.v1.tar${packing}`
}
