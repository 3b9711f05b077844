import './home.css';

import { displayName, firstName } from '#domain/display.ts';
import type { Profile } from '#domain/profile.ts';
import { FORBIDDEN_STATUS } from '#web/http/call.ts';
import { storedId } from '#web/http/session.ts';
import { cardLink } from '#web/profile/card-link.ts';
import { saveChanges, useOwner } from '#web/profile/profile-store.ts';
import { alertSaveFailure, useQueuedSave } from '#web/profile/save-profile.ts';
import { endSession } from '#web/profile/session-end.ts';

import advertisement from './advertisement.svg';
import { Connections } from './connections.tsx';
import { HomeSkeleton } from './home-skeleton.tsx';
import { MyCard } from './my-card.tsx';
import { QrScreen, useQrShortcut } from './qr-screen.tsx';

/** docs/product.md#dashboard. */
export function Page() {
  const profile = useOwner();
  const userId = storedId();
  const shortcut = useQrShortcut();
  return (
    <>
      {profile ? <Home profile={profile} /> : <HomeSkeleton userId={userId} />}
      {/* Outside of both, so that it stays open when the profile has loaded. */}
      {shortcut.isOpen && userId !== null && (
        <QrScreen
          link={cardLink(userId)}
          name={profile ? displayName(profile) : ''}
          onClose={shortcut.close}
        />
      )}
    </>
  );
}

function Home({ profile }: { readonly profile: Profile }) {
  useQueuedSave(async ({ changes }) => {
    const status = await saveChanges(changes);
    alertSaveFailure(status);
    if (status === FORBIDDEN_STATUS) void endSession();
  });
  return (
    <div className="home">
      <header className="home-greeting">
        <h1>
          Welcome <bdi>{firstName(profile)}</bdi>
        </h1>
        <p>Start building connections!</p>
      </header>
      <MyCard profile={profile} />
      <div className="home-side">
        <Connections userId={profile._id} />
        <Advertisement />
      </div>
    </div>
  );
}

function Advertisement() {
  return (
    <img
      className="advertisement"
      src={advertisement}
      width={400}
      height={116}
      loading="lazy"
      alt="Hand it over with one tap. Smart business cards, sold in India only."
    />
  );
}
