import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';

import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { OwnerCard } from './owner-card.tsx';

test('card of the dashboard: its phone and email stay from left to right beside a name in Arabic', () => {
  const contact = { phone: '+971 50 123 4567', email: 'office.of.laila@example.com' };
  const profile = { ...EMPTY_PROFILE, name: 'ليلى', ...contact };
  const html = renderToStaticMarkup(<OwnerCard profile={profile} />);
  expect(html).toContain('dir="rtl"');
  expect(html).toContain('<bdi>+971 50 123 4567</bdi>');
  expect(html).toContain('<bdi>office.of.laila@exam...</bdi>');
});
