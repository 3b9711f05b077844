import '#view/card.css';
import './frame.css';

import type { ReactNode } from 'react';

import { BACKGROUND_GRID } from '#domain/mosaic.ts';
import { Card } from '#view/card.tsx';
import { Mosaic } from '#view/mosaic.tsx';
import { settings } from '#web/http/settings.ts';
import { usePageTitle } from '#web/ui/page-title.ts';
import { Wordmark } from '#web/ui/wordmark.tsx';

import { SAMPLE_PROFILE } from './sample.ts';

const POLICIES = [
  { path: '/privacy_policy', name: 'Privacy' },
  { path: '/terms_conditions', name: 'Terms' },
  { path: '/Cancellation_Refund', name: 'Cancellation and refund' },
  { path: '/Shipping_delivery', name: 'Shipping and delivery' },
] as const;

/** The login page around its widget: the promise, a sample card, the policies. */
export function Frame({ children }: { readonly children: ReactNode }) {
  usePageTitle('Sign in');
  return (
    <div className="signin">
      <header className="signin-head">
        <Wordmark />
      </header>
      <main className="signin-main">
        <h1>The business card that opens before the handshake ends.</h1>
        <p className="signin-lead">
          Make yours in two minutes. Share it by link or QR code: nobody needs an app to see it.
        </p>
        <div className="signin-panel">{children}</div>
      </main>
      <aside className="signin-sample" aria-label="A sample card">
        <Mosaic seed={SAMPLE_PROFILE._id} grid={BACKGROUND_GRID} className="mosaic signin-mosaic" />
        <div className="signin-card">
          <Card profile={SAMPLE_PROFILE} iconBaseUrl={settings().iconBaseUrl} mode="preview" />
        </div>
      </aside>
      <footer className="signin-foot">
        <ul>
          {POLICIES.map(({ path, name }) => (
            <li key={path}>
              <a href={path}>{name}</a>
            </li>
          ))}
        </ul>
      </footer>
    </div>
  );
}
