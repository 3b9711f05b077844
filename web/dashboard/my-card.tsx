import './my-card.css';

import { useRef } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

import type { Profile } from '#domain/profile.ts';
import { cardPath } from '#domain/share.ts';
import { cardLink } from '#web/http/card-link.ts';
import { PATHS } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Glyph } from '#web/ui/glyph.tsx';

import { copyLink } from './copy-link.ts';
import { downloadQr } from './download-qr.ts';
import { OwnerCard } from './owner-card.tsx';
import { shareCard } from './share-card.ts';

interface MyCardProps {
  readonly profile: Profile;
  /** What stands below the actions. */
  readonly children: ReactNode;
}

/** The My Card panel: the card with its QR code, and what can be done with it. */
export function MyCard({ profile, children }: MyCardProps) {
  const qr = useRef<SVGSVGElement>(null);
  const link = cardLink(profile._id);
  return (
    <section className="my-card" aria-labelledby="my-card-title">
      <header className="my-card-head">
        <h2 id="my-card-title">My Card</h2>
        <div className="my-card-ways">
          <Link className="ui-button ui-button-plain" to={PATHS.edit}>
            <Glyph name="edit" />
            Edit Card
          </Link>
          <a
            className="ui-button ui-button-plain"
            href={cardPath(profile._id)}
            target="_blank"
            rel="noopener"
          >
            <Glyph name="open" />
            Preview Card
          </a>
        </div>
      </header>
      <OwnerCard profile={profile} link={link} qrRef={qr} />
      <div className="my-card-side">
        <div className="my-card-actions">
          <Button look="main" className="my-card-share" onClick={() => void shareCard(link)}>
            <Glyph name="share" />
            Share
          </Button>
          <Button onClick={() => downloadQr(qr.current)}>
            <Glyph name="download" />
            Download QR Code
          </Button>
          <Button onClick={() => void copyLink(link)}>
            <Glyph name="copy" />
            Copy Link
          </Button>
        </div>
        {children}
      </div>
    </section>
  );
}
