import { spawnSync } from 'node:child_process';

import { expect, vi } from 'vitest';

import { startLoad } from './load.ts';
import { createOwner, postPhoto, sendRequest } from './owner.ts';
import { twoHalves } from './picture.ts';
import { print } from './print.ts';
import type { RunningServer } from './server.ts';

/** What one address may do, raised for the load: the nodes see all visitors at the address of the test. */
export const LIMITS = {
  LIMIT_READS_PER_MINUTE: '1000000',
  LIMIT_CONTACTS_PER_HOUR: '100000',
  LIMIT_CONTACTS_PER_CARD: '10000',
};

let phone = 9_876_543_210;

const WAIT = { timeout: 60_000, interval: 100 };

/** The `codeFor` of a service of which only the log is at hand. */
export const codesIn = (readLog: () => string) => (to: string) =>
  vi.waitUntil(() => new RegExp(`OTP \\${to} (\\d{6})`).exec(readLog())?.[1], WAIT);

/** What curl receives, which checks the certificate; empty after an error. */
export function curl(authority: string, ...args: string[]): string {
  const options = ['--silent', '--ipv4', '--max-time', '5', '--cacert', authority];
  const { status, stdout } = spawnSync('curl', [...options, ...args], { encoding: 'utf8' });
  return status === 0 ? stdout : '';
}

/** Uses a service, on request while `replaceNodes` runs: no request may fail, and nothing acknowledged be lost. */
export async function checkDeployment(
  name: string,
  service: Pick<RunningServer, 'origin' | 'codeFor'>,
  replaceNodes?: () => Promise<unknown>,
): Promise<void> {
  const { origin } = service;
  const startedAt = performance.now();
  phone += 1;
  const owner = await createOwner(service, String(phone), { name: 'Asha Rao' });
  const picture = await twoHalves({ width: 300, height: 300 }).png().toBuffer();
  const upload = async () => (await postPhoto(service, owner, picture)).status === 200;
  await vi.waitUntil(upload, { ...WAIT, interval: 1000 });
  const card = await fetch(`${origin}/user/${owner._id}`);
  expect(await card.text()).toContain('Asha Rao');
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const saved = await sendRequest<{ profilePhoto: string }>(service, `/user/${owner._id}`);
  const photo = await fetch(origin + saved.profilePhoto);
  expect(photo.headers.get('content-type')).toBe('image/jpeg');

  const load = startLoad(origin, [owner]);
  await replaceNodes?.();
  await load.stop();
  const { read, save, contact } = load.sent;
  print(
    `${name}: a card with a photo after ${seconds} s; ${read} reads, ${save} saves and ${contact} contacts ` +
      `${replaceNodes ? 'while the nodes were replaced' : 'after it'}, ${load.failures.length} failed`,
  );
  expect(load.failures).toEqual([]);
  // For a moment another node may show an earlier card (docs/install.md#several-nodes).
  await expect.poll(() => load.findLosses(), { timeout: 10_000, interval: 500 }).toEqual([]);
  expect(Math.min(read, save, contact)).toBeGreaterThan(0);
}
