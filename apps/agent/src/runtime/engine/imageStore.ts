import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AppError } from '@rackfair/rules/errors/AppError'
import type Docker from 'dockerode'
import { z } from 'zod'
import { diskFull, saysDiskFull } from '../../foundation/diskFull.ts'
import type { RunSpec } from '../RunSpec.ts'
import { imageChanges, recipeKey, rootfsFile, rootfsTar } from './buildImage.ts'
import { createBuilds } from './createBuilds.ts'
import { isMissing } from './engineError.ts'
import { type ImageRecipe, type LocalImage, recipeOf } from './imageRecipe.ts'
import type { RecipeStore } from './recipeStore.ts'

const approved = z.record(z.string(), z.object({ imageId: z.string().regex(/^[0-9a-f]{64}$/), key: z.string(), at: z.number() }))
type Approved = z.infer<typeof approved>

export interface ImageStoreOptions {
  docker: Docker
  /** For what may be silent for long without being stuck: downloads. */
  patient: Docker
  /** Where the list of approved images lies. */
  folder: string
  /** Where built images lie as tar files; agents on one machine may share it. */
  tarFolder: string
  presetsFolder: string
  /** What this or another agent imported; without one, `importTar` imports into the engine. */
  store?: RecipeStore | undefined
  /** Imports a tar file as the image of the recipe with this key, and answers its id. */
  importTar(key: string, tar: string, name: string, recipe: ImageRecipe): Promise<string>
}

/**
 * The images an agent may start, by digest. A name says nothing: what was built or approved once is recorded by the digest of its
 * configuration, containers start from that digest alone, and another image under the same name is not started.
 */
export function createImageStore({ docker, patient, folder, tarFolder, presetsFolder, store, importTar }: ImageStoreOptions) {
  const file = join(folder, 'approved.json')
  const read = (): Approved => (existsSync(file) ? approved.parse(JSON.parse(readFileSync(file, 'utf8'))) : {})
  const approve = (image: string, imageId: string, key: string) => {
    mkdirSync(folder, { recursive: true })
    const next = `${file}.${process.pid}`
    writeFileSync(next, `${JSON.stringify({ ...read(), [image]: { imageId, key, at: Date.now() } }, null, 2)}\n`, { mode: 0o600 })
    renameSync(next, file)
  }
  const keyOf = (image: string) => {
    const local = recipeOf(image, presetsFolder)
    return local ? recipeKey(local.recipe, local.root) : image
  }
  const present = async (imageId: string) => {
    try {
      // Without its prefix podman takes an id that it does not have for a name, and calls that an error of its own.
      return (await docker.getImage(`sha256:${imageId}`).inspect()).Id.replace('sha256:', '') === imageId
    } catch (cause) {
      if (isMissing(cause)) return false
      throw new AppError('engine_unavailable', 'the image cannot be looked up', { cause, retryable: true })
    }
  }
  const find = async (image: string): Promise<string | undefined> => {
    const entry = read()[image]
    return entry && entry.key === keyOf(image) && (await present(entry.imageId)) ? entry.imageId : undefined
  }

  /** Orders that want the same missing image wait for the same build. */
  const builds = createBuilds<string>()
  const imports = createBuilds<string>()
  const tarOf = (local: LocalImage, onProgress: (line: string) => void) =>
    builds.run(local.recipe.name, (say, signal) => rootfsTar(local, tarFolder, { onProgress: say, signal }), onProgress)
  const build = async (image: string, local: LocalImage, onProgress: (line: string) => void) => {
    const { recipe, root } = local
    const key = recipeKey(recipe, root)
    const shared = store?.find(key)
    if (shared && (await present(shared))) {
      approve(image, shared, key)
      return shared
    }
    const tar = await tarOf(local, onProgress)
    onProgress(`importing ${recipe.name}`)
    const imageId = await importTar(key, tar, recipe.name, recipe)
    approve(image, imageId, key)
    return imageId
  }

  return {
    /** The approved image of a preset if it is on this machine. */
    find: (app: RunSpec) => find(app.image),

    /** Whether an image, by its digest, is on this machine. */
    present,

    /** Whether `ensure` has neither to build nor to get anything: what was built and not imported yet takes seconds. */
    async isReady(app: RunSpec): Promise<boolean> {
      const local = recipeOf(app.image, presetsFolder)
      return Boolean(local && existsSync(rootfsFile(local, tarFolder))) || (await find(app.image)) !== undefined
    },

    /** As find; a recipe whose image is missing is built, from the tar file of an earlier build when there is one. */
    async ensure(app: RunSpec, onProgress: (line: string) => void = () => {}): Promise<string> {
      const there = await find(app.image)
      if (there) return there
      const local = recipeOf(app.image, presetsFolder)
      if (!local)
        throw new AppError(
          'image_missing',
          `the image ${app.image} is not on this machine: deploy another application, or ask the provider to run rackfair-agent images sync ${app.name}`,
        )
      return imports.run(app.image, (say) => build(app.image, local, say), onProgress)
    },

    /** Does of `ensure` what can be done before somebody waits for it. Answers whether there was anything to do. */
    async prepare(app: RunSpec, onProgress: (line: string) => void): Promise<boolean> {
      const local = recipeOf(app.image, presetsFolder)
      if (!local || (await find(app.image))) return false
      let worked = false
      const say = (line: string) => {
        worked = true
        onProgress(line)
      }
      await imports.run(app.image, (tell) => build(app.image, local, tell), say)
      return worked
    },

    /** Ends what is being built, and waits for it and for what is being imported. Nothing is built from then on. */
    stopBuilds: async () => void (await Promise.all([builds.stop(), imports.stop()])),

    /** Gets an image from its registry and approves exactly what came: the provider's own decision, never a tenant's. */
    async pull(app: RunSpec, onProgress: (line: string) => void): Promise<string> {
      onProgress(`pulling ${app.image}`)
      try {
        const stream = await patient.pull(app.image)
        await new Promise<void>((resolve, reject) => {
          patient.modem.followProgress(
            stream,
            (error) => (error ? reject(error) : resolve()),
            (event: { status?: string }) => event.status && onProgress(event.status),
          )
        })
        const imageId = (await docker.getImage(app.image).inspect()).Id.replace('sha256:', '')
        approve(app.image, imageId, app.image)
        return imageId
      } catch (cause) {
        const message = cause instanceof Error ? cause.message : String(cause)
        if (saysDiskFull(message)) throw diskFull(`the image ${app.image} cannot be kept`, cause)
        throw new AppError('image_missing', `the image ${app.image} cannot be got`, { cause, retryable: true })
      }
    },
  }
}
export type ImageStore = ReturnType<typeof createImageStore>

export async function dockerImport(docker: Docker, tar: string, name: string, recipe: ImageRecipe): Promise<string> {
  const stream = (await docker.importImage(tar, {
    repo: name,
    changes: imageChanges(recipe).join('\n'),
  })) as unknown as NodeJS.ReadableStream
  await new Promise<void>((resolve, reject) =>
    docker.modem.followProgress(stream, (error) => (error ? reject(error) : resolve())),
  )
  return (await docker.getImage(name).inspect()).Id.replace('sha256:', '')
}
