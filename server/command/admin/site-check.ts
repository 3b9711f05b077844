import { once } from 'node:events';
import { connect } from 'node:tls';

import * as z from 'zod/mini';

import { DAY_MS, SECOND_MS } from '#domain/duration.ts';
import { systemClock } from '#server/clock.ts';
import { causeOf } from '#server/start-error.ts';
import { VERSION } from '#server/version.ts';

export interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly detail: string;
}

export type Result = Omit<Finding, 'check'>;

export const ok = (detail: string): Result => ({ state: 'ok', detail });
export const warning = (detail: string): Result => ({ state: 'warning', detail });
export const failed = (detail: string): Result => ({ state: 'failed', detail });

const TIMEOUT_MS = 5 * SECOND_MS;
const CLOCK_DIFFERENCE_MS_MAX = 30 * SECOND_MS;
const CERTIFICATE_DAYS_MIN = 14;
/** Matches the error codes of OpenSSL, such as DEPTH_ZERO_SELF_SIGNED_CERT, and of Node. */
const CERTIFICATE_ERROR = /CERT|LEAF_SIGNATURE/;

const healthReply = z.object({ version: z.string(), proxy: z.optional(z.string()) });

const withoutProxy = (publicUrl: Result, why: string) => ({
  publicUrl,
  proxy: warning(`The proxy cannot be checked${why}.`),
});
const NO_ANSWER = ', because PUBLIC_URL does not answer';

export async function checkPublicUrl(publicUrl: string | null) {
  if (publicUrl === null) {
    const unset = warning('PUBLIC_URL is not set. Set it to the https origin of the service.');
    return withoutProxy(unset, ' without PUBLIC_URL');
  }
  try {
    const response = await request(`${publicUrl}/healthz?proxy`);
    const { data } = healthReply.safeParse(await response.json().catch(() => null));
    if (!response.ok || data === undefined) {
      const detail = `${publicUrl}/healthz answers with status ${response.status}, but not as this service does. Check where PUBLIC_URL and the proxy lead.`;
      return withoutProxy(failed(detail), NO_ANSWER);
    }
    const site = await checkSite(publicUrl, data.version);
    return { publicUrl: site, proxy: checkProxy(publicUrl, data.proxy) };
  } catch (error) {
    const cause = causeOf(error);
    if (CERTIFICATE_ERROR.test(cause)) {
      const advice =
        'Renew it. If you have an authority of your own, set NODE_EXTRA_CA_CERTS to the file of its certificate.';
      const detail = `The certificate of ${publicUrl} is not valid for this machine (${cause}). ${advice}`;
      return withoutProxy(failed(detail), ' without a valid certificate');
    }
    const detail = `${publicUrl} does not answer from this machine (${cause}). Start the service, or look at the name service, the proxy and the firewall.`;
    return withoutProxy(failed(detail), NO_ANSWER);
  }
}

async function checkSite(publicUrl: string, version: string): Promise<Result> {
  if (version !== VERSION)
    return warning(
      `The service answers with version ${version}, but this command has version ${VERSION}. Run the command of the service's version.`,
    );
  if (publicUrl.startsWith('http:')) return ok('The service answers.');
  const end = await certificateEnd(new URL(publicUrl));
  const detail = `The service answers, and its certificate is valid until ${end.toISOString()}.`;
  const days = (end.getTime() - systemClock.now()) / DAY_MS;
  return days < CERTIFICATE_DAYS_MIN ? warning(`${detail} Renew it.`) : ok(detail);
}

async function certificateEnd({ hostname, port }: URL): Promise<Date> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port || '443'), servername: host });
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no response in time')));
  await once(socket, 'secureConnect');
  const { valid_to: end } = socket.getPeerCertificate();
  socket.destroy();
  return new Date(end);
}

function checkProxy(publicUrl: string, proxy: string | undefined): Result {
  if (proxy === 'trusted') return ok('The service knows the IP address of each visitor.');
  if (proxy === 'not trusted')
    return failed(
      'A proxy in front of the service is not in TRUST_PROXY, so all visitors share the limits of one. Add the networks of the proxy and of a CDN to it (docs/operate/proxy.md).',
    );
  if (proxy === undefined) return warning('The service that answers does not report its proxy.');
  return publicUrl.startsWith('http:')
    ? ok('No proxy is in front of the service.')
    : failed(
        'The proxy sends no X-Forwarded-For, so all visitors share the limits of one. Make the proxy send it (docs/operate/proxy.md).',
      );
}

/** Reports the clock. `jump` is the sentence that findClockJump has returned. */
export function checkClock(time: number | undefined, jump: string | null): Result {
  const now = systemClock.now();
  const here = `The clock of this machine says ${new Date(now).toISOString()}`;
  const advice = 'Nothing is deleted meanwhile. See docs/operate/runbooks.md#the-clock-is-wrong.';
  if (time === undefined || Number.isNaN(time))
    return jump
      ? failed(`${here}. ${jump} ${advice}`)
      : warning(`${here}. It could not be compared with another clock.`);
  const seconds = Math.round((now - time) / SECOND_MS);
  const detail = `${here}, which is ${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} another machine.`;
  if (Math.abs(now - time) > CLOCK_DIFFERENCE_MS_MAX)
    return failed(`${detail} Set the clock (docs/operate/runbooks.md#the-clock-is-wrong).`);
  return jump ? warning(`${detail} ${jump} ${advice}`) : ok(detail);
}

export function request(url: string, method = 'GET'): Promise<Response> {
  return fetch(url, { method, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
}
