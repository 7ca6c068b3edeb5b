import { imageList } from '@rackfair/app-spec/services/Application'
import { keccak256, stringToBytes } from 'viem'

/** What an order runs as one image: of several services the hash of the list of theirs. */
export const imageOf = (images: readonly { service: string; imageId: string }[]): string =>
  keccak256(stringToBytes(imageList(images.map(({ service, imageId }) => ({ service, digest: `sha256:${imageId}` }))))).slice(2)
