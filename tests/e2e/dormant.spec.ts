import { DatabaseSync } from '@photostructure/sqlite';

import { databaseFile } from '#server/adapter/database/data-folder.ts';
import { DAY_MS } from '#domain/duration.ts';
import { expect, test } from '#tests/support/browser-test.ts';
import { createOwner } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';
import { addAuthenticator } from '#tests/support/virtual-authenticator.ts';

test.use({ environment: { DORMANT_DAYS: '90', LANGUAGES: 'hi' } });

const SENTENCE = "This number belongs to an account that hasn't been used for a while.";

test('dormant account: says so, and asks before it starts a new card', async ({
  page,
  server,
  phone,
}) => {
  ui.expectErrors(page, /answered 403/);
  const owner = await createOwner(server, phone, { name: 'Asha Rao', phone: '1' });
  const database = new DatabaseSync(databaseFile(server.dataDir));
  database
    .prepare('UPDATE users SET used_at = ? WHERE id = ?')
    .run(Date.now() - 100 * DAY_MS, owner._id);
  // Another code can be sent at once.
  database.exec('DELETE FROM counters');
  database.close();
  const device = await addAuthenticator(page);
  await page.goto('/login');
  await ui.textbox(page, 'Phone number').fill(phone);
  await ui.button(page, 'Send code').click();
  await expect(ui.textbox(page, 'Code')).toBeVisible();
  await ui.textbox(page, 'Code').fill(await server.codeFor(`+91${phone}`));
  await ui.expectTexts(page, SENTENCE);
  await expect(page.getByText('Asha')).toHaveCount(0);
  await test.step('without a passkey it names the support', async () => {
    await ui.button(page, "It's mine").click();
    await ui.expectTexts(page, /No passkey on this device\? Write to .+@/);
  });
  await test.step('a new card is started only after a question', async () => {
    const questions: string[] = [];
    let isAccepted = false;
    page.on('dialog', async (dialog) => {
      questions.push(dialog.message());
      await (isAccepted ? dialog.accept() : dialog.dismiss());
    });
    const start = ui.button(page, 'Start a new card');
    await start.click();
    await expect.poll(() => questions.length).toBe(1);
    expect(questions[0]).toBe('The old card stays online, but this number can no longer edit it.');
    isAccepted = true;
    await start.click();
    await page.waitForURL(/\/ftue/);
    expect((await ui.readSession(page))._id).not.toBe(owner._id);
    await page.goto(`/user/${owner._id}`);
    await expect(ui.heading(page, 'Asha Rao')).toBeVisible();
  });
  await device.remove();
});
