import { expect, test } from 'vitest';

import { mergeLinks } from './use-edit.ts';

const json = (labels: string) =>
  labels === ''
    ? ''
    : JSON.stringify(Array.from(labels, (label) => ({ label, url: `https://${label}.example` })));

test.each([
  ['the typed links if nothing else has changed', ['ax', 'ab', 'ab'], 'ax'],
  ['an added link beside one that was changed elsewhere', ['abc', 'ab', 'xb'], 'bcx'],
  ['links added on both sides', ['abc', 'ab', 'abx'], 'abcx'],
  ['no link that was removed elsewhere', ['abc', 'ab', 'b'], 'bc'],
  ['no link that was removed here', ['b', 'ab', 'abx'], 'bx'],
  ['its own change of a link that both sides have changed', ['yb', 'ab', 'xb'], 'yb'],
  ['nothing if both sides have removed everything', ['', 'a', ''], ''],
  ['the saved links if they equal the typed ones', ['ax', 'a', 'ax'], 'ax'],
])('links: a merge keeps %s', (_, [typed = '', base = '', saved = ''], expected) => {
  expect(mergeLinks(json(typed), json(base), json(saved))).toBe(json(expected));
});
