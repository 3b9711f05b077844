import './my-card.css';
import './share-options.css';

import { useMutation } from '@tanstack/react-query';
import { Suspense, lazy, useState, useEffect } from 'react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { NO_PHONE_HINT, emailHint, nameHint } from '#domain/hint.ts';
import type { NEW_CARD } from '#domain/onboarding.ts';
import { PATHS } from '#domain/path.ts';
import type { Profile } from '#domain/profile.ts';
import { QR_FILE_NAME, cardPath } from '#domain/share.ts';
import { readItem, writeItem } from '#web/shared/http/browser-storage.ts';
import { useIsOffline } from '#web/shared/http/query.ts';
import { loadCode } from '#web/shared/http/request.ts';
import { cardLink, useCardLink } from '#web/shared/profile/card.ts';
import { useStoredDraft } from '#web/shared/profile/draft.ts';
import { AddressFailure, LookFailure } from '#web/shared/profile/failures.tsx';
import { Button, LineIcon, IconButton } from '#web/shared/ui/button.tsx';
import { useInstallPrompt } from '#web/shared/ui/install-prompt.ts';

import { OwnerCard } from './owner-card.tsx';
import { canShare, copyLink, downloadQr, shareCard } from './share.ts';

/** Loads the photo editor and its dialog. Rejects with a sentence for the user. */
async function loadPhotoEditor() {
  const editor = await loadCode(import('#web/shared/photo/photo-editor.tsx'));
  await editor.loadPhotoDialog();
  return editor;
}
const PhotoEditor = lazy(async () => ({ default: (await loadPhotoEditor()).PhotoEditor }));

const NO_SHARE_ID = 'my-card-no-share';

interface MyCardProps {
  readonly profile: Profile;
  /** What stands below the three actions. */
  readonly children: ReactNode;
}

export function MyCard({ profile, children }: MyCardProps) {
  const isOffline = useIsOffline();
  const state = useLocation().state as Partial<typeof NEW_CARD> | null;
  const isReady = state?.isNewCard === true && profile.phone !== '';
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
      <output className="my-card-ready">{isReady && 'Your card is ready.'}</output>
      <CardNotes profile={profile} />
      <LookFailure />
      <OwnerCard profile={profile} />
      <AddPhoto profile={profile} />
      <ShareActions userId={profile._id} />
      {children}
    </section>
  );
}

function CardNotes({ profile }: { readonly profile: Profile }) {
  const draft = useStoredDraft('edit', profile._id);
  const hasUnsaved = Boolean(draft?.value);
  const notes = [
    hasUnsaved ? 'You have unsaved changes.' : '',
    profile.phone.trim() === '' ? NO_PHONE_HINT : '',
    nameHint(profile.name),
    emailHint(profile.email) && `${profile.email}: ${emailHint(profile.email)}`,
  ].filter(Boolean);
  if (notes.length === 0) return null;
  return (
    <div className="card-notes remark">
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <Link className="link" to={PATHS.edit}>
        {hasUnsaved ? 'Continue editing' : 'Complete your card'}
      </Link>
    </div>
  );
}

/** Offers to add a photo until the card has one, and then confirms that it is saved. */
function AddPhoto({ profile }: { readonly profile: Profile }) {
  const [presses, setPresses] = useState(0);
  const editorLoad = useMutation({
    mutationFn: loadPhotoEditor,
    onSuccess: () => setPresses(presses + 1),
  });
  if (profile.profilePhoto !== '' && presses === 0) return null;
  return (
    <div className="my-card-photo">
      {profile.profilePhoto === '' && (
        <button type="button" className="text-button" onClick={() => editorLoad.mutate()}>
          <LineIcon name="camera" />
          Add a photo
        </button>
      )}
      {editorLoad.isError && (
        <p role="alert" className="error">
          {editorLoad.error.message}
        </p>
      )}
      {presses > 0 && (
        <Suspense>
          <PhotoEditor key={presses} profile={profile} startsOpen />
        </Suspense>
      )}
    </div>
  );
}

export function ShareActions({ userId }: { readonly userId: string }) {
  const link = useCardLink(userId);
  const hasShareSheet = canShare();
  const [savedCount, setSavedCount] = useState(0);
  const [hasShared, setShared] = useState(false);
  const download = async () => {
    await downloadQr(cardLink(userId));
    setSavedCount(savedCount + 1);
  };
  const recordShare = async (sharing: Promise<boolean>) => {
    if (await sharing) setShared(true);
  };
  return (
    <div className="my-card-share stack">
      <HomeScreenOffer hasShared={hasShared} />
      <AddressFailure />
      <div className="my-card-actions row">
        <Button
          variant={hasShareSheet ? 'main' : 'outlined'}
          aria-describedby={hasShareSheet ? undefined : NO_SHARE_ID}
          onClick={() => void recordShare(shareCard(link))}
        >
          <LineIcon name="share" />
          Share
        </Button>
        <div className="my-card-download">
          <Button onClick={() => void download()}>
            <LineIcon name="download" />
            Download QR Code
          </Button>
          <output>
            {savedCount > 0 && (
              <span key={savedCount} className="done">{`${QR_FILE_NAME} saved`}</span>
            )}
          </output>
        </div>
        {/* This is the main action if the browser has no share sheet. */}
        <Button
          variant={hasShareSheet ? 'outlined' : 'main'}
          onClick={() => void recordShare(copyLink(link))}
        >
          <LineIcon name="copy" />
          Copy Link
        </Button>
      </div>
      {!hasShareSheet && (
        <p id={NO_SHARE_ID} className="note">
          This browser can't share. Copy the link instead.
        </p>
      )}
    </div>
  );
}

/** Local storage holds 'shared' until the offer has been shown, and 'offered' from then on. */
const HOME_SCREEN_KEY = BROWSER_STORAGE.localStorage.homeScreen;
const OPENS_CODE = 'Opens your QR code, even without a network.';

/** This offer appears after the first share, and only once in each browser (docs/develop/product.md#dashboard). */
function HomeScreenOffer({ hasShared }: { readonly hasShared: boolean }) {
  const install = useInstallPrompt();
  const [stored] = useState(() => readItem(HOME_SCREEN_KEY));
  const [isClosed, setClosed] = useState(false);
  const isWanted = stored === 'shared' || (hasShared && stored === null);
  const isShown = isWanted && !isClosed && (install !== null || isIosBrowser());
  useEffect(() => {
    if (isShown) writeItem(HOME_SCREEN_KEY, 'offered');
    else if (isWanted && readItem(HOME_SCREEN_KEY) === null) writeItem(HOME_SCREEN_KEY, 'shared');
  }, [isWanted, isShown]);
  if (!isShown) return null;
  return (
    <aside className="home-offer panel" aria-label="Home screen">
      {install && <Button onClick={install}>Put it on your home screen</Button>}
      <p className="muted">
        {install
          ? OPENS_CODE
          : `To put your card on your home screen, tap Share, then “Add to Home Screen”. ${OPENS_CODE}`}
      </p>
      <IconButton name="Close" icon="close" onClick={() => setClosed(true)} />
    </aside>
  );
}

/** Only Safari on iOS defines `standalone`. It is true if the page was opened from the home screen. */
function isIosBrowser(): boolean {
  return (navigator as { readonly standalone?: boolean }).standalone === false;
}
