// Measures first visits on a slow line: 50 kB/s, 400 ms latency, and a processor four times slower.
import { chromium } from '@playwright/test';
import sharp from 'sharp';

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking'];
const VIEWPORT = { width: 390, height: 844 };
const LINE = {
  offline: false,
  latency: 400,
  downloadThroughput: 50_000,
  uploadThroughput: 50_000,
};
const CPU_SLOWDOWN = 4;
const PHOTO_SIDE_PX = 900;

/** Each page has a path and the selector of the element that its visitor waits for. */
const pagesOf = (id) => ({
  'landing page, phone field': { path: '/login', selector: '.otp-step .otp-input' },
  'dashboard, QR code': { path: '/dashboard', selector: '.qr-image path[d]', isOwner: true },
  'Edit Profile, form': { path: '/dashboard/edit', selector: '#edit-form input', isOwner: true },
  // Builds shorten the classes of a card, so these selectors have none.
  'card, buttons': { path: `/user/${id}`, selector: 'main button[popovertarget=connect]' },
  'card, portrait': { path: `/user/${id}`, selector: 'main picture > img', isPicture: true },
});

export async function measureVisits(setup) {
  const service = await setup.start({ cores: '0,1' });
  const [owner] = setup.owners;
  await uploadPhoto(service.origin, owner);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const figures = {};
  try {
    for (const [name, page] of Object.entries(pagesOf(owner.id)))
      figures[`slow line: ${name}, ms`] = await open(browser, { ...page, service, owner });
  } finally {
    await browser.close();
    await service.stop();
  }
  return figures;
}

async function uploadPhoto(origin, { id, token }) {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 };
  const size = { width: PHOTO_SIDE_PX, height: PHOTO_SIDE_PX };
  const picture = sharp({ create: { ...size, channels: 3, noise, background: 'white' } }).blur(6);
  const form = new FormData();
  form.set('_id', id);
  form.set('image', new Blob([await picture.jpeg().toBuffer()]), 'me.jpg');
  const url = `${origin}/api/user/uploadProfileImage`;
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { authorization: token },
    body: form,
  });
  if (status !== 200) throw new Error(`The upload failed: ${status}`);
}

/** Returns the milliseconds until the awaited element is shown, in a new browser profile. */
async function open(browser, { service, owner, path, selector, isOwner, isPicture = false }) {
  const context = await browser.newContext({ viewport: VIEWPORT, deviceScaleFactor: 3 });
  const tab = await context.newPage();
  const { id, token } = owner;
  const session = isOwner ? { signedIn: 'true', _id: id, sessionToken: token } : {};
  await tab.addInitScript(observe, { session, selector, isPicture });
  const devTools = await context.newCDPSession(tab);
  await devTools.send('Network.enable');
  await devTools.send('Network.emulateNetworkConditions', LINE);
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  await tab.goto(service.origin + path, { waitUntil: 'commit' });
  await tab.waitForFunction(() => globalThis.shownMs > 0);
  const shownMs = await tab.evaluate(() => globalThis.shownMs);
  await context.close();
  return shownMs;
}

/** Runs in the page before its own scripts. */
function observe({ session, selector, isPicture }) {
  for (const [key, value] of Object.entries(session)) localStorage.setItem(key, value);
  const watch = () => {
    const element = document.querySelector(selector);
    const isShown = isPicture ? element?.naturalWidth > 0 : element?.getClientRects().length > 0;
    if (isShown) globalThis.shownMs = performance.now();
    else requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
}
