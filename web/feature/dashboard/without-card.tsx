import './home.css';

import { useEffect, useEffectEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Outlet } from 'react-router';

import { PATHS } from '#domain/path.ts';
import { onReconnect } from '#web/shared/http/connection.ts';
import { UnreachableError } from '#web/shared/http/query.ts';
import { storedId } from '#web/shared/http/storage.ts';
import { useCardLook } from '#web/shared/profile/card.ts';
import { profileQuery } from '#web/shared/profile/profile.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { PageFrame } from '#web/shared/ui/page-frame.tsx';

import { ShareActions } from './my-card.tsx';
import { OwnerCardFrame } from './owner-card.tsx';
import { QrScreenHost } from './qr-screen.tsx';

/** Replaces a page that needs the card, if neither the service nor this browser can provide it now. */
export function CardOutlet() {
  const { isUnreachable, load } = useUnreachableCard();
  return isUnreachable ? <UnreachableCard onRetry={load} /> : <Outlet />;
}

/** Does the same for pages without the dashboard's menu. */
export function FramedCardOutlet() {
  const { isUnreachable, load } = useUnreachableCard();
  if (!isUnreachable) return <Outlet />;
  return (
    <PageFrame title="Your card" backPath={PATHS.dashboard}>
      <UnreachableCard onRetry={load} />
    </PageFrame>
  );
}

function useUnreachableCard() {
  // Only the pages request the card. If this hook requested it, each failure would replace the page again.
  const { data, error, refetch } = useQuery({ ...profileQuery(), enabled: false });
  const isUnreachable = data === undefined && error instanceof UnreachableError;
  return { isUnreachable, load: () => void refetch() };
}

/** Still offers the QR code and the link, which need only the id. */
function UnreachableCard({ onRetry }: { readonly onRetry: () => void }) {
  const userId = storedId() ?? '';
  const { palette } = useCardLook({ _id: userId });
  const retry = useEffectEvent(onRetry);
  useEffect(() => onReconnect(() => retry()), []);
  return (
    <section className="my-card stack" aria-label="Your card">
      <p role="alert">
        We couldn't load your card. Check your network. Your QR code and link work without one.
      </p>
      <QrScreenHost userId={userId} profile={null}>
        <OwnerCardFrame userId={userId} palette={palette}>
          <Button onClick={onRetry}>Try again</Button>
        </OwnerCardFrame>
      </QrScreenHost>
      <ShareActions userId={userId} />
    </section>
  );
}
