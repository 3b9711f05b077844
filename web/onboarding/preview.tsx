import '#view/card.css';
import './preview.css';

import { BACKGROUND_GRID } from '#domain/mosaic.ts';
import type { Profile } from '#domain/profile.ts';
import { Card } from '#view/card.tsx';
import { Mosaic } from '#view/mosaic.tsx';
import { settings } from '#web/http/settings.ts';

/** The card as it is becoming, and what it is good for. On a phone, a strip on top. */
export function Preview({ profile }: { readonly profile: Profile }) {
  return (
    <aside className="preview" aria-label="Your card so far">
      <Mosaic seed={profile._id} grid={BACKGROUND_GRID} className="mosaic preview-mosaic" />
      <div className="preview-card">
        <Card profile={profile} iconBaseUrl={settings().iconBaseUrl} mode="preview" />
      </div>
      <div className="preview-blurb">
        <h2>Your card, wherever you are</h2>
        <p>
          One link, one QR code. Change your card and everyone you ever gave it to has the new one.
        </p>
      </div>
    </aside>
  );
}
