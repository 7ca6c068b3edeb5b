import type Docker from 'dockerode'

/** Asks podman's own API for what the one that imitates Docker's cannot say. Rejects as dockerode does, with `statusCode`. */
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
