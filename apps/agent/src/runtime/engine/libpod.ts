import type Docker from 'dockerode'

/** Calls podman's native API for what its Docker-compatible API cannot express. Rejects like dockerode, with `statusCode`. */
export function libpod<T = unknown>(
  docker: Docker,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    docker.modem.dial(
      {
        path: `/v4.0.0/libpod${path}`,
        method,
        options: body,
        statusCodes: { 200: true, 201: true, 204: true, 304: true },
      },
      (error, data) => (error ? reject(error) : resolve(data as T)),
    )
  })
}
