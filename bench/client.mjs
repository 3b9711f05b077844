// Requests over connections that stay open.
import { Agent, request } from 'node:http';

let addresses = 0;

/** Each request comes from an address of its own, so that no limit is reached. */
function nextAddress() {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** Returns a function that sends a request and resolves after a response of 200; a body makes it a POST. */
export function createClient(origin, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const send = (path, { body, encoding = 'br', token } = {}) =>
    new Promise((resolve, reject) => {
      const headers = {
        'accept-encoding': encoding,
        'x-forwarded-for': nextAddress(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: token }),
      };
      const method = body === undefined ? 'GET' : 'POST';
      request(origin + path, { agent, method, headers }, (response) => {
        response
          .resume()
          .on('end', () =>
            response.statusCode === 200
              ? resolve()
              : reject(new Error(`${path}: ${response.statusCode}`)),
          )
          .on('error', reject);
      })
        .on('error', reject)
        .end(body);
    });
  return Object.assign(send, { close: () => agent.destroy() });
}

/** Calls `visit` with each item, as many at once as there are connections. */
export async function forEach(items, connections, visit) {
  const iterator = items.values();
  const work = async () => {
    for (const item of iterator) await visit(item);
  };
  await Promise.all(Array.from({ length: connections }, work));
}

export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
