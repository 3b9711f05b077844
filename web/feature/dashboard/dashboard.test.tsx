import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';

import type { BrowserSettings } from '#contract/browser-settings.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';
import { queryClient } from '#web/shared/http/query.ts';
import { setSettings } from '#web/shared/http/settings.ts';

import { OwnerCard } from './owner-card.tsx';

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
