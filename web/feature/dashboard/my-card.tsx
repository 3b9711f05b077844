import './my-card.css';

import { useState } from 'react';
import { Link } from 'react-router';

import type { Profile } from '#domain/profile.ts';
import { QR_FILE_NAME, cardPath } from '#domain/share.ts';
import { PATHS } from '#domain/path.ts';
import { useIsOffline } from '#web/shared/http/use-is-offline.ts';
import { cardLink, useCardLink } from '#web/shared/profile/card-link.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { LineIcon } from '#web/shared/ui/line-icon.tsx';

import { AddPhoto } from './add-photo.tsx';
import { CardNotes } from './card-notes.tsx';
import { HomeScreenOffer } from './home-screen-offer.tsx';
import { OwnerCard } from './owner-card.tsx';
import { canShare, copyLink, downloadQr, shareCard } from './share.ts';

const NO_SHARE_ID = 'my-card-no-share';

export function MyCard({ profile }: { readonly profile: Profile }) {
  const link = useCardLink(profile._id);
  const isOffline = useIsOffline();
  return (
    <section className="my-card stack" aria-labelledby="my-card-title">
      <header className="my-card-head head row">
        <h2 id="my-card-title">My Card</h2>
        <div className="my-card-links row">
          <Link className="ui-button ui-button-plain" to={PATHS.edit}>
            Edit Card
          </Link>
          <a
            className="ui-button ui-button-plain"
            href={cardPath(profile._id)}
            target="_blank"
            rel="noopener"
            aria-disabled={isOffline || undefined}
            title={isOffline ? 'Needs a network' : undefined}
            onClick={(event) => isOffline && event.preventDefault()}
          >
            Preview Card
          </a>
        </div>
      </header>
      <CardNotes profile={profile} />
      <OwnerCard profile={profile} />
      <AddPhoto profile={profile} />
      <ShareActions link={link} codeLink={cardLink(profile._id)} />
    </section>
  );
}

interface ShareActionsProps {
  readonly link: string;
  /** Encoded in the QR code. */
  readonly codeLink: string;
}

function ShareActions({ link, codeLink }: ShareActionsProps) {
  const hasShareSheet = canShare();
  const [savedCount, setSavedCount] = useState(0);
  const [hasShared, setShared] = useState(false);
  const noteShare = async (sharing: Promise<boolean>) => {
    if (await sharing) setShared(true);
  };
  return (
    <div className="my-card-share stack">
      <HomeScreenOffer hasShared={hasShared} />
      <div className="my-card-actions row">
        <Button
          variant={hasShareSheet ? 'main' : 'outlined'}
          aria-describedby={hasShareSheet ? undefined : NO_SHARE_ID}
          onClick={() => void noteShare(shareCard(link))}
        >
          <LineIcon name="share" />
          Share
        </Button>
        <div className="my-card-download">
          <Button onClick={() => downloadQr(codeLink, () => setSavedCount(savedCount + 1))}>
            <LineIcon name="download" />
            Download QR Code
          </Button>
          <output>
            {savedCount > 0 && (
              <span key={savedCount} className="done">{`${QR_FILE_NAME} saved`}</span>
            )}
          </output>
        </div>
        {/* Where the browser has no share sheet, this is the main action. */}
        <Button
          variant={hasShareSheet ? 'outlined' : 'main'}
          onClick={() => void noteShare(copyLink(link))}
        >
          <LineIcon name="copy" />
          Copy Link
        </Button>
      </div>
      {!hasShareSheet && (
        <p id={NO_SHARE_ID} className="note">
          This browser cannot share. Copy the link instead.
        </p>
      )}
    </div>
  );
}
