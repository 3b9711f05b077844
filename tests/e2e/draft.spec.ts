import { once } from 'node:events';

import type { Page } from '@playwright/test';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { storeSession } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

const KEPT_MS = 2_000;

test.use({ environment: { CARD_EXTRAS: 'address,links', LANGUAGES: 'hi' } });

interface Form {
  readonly path: string;
  /** Changes something, and no more. Without a draft it is saved at once. */
  readonly touch: (page: Page, text: string) => Promise<void>;
  readonly save?: (page: Page) => Promise<void>;
  /** The call, what it has before, and what another device makes of it. */
  readonly call: readonly [path: string, before: object, elsewhere: object];
  /** With both changes. */
  readonly saved: (text: string) => object;
}

const LINKEDIN = 'https://linkedin.com/in/phone';
const HANDLES_BEFORE = { X: 'https://x.com/rao', LinkedIn: 'https://linkedin.com/in/rao' };
const HANDLES_ELSEWHERE = {
  LinkedIn: LINKEDIN,
  Whatsapp: null,
  Facebook: 'https://facebook.com/p',
};
const profileCall = (change: object, elsewhere: object) =>
  ['/user/updateUser/:id', change, elsewhere] as const;
const link = (label: string) => ({ label, url: `https://${label}.example` });
const hindi = (texts: object) => ({ translations: [{ language: 'hi', ...texts }] });
const openNetwork = async (page: Page, typed: string) => {
  await ui.button(page, 'X').click();
  await ui.addLink(page, typed);
};
const saveOnboarding = async (page: Page) => {
  const next = ui.button(page, 'Next');
  while (!(await ui.heading(page, 'Add Socials').isVisible())) await next.click();
  await next.click();
  await expect(page).toHaveURL(/\/dashboard$/);
};

/** Every form that saves more than one value. */
const FORMS: Readonly<Record<string, Form>> = {
  'the socials of Edit Profile': {
    path: '/dashboard/edit',
    touch: (page, text) => openNetwork(page, `x.com/${text}`),
    save: ui.saveChanges,
    call: profileCall(
      { socialMediaHandles: { ...HANDLES_BEFORE, Whatsapp: '9876543210', Facebook: null } },
      { socialMediaHandles: HANDLES_ELSEWHERE },
    ),
    saved: (text) => ({ socialMediaHandles: { X: `https://x.com/${text}`, LinkedIn: LINKEDIN } }),
  },
  'the texts of Edit Profile': {
    path: '/dashboard/edit',
    touch: async (page, text) => {
      await ui.textbox(page, 'Designation').fill(text);
      // Typed and taken back.
      await ui.textbox(page, 'Company').press('End');
      await ui.textbox(page, 'Company').pressSequentially(' x');
      for (const _ of ' x') await ui.textbox(page, 'Company').press('Backspace');
    },
    save: ui.saveChanges,
    call: profileCall(
      { designation: 'before', companyName: 'before', bio: 'before' },
      { companyName: 'elsewhere', bio: '' },
    ),
    saved: (text) => ({ designation: text, companyName: 'elsewhere', bio: '' }),
  },
  onboarding: {
    path: '/ftue',
    touch: async (page, text) => {
      await ui.textbox(page, 'Name').fill(text);
      for (const title of ['Where you work', 'Add Socials']) {
        await ui.button(page, 'Next').click();
        await ui.heading(page, title).waitFor();
      }
      await openNetwork(page, `x.com/${text}`);
    },
    save: saveOnboarding,
    call: profileCall(
      { name: 'before', designation: 'before', socialMediaHandles: HANDLES_BEFORE },
      { designation: 'elsewhere', socialMediaHandles: HANDLES_ELSEWHERE },
    ),
    saved: (text) => ({
      name: text,
      designation: 'elsewhere',
      socialMediaHandles: { X: `https://x.com/${text}`, LinkedIn: LINKEDIN },
    }),
  },
  'the extras of Edit Profile': {
    path: '/dashboard/edit',
    touch: async (page, text) => {
      await ui.textbox(page, 'Address').fill(text);
      await ui.textbox(page, 'Link 2 text').fill(text);
    },
    save: ui.saveChanges,
    call: [
      '/user/:id/extras',
      { address: 'before', links: [link('a'), link('b')] },
      { links: [link('elsewhere'), link('b')] },
    ],
    saved: (text) => ({ address: text, links: [{ ...link('b'), label: text }, link('elsewhere')] }),
  },
  'other languages': {
    path: '/dashboard/translations',
    touch: (page, text) => ui.textbox(page, 'About').fill(text),
    save: async (page) => {
      await ui.button(page, 'Save').click();
      await ui.expectTexts(page, /^Saved$/);
    },
    call: [
      '/user/:id/translations',
      hindi({ name: 'before', bio: 'before' }),
      hindi({ name: 'elsewhere', designation: 'elsewhere' }),
    ],
    saved: (text) =>
      hindi({ name: 'elsewhere', designation: 'elsewhere', companyName: '', bio: text }),
  },
  appearance: {
    path: '/dashboard/appearance',
    touch: async (page) => {
      await page.getByRole('radio', { name: 'Quiet' }).click();
      await ui.expectTexts(page, /^Saved$/);
    },
    call: ['/user/:id/appearance', { palette: 'own', hue: 20 }, { palette: 'own', hue: 200 }],
    saved: () => ({ palette: 'quiet', hue: 200 }),
  },
};

/** Lets the replies to a page wait until the returned function is called. */
async function holdReplies(page: Page): Promise<() => void> {
  const gate = new AbortController();
  const isReleased = once(gate.signal, 'abort');
  await page.route('**/api/user/**', async (route) => {
    if (route.request().method() === 'GET') await isReleased;
    await route.continue();
  });
  return () => gate.abort();
}

type Opened = Pick<Form, 'path' | 'save'> & {
  /** Opens the form and waits until the page keeps what the service has now, where it keeps it at all. */
  readonly open: () => Promise<void>;
  readonly touch: () => Promise<void>;
};
type Moment = (page: Page, form: Opened, change: () => Promise<unknown>) => Promise<void>;

/** When another device changes what a form shows, by the text that is typed. Each ends with a form to save. */
const MOMENTS: Readonly<Record<string, Moment>> = {
  open: async (page, { open, touch, save }, change) => {
    await open();
    if (save) await touch();
    else await page.getByRole('radio', { name: 'Own colour' }).waitFor();
    await change();
    if (!save) await touch();
  },
  reopened: async (page, { path, open, touch, save }, change) => {
    await open();
    if (save) await touch();
    if (save) await page.waitForTimeout(KEPT_MS);
    await page.goto('/dashboard/account');
    await change();
    await page.goto(path);
    if (save) await ui.expectTexts(page.getByRole('main'), 'Not saved yet');
    else await touch();
  },
  'first-second': async (page, { path, open, touch }, change) => {
    await open();
    for (const call of ['/user/:id', '/user/:id/appearance']) await ui.waitForKept(page, call);
    await page.goto('/healthz');
    await change();
    const release = await holdReplies(page);
    await page.goto(path);
    if (path.endsWith('translations')) release();
    const touching = touch();
    if (path.endsWith('appearance')) release();
    await touching;
    release();
    await page.unrouteAll({ behavior: 'wait' });
  },
};

for (const [name, form] of Object.entries(FORMS)) {
  test(`draft: what another device changes meanwhile stays, in ${name}`, async ({ page, call }) => {
    ui.expectErrors(page, /answered 412/);
    ui.collectAlerts(page);
    const [path, before, elsewhere] = form.call;
    const savedPath = path.replace('/updateUser', '');
    const stored = () => call<Record<string, unknown>>(savedPath);
    const open = async () => {
      await page.goto(form.path);
      if (savedPath.endsWith('translations')) return;
      const now = await stored();
      await expect.poll(() => ui.keptReply(page, savedPath)).toMatchObject(now);
    };
    for (const [text, moment] of Object.entries(MOMENTS)) {
      await call(path, before);
      await moment(page, { ...form, open, touch: () => form.touch(page, text) }, () =>
        call(path, elsewhere),
      );
      await form.save?.(page);
      expect(await stored()).toMatchObject({ ...form.saved(text) });
      if ('socialMediaHandles' in elsewhere)
        expect(await stored()).not.toHaveProperty('socialMediaHandles.Whatsapp');
    }
  });
}

test('draft: a kill of the browser after two seconds loses nothing', async ({
  server,
  owner,
  launch,
}) => {
  const first = await launch();
  await storeSession(first.page, server, owner);
  const pages = [
    ['/dashboard/edit', ['Designation', 'Address']],
    ['/dashboard/translations', ['About']],
    ['/ftue', ['Name']],
  ] as const;
  for (const [path, names] of pages) {
    const page = await first.context.newPage();
    await page.goto(path);
    for (const name of names) {
      await ui.textbox(page, name).press('End');
      await ui.textbox(page, name).pressSequentially(' and Partner');
    }
  }
  await first.page.waitForTimeout(KEPT_MS);
  await ui.crash(first);
  const { page } = await launch();
  await storeSession(page, server, owner);
  for (const [path, names] of pages) {
    await page.goto(path);
    for (const name of names) await expect(ui.textbox(page, name)).toHaveValue(/ and Partner$/);
    const main = page.getByRole('main');
    await ui.expectTexts(main, 'Not saved yet');
    await ui.button(main, 'Discard').click();
    for (const name of names) await expect(ui.textbox(page, name)).not.toHaveValue(/ and Partner$/);
  }
  await expect.poll(() => ui.storedKeys(page)).not.toContain('draft-');
});

const openEdit = async (tab: Page) => {
  await tab.goto('/dashboard/edit');
  await designationOf(tab).waitFor();
};
const designationOf = (tab: Page) => ui.textbox(tab, 'Designation');

test('draft: of two tabs the later one wins, and both say so', async ({ page, context, call }) => {
  const alerts = ui.collectAlerts(page);
  const other = await context.newPage();
  const note = 'You typed in another tab too';
  for (const tab of [page, other]) await openEdit(tab);
  await designationOf(page).fill('Partner');
  await ui.expectTexts(page.getByRole('main'), 'Not saved yet');
  await expect(page.getByText(note)).toHaveCount(0);
  await expect.poll(() => ui.storedKeys(page)).toContain('draft-');
  await designationOf(other).fill('Director');
  for (const tab of [page, other]) await ui.expectTexts(tab.getByRole('main'), note);
  const third = await context.newPage();
  await third.goto('/dashboard/edit');
  await expect(designationOf(third)).toHaveValue('Director');
  await third.close();
  // What the other tab keeps is not removed with the draft of this one.
  await ui.updateChanges(page);
  await expect.poll(() => alerts).toEqual(['Data updated successfully']);
  await expect(other.getByText(note)).toHaveCount(0);
  await other.reload();
  await expect(designationOf(other)).toHaveValue('Director');
  expect(await call('/user/:id')).toMatchObject({ designation: 'Partner' });
});

test('draft: what one tab has saved or discarded, another tab does not bring back', async ({
  page,
  context,
  call,
}) => {
  ui.collectAlerts(page);
  const other = await context.newPage();
  const ends = {
    Partner: ui.saveChanges,
    Founder: (tab: Page) => ui.button(tab, 'Discard').first().click(),
  };
  for (const [text, end] of Object.entries(ends)) {
    await openEdit(page);
    await designationOf(page).fill(text);
    await expect
      .poll(async () => JSON.stringify(await ui.storedEntries(page)))
      .toContain(`"designation":"${text}"}`);
    await openEdit(other);
    await expect(designationOf(other)).toHaveValue(text);
    await ui.textbox(other, 'Company').fill('Typed');
    const kept = async () => JSON.stringify(await ui.storedEntries(page));
    await expect.poll(kept).toContain('"companyName":"Typed"');
    await end(page);
    await expect(page.getByText('Not saved yet')).toHaveCount(0);
    await call('/user/updateUser/:id', { designation: 'Director' });
    await openEdit(other);
    await expect(designationOf(other)).toHaveValue('Director');
    await expect(ui.textbox(other, 'Company')).toHaveValue('Typed');
    await ui.button(other, 'Discard').first().click();
    await expect.poll(() => ui.storedKeys(page)).not.toContain('draft-');
  }
});

/** What 2.0.0 keeps after one network was changed: all of them, and all texts of a language. */
test('draft: of 2.0.0 it is read, but no handle of the card is replaced or comes back by it', async ({
  page,
  owner,
  call,
}) => {
  ui.collectAlerts(page);
  const keep = (key: string, value: object) =>
    page.evaluate(
      async ([name, draft]: readonly [string, object]) => {
        const opening = indexedDB.open('keyval-store');
        opening.onupgradeneeded = () => opening.result.createObjectStore('keyval');
        await new Promise((resolve) => opening.addEventListener('success', resolve));
        const writing = opening.result.transaction('keyval', 'readwrite');
        writing.objectStore('keyval').put(draft, name);
        await new Promise((resolve) => writing.addEventListener('complete', resolve));
        opening.result.close();
      },
      [`draft-${key}-${owner._id}`, value] as const,
    );
  const socialMediaHandles = {
    ...HANDLES_BEFORE,
    Whatsapp: '9876543210',
    Behance: 'https://b.example',
  };
  await call('/user/updateUser/:id', {
    socialMediaHandles: { LinkedIn: LINKEDIN, Whatsapp: null, Behance: null },
  });
  await page.goto('/healthz');
  const extras = { address: 'Typed' };
  await keep('edit', { profile: { designation: 'Typed', socialMediaHandles }, extras });
  await keep('translations', { hi: { name: 'टाइप', designation: '', companyName: '', bio: '' } });
  await page.goto('/dashboard');
  await ui.expectTexts(page, 'You have unsaved changes.');
  await page.goto('/dashboard/edit');
  await expect(ui.textbox(page, 'Address')).toHaveValue('Typed');
  await ui.saveChanges(page);
  const saved = await call('/user/:id');
  expect(saved).toMatchObject({
    designation: 'Typed',
    socialMediaHandles: { LinkedIn: LINKEDIN, Behance: 'https://b.example' },
  });
  expect(saved).not.toHaveProperty('socialMediaHandles.Whatsapp');
  await page.goto('/dashboard/translations');
  await expect(ui.textbox(page, 'Name')).toHaveValue('टाइप');
  await ui.button(page, 'Discard').click();
  await expect.poll(() => ui.storedKeys(page)).not.toContain('draft-');
});
