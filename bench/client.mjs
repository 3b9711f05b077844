// Sends requests over connections that stay open.
import { Agent, request } from 'node:http';

/** The service closes an idle connection after 5 s, and a request that is sent at that moment would be lost. */
const IDLE_MS_MAX = 3000;
let addressCount = 0;

/** Each request comes from an IP address of its own, so that no limit is reached. */
function nextAddress() {
  addressCount += 1;
  return `10.${(addressCount >> 16) & 255}.${(addressCount >> 8) & 255}.${addressCount & 255}`;
}

/** Returns a function that sends a request and resolves after a response of 200; a body makes it a POST. */
function createClient(origin, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections, timeout: IDLE_MS_MAX });
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

/** Runs `work` on a fresh service with a client that has this many connections. */
export async function withService(setup, { connections, ...options }, work) {
  const service = await setup.start(options);
  const send = createClient(service.origin, connections);
  const figures = await work({ service, send });
  send.close();
  await service.stop();
  return figures;
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
