import '#view/card.css';
import './owner-card.css';

import type { ReactNode } from 'react';

import { displayName, displayShort, isLongName, textDirection } from '#domain/display.ts';
import type { Profile } from '#domain/profile.ts';
import { Mosaic } from '#view/mosaic.tsx';
import { Portrait } from '#view/portrait.tsx';
import { usePhoneFormat } from '#web/ui/phone-text.ts';

import { QrButton } from './qr-button.tsx';

interface OwnerCardProps {
  readonly profile: Profile;
  readonly link: string;
}

/** The dashboard's card: the QR code on the card's mosaic, and the person below. */
export function OwnerCard({ profile, link }: OwnerCardProps) {
  const { _id, designation, companyName, email, phone } = profile;
  const name = displayName(profile);
  const formatPhone = usePhoneFormat();
  return (
    <OwnerCardFrame userId={_id} link={link} name={name}>
      <Portrait profile={profile} />
      <div className="owner-card-text">
        <p className={isLongName(name) ? 'card-name card-name-long' : 'card-name'} dir="auto">
          {name}
        </p>
        {designation !== '' && <p dir="auto">{designation}</p>}
        {companyName !== '' && (
          <p className="owner-card-company" dir="auto">
            {displayShort(companyName)}
          </p>
        )}
        <p className="owner-card-contact">
          <bdi dir="ltr">{formatPhone(phone)}</bdi>
        </p>
        {email !== '' && (
          <p className="owner-card-contact">
            <bdi>{displayShort(email)}</bdi>
          </p>
        )}
      </div>
    </OwnerCardFrame>
  );
}

interface OwnerCardFrameProps {
  /** Null in the prerendered HTML, which has no owner. */
  readonly userId: string | null;
  readonly link: string | null;
  readonly name: string;
  readonly children: ReactNode;
}

/** HomeSkeleton uses it while the profile loads. */
export function OwnerCardFrame({ userId, link, name, children }: OwnerCardFrameProps) {
  return (
    <article className="owner-card" aria-label="Your card">
      <div className="owner-card-code">
        {userId !== null && <Mosaic seed={userId} className="mosaic owner-card-mosaic" />}
        <QrButton link={link} name={name} />
      </div>
      <div className="owner-card-person" dir={textDirection(name)}>
        {children}
      </div>
    </article>
  );
}
