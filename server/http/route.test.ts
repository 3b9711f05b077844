import { beforeEach, expect, test, vi } from 'vitest';

import { addContact } from '#contract/contact.ts';
import { LEAD_INCOMPLETE } from '#domain/lead.ts';
import { newToken } from '#server/token.ts';
import { useOwner, useTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { ENDPOINTS } from '#tests/support/endpoints.ts';

import { parseInput } from './route.ts';

onEachDatabase((open) => {
  const { testDatabase, testApp } = useTestApp(open);
  const onBody = vi.fn<() => Promise<unknown>>();
  beforeEach(() => {
    testApp.app.addHook('preValidation', async ({ body }) => {
      if (body !== undefined) await onBody();
    });
  });
  const owner = useOwner(testApp);
  beforeEach(() => void onBody.mockReset());
  const save = (headers = {}) => owner.post('user/updateUser', { name: 'Asha' }, { headers });

  test('save: without a session it is 403 whatever else is wrong, and its body is not read', async () => {
    for (const headers of [{}, { 'if-match': '"1"' }, { 'content-type': 'text/plain' }]) {
      const answer = await save({ authorization: newToken(), ...headers });
      expect([answer.statusCode, answer.json().error]).toEqual([403, 'session_invalid']);
    }
    expect(onBody).not.toHaveBeenCalled();
    expect((await save()).statusCode).toBe(200);
    expect(onBody).toHaveBeenCalledOnce();
  });

  test('save: without a condition, one of a user that is removed meanwhile is 403', async () => {
    onBody.mockImplementation(() => testDatabase.database.run('DELETE FROM users'));
    expect((await save()).statusCode).toBe(403);
    expect((await owner.card()).statusCode).toBe(400);
  });
});

/** A card address is refused with the sentence that its form shows (domain/card-address.ts). */
const CLEAR = /^(?:The body|[\w.]+) (?:must|is|has|can) [^A-Z]|^Use the letters a to z, /;

test('rejected bodies: each answer names the field and what it must be', () => {
  const rejections = ENDPOINTS.flatMap(({ body }) => {
    if (body === undefined || body === 'multipart') return [];
    const { shape = {} } = body.def as { shape?: object };
    const fields = Object.keys(shape);
    const inputs = [5, '\u0000', null, {}, { a: 1 }].flatMap((wrong) => [
      wrong,
      Object.fromEntries(fields.map((field) => [field, wrong])),
      ...fields.map((field) => ({ [field]: wrong })),
    ]);
    return inputs.flatMap((input) => {
      try {
        parseInput(body, input);
        return [];
      } catch (error) {
        return [(error as Error).message];
      }
    });
  });
  const lead = { userID: 'a'.repeat(16), contact: { name: '', email: '' } };
  expect(() => parseInput(addContact.body, lead)).toThrow(new RegExp(`^${LEAD_INCOMPLETE}$`));
  expect(rejections.length).toBeGreaterThan(50);
  expect([...new Set(rejections)].filter((message) => !CLEAR.test(message))).toEqual([]);
});
