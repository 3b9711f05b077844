import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';

import type { BrowserSettings } from '#contract/browser-settings.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';
import { queryClient } from '#web/shared/http/query.ts';
import { setSettings } from '#web/shared/http/settings.ts';

import { OwnerCard } from './owner-card.tsx';
import { mergeNewest } from './use-connections.ts';

test('card of the dashboard: its phone and email stay from left to right beside a name in Arabic', () => {
  const contact = { phone: '+971 50 123 4567', email: 'office.of.laila@example.com' };
  const profile = { ...EMPTY_PROFILE, name: 'ليلى', ...contact };
  vi.stubGlobal('localStorage', { getItem: () => null });
  setSettings({ publicUrl: 'https://a.example' } as BrowserSettings);
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <OwnerCard profile={profile} />
    </QueryClientProvider>,
  );
  expect(html).toContain('dir="rtl"');
  expect(html).toContain('<bdi>+971 50 123 4567</bdi>');
  expect(html).toContain('<bdi>office.of.laila@exam...</bdi>');
});

const contacts = (ids: string) =>
  Array.from(ids, (_id) => ({ _id, name: _id, companyName: '', email: '', mobile: '' }));

test.each([
  ['those that are shown add nothing', 'cba', 'cb', 'cba', false],
  ['new ones are added at the start', 'cba', 'edc', 'edcba', false],
  ['those of an empty list are no gap', '', 'ba', 'ba', false],
  ['without one in common they replace the list', 'ba', 'zy', 'zy', true],
])('newest contacts: %s', (...[, shown, newest, merged, hasGap]) => {
  const before = contacts(shown);
  const after = mergeNewest(before, contacts(newest));
  expect(after).toEqual({ contacts: contacts(merged), hasGap });
  // The same list is not rendered again.
  expect(after.contacts === before).toBe(merged === shown);
});
