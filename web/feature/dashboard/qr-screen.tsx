import './qr-screen.css';

import { createContext, useContext, useEffect, useLayoutEffect, useState } from 'react';
import type { ReactNode } from 'react';

import { firstNameWithoutTitle } from '#domain/display.ts';
import type { Profile } from '#domain/profile.ts';
import { PATHS } from '#domain/path.ts';
import { QR_SCREEN_QUERY, SCAN_TOKEN_ALPHABET, SCAN_TOKEN_LENGTH } from '#domain/share.ts';
import { Person } from '#view/card.tsx';
import { Mosaic } from '#view/mosaic.tsx';
import { SharedTile } from '#view/shared-tile.tsx';
import { useIsOffline } from '#web/shared/http/query.ts';
import { cardLink, useCardLook } from '#web/shared/profile/card.ts';
import { IconButton } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import { QrImage } from '#web/shared/ui/qr-image.tsx';

import { CodeChoice, useContactCode, useExtras } from './contact-code.tsx';
import { useLiveEvents } from './use-live.ts';

const SetQrScreenOpen = createContext<(isOpen: boolean) => void>(() => {});

export function QrButton({ userId }: { readonly userId: string }) {
  const setOpen = useContext(SetQrScreenOpen);
  // Without a network, the code of the contact needs the second phone that was read here.
  useExtras();
  return (
    <button
      type="button"
      className="qr-plate"
      aria-label="Show QR code full screen"
      onClick={() => setOpen(true)}
    >
      <QrImage text={cardLink(userId)} />
    </button>
  );
}

type QrScreenHostProps = Omit<QrScreenProps, 'onClose'> & { readonly children: ReactNode };

/**
 * Shows the screen when a button in it is pressed, or if the home screen's shortcut started the app
 * (docs/develop/product.md#full-screen-qr-code). It is above the loading state, so that the
 * screen stays open when the profile arrives.
 */
export function QrScreenHost({ children, ...props }: QrScreenHostProps) {
  const [isOpen, setOpen] = useState(() =>
    new URLSearchParams(location.search).has(QR_SCREEN_QUERY),
  );
  // This removes the query, so that neither a reload nor Back opens the code again.
  useLayoutEffect(() => {
    if (isOpen) history.replaceState(history.state, '', PATHS.dashboard);
  }, [isOpen]);
  return (
    <SetQrScreenOpen value={setOpen}>
      {children}
      {isOpen && <QrScreen {...props} onClose={() => setOpen(false)} />}
    </SetQrScreenOpen>
  );
}

/** The strip is wide enough for any screen, which cuts it at both ends. */
const STRIP_GRID = { columns: 60, rows: 1 } as const;

interface QrScreenProps {
  readonly userId: string;
  /** The profile is null while it loads. */
  readonly profile: Profile | null;
  readonly onClose: () => void;
}

/** The screen is white even in dark mode. A press anywhere closes it (docs/develop/product.md#full-screen-qr-code). */
function QrScreen({ userId, profile, onClose }: QrScreenProps) {
  useWakeLock();
  const { palette } = useCardLook({ _id: userId });
  const contactCode = useContactCode(profile);
  const isOffline = useIsOffline();
  const [isOfflineChosen, chooseOffline] = useState<boolean | null>(null);
  // The page may learn after the screen has opened that there is no network.
  if (isOffline && isOfflineChosen === null) chooseOffline(true);
  const code = isOfflineChosen ? contactCode : null;
  const [token] = useState(createScanToken);
  const { events, hasFailed } = useLiveEvents(code === null ? token : null);
  const strip = (
    <Mosaic
      // A new key makes a new element, which plays the animation again.
      key={events.length}
      seed={userId}
      palette={palette}
      grid={STRIP_GRID}
      className={`mosaic qr-strip ${events.length > 0 ? 'qr-settle' : ''}`}
    />
  );
  return (
    <Dialog
      className="qr-screen whole-screen"
      aria-label="QR code"
      // The dialog takes the focus. A button would show its focus ring if the shortcut opened the screen.
      initialFocus="dialog"
      tabIndex={-1}
      onClose={onClose}
      onClick={({ target }) => {
        if (!(target instanceof Element && target.closest('fieldset'))) onClose();
      }}
      // Otherwise a press would take the focus from the button that opened the screen.
      onMouseDown={(event) => event.preventDefault()}
    >
      {strip}
      <IconButton name="Close" icon="close" className="qr-screen-close" onClick={onClose} />
      <CodeChoice
        isOffline={code !== null}
        canBeOffline={contactCode !== null}
        onChoose={chooseOffline}
      />
      {code === null ? (
        <QrImage text={`${cardLink(userId)}?s=${token}`} />
      ) : (
        <QrImage text={code} label="QR code of your contact details" />
      )}
      <div className="qr-person">
        {profile && <Person profile={profile} palette={palette} mode="preview" />}
      </div>
      {strip}
      {code === null ? (
        <LiveNote userId={userId} events={events} hasFailed={hasFailed} />
      ) : (
        <p className="qr-live">
          <span className="row qr-live-small">
            Saves {profile && firstNameWithoutTitle(profile)} as a contact, even offline. You won't
            see who scanned it.
          </span>
        </p>
      )}
    </Dialog>
  );
}

interface LiveNoteProps extends ReturnType<typeof useLiveEvents> {
  readonly userId: string;
}

function LiveNote({ userId, events, hasFailed }: LiveNoteProps) {
  const people = events.filter((event) => event.kind === 'connected');
  const last = people.at(-1);
  const count = people.length > 1 ? `${people.length} people` : '';
  return (
    <output className="qr-live">
      {hasFailed && events.length === 0 && (
        <span className="row qr-live-small">
          We can't tell you who opens your card right now. Close this code, then open it again.
        </span>
      )}
      {events.length > 0 && (
        <span key={events.length} className="row">
          {last?.contact !== undefined && <SharedTile ownerId={userId} contactId={last.contact} />}
          <span className="qr-live-person">
            <bdi className="qr-live-name">{last?.name ?? 'Opened'}</bdi>
            {last && (last.companyName !== '' || count !== '') && (
              <span className="row">
                <bdi>{last.companyName}</bdi>
                <span className="qr-live-count">{count}</span>
              </span>
            )}
          </span>
        </span>
      )}
    </output>
  );
}

function createScanToken(): string {
  const random = crypto.getRandomValues(new Uint32Array(SCAN_TOKEN_LENGTH));
  return Array.from(
    random,
    (value) => SCAN_TOKEN_ALPHABET[value % SCAN_TOKEN_ALPHABET.length],
  ).join('');
}

/** Keeps the screen on. A hidden page loses the lock, so this requests it again when the page is visible. */
function useWakeLock(): void {
  useEffect(() => {
    // Some browsers do not support it.
    const { wakeLock } = navigator as Partial<Navigator>;
    let lock: Promise<WakeLockSentinel | undefined> = Promise.resolve(undefined);
    const request = () => {
      if (document.visibilityState !== 'visible') return;
      lock = lock
        .then((held) => (held?.released === false ? held : wakeLock?.request('screen')))
        // The request fails if the device saves power or the page was hidden again.
        .catch(() => undefined);
    };
    request();
    document.addEventListener('visibilitychange', request);
    return () => {
      document.removeEventListener('visibilitychange', request);
      void lock.then((held) => held?.release());
    };
  }, []);
}
