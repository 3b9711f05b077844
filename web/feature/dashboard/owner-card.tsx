import '#view/any-card.css';
import '#view/whole-text.css';
import './owner-card.css';

import { useContext } from 'react';
import type { ReactNode } from 'react';

import { shortenCardText } from '#domain/display.ts';
import type { Palette } from '#domain/palette.ts';
import type { Profile } from '#domain/profile.ts';
import { Person } from '#view/card.tsx';
import { IsTextWhole } from '#view/language.tsx';
import { Mosaic } from '#view/mosaic.tsx';
import { useCardLook } from '#web/shared/profile/card.ts';
import { usePhoneFormat } from '#web/shared/ui/phone-text.ts';

import { QrButton } from './qr-screen.tsx';

export function OwnerCard({ profile }: { readonly profile: Profile }) {
  const { _id, phone, email } = profile;
  const isWhole = useContext(IsTextWhole);
  const { palette, logo } = useCardLook(profile);
  const { formatPhone } = usePhoneFormat();
  return (
    <OwnerCardFrame userId={_id} palette={palette}>
      <Person profile={profile} palette={palette} logo={logo} mode="preview">
        <p className="owner-card-contact">
          <bdi>{formatPhone(phone)}</bdi>
        </p>
        {email !== '' && (
          <p className="owner-card-contact">
            <bdi className={isWhole ? 'whole-email' : undefined}>
              {shortenCardText(email, isWhole)}
            </bdi>
          </p>
        )}
      </Person>
    </OwnerCardFrame>
  );
}

interface OwnerCardFrameProps {
  readonly userId: string;
  readonly palette?: Palette;
  readonly children: ReactNode;
}

/** Renders the QR code even while the profile and the palette are unknown, because it needs only the id. */
export function OwnerCardFrame({ userId, palette, children }: OwnerCardFrameProps) {
  return (
    <article className="owner-card" aria-label="Your card">
      <div className="owner-card-code">
        {palette !== undefined && (
          <Mosaic seed={userId} palette={palette} className="mosaic owner-card-mosaic" />
        )}
        <QrButton userId={userId} />
        <p className="owner-card-hint">Tap to enlarge</p>
      </div>
      <div className="owner-card-person">{children}</div>
    </article>
  );
}
