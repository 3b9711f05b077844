import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';

import type { BrowserSettings } from '#contract/browser-settings.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';
import { setSettings } from '#web/http/settings.ts';

import { OwnerCard } from './owner-card.tsx';

test('card of the dashboard: its phone and email stay from left to right beside a name in Arabic', () => {
  const contact = { phone: '+971 50 123 4567', email: 'office.of.laila@example.com' };
  const profile = { ...EMPTY_PROFILE, name: 'ليلى', ...contact };
  setSettings({ publicUrl: 'https://a.example' } as BrowserSettings);
  const html = renderToStaticMarkup(<OwnerCard profile={profile} />);
  expect(html).toContain('dir="rtl"');
  expect(html).toContain('<bdi>+971 50 123 4567</bdi>');
  expect(html).toContain('<bdi>office.of.laila@exam...</bdi>');
});
