import './my-card.css';

import { Link } from 'react-router';

import type { Profile } from '#domain/profile.ts';
import { cardPath } from '#domain/share.ts';
import { PATHS } from '#domain/path.ts';
import { useIsOffline } from '#web/http/use-is-offline.ts';
import { cardLink } from '#web/profile/card-link.ts';
import { Button } from '#web/ui/button.tsx';
import { LineIcon } from '#web/ui/line-icon.tsx';

import { CardNotes } from './card-notes.tsx';
import { ShareOptions } from './share-options.tsx';
import { OwnerCard } from './owner-card.tsx';
import { canShare, copyLink, downloadQr, shareCard } from './share.ts';

export function MyCard({ profile }: { readonly profile: Profile }) {
  const link = cardLink(profile._id);
  const hasShareSheet = canShare();
  const isOffline = useIsOffline();
  const share = (
    <Button {...actionProps(hasShareSheet)} onClick={() => void shareCard(link)}>
      <LineIcon name="share" />
      Share
    </Button>
  );
  const copy = (
    <Button {...actionProps(!hasShareSheet)} onClick={() => void copyLink(link)}>
      <LineIcon name="copy" />
      Copy Link
    </Button>
  );
  return (
    <section className="my-card" aria-labelledby="my-card-title">
      <header className="my-card-head">
        <h2 id="my-card-title">My Card</h2>
        <div className="my-card-links">
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
      <OwnerCard profile={profile} link={link} />
      {profile.profilePhoto === '' && (
        <Link className="my-card-photo" to={PATHS.edit}>
          <LineIcon name="camera" />
          Add a photo
        </Link>
      )}
      <div className="my-card-share">
        <div className="my-card-actions">
          {hasShareSheet ? share : copy}
          <Button onClick={() => downloadQr(link)}>
            <LineIcon name="download" />
            Download QR Code
          </Button>
          {hasShareSheet ? copy : share}
        </div>
        <ShareOptions userId={profile._id} link={link} />
      </div>
    </section>
  );
}

/** Where the browser has no share sheet, Copy Link is the main action. */
function actionProps(isMain: boolean) {
  return isMain ? ({ variant: 'main', className: 'my-card-main' } as const) : {};
}
