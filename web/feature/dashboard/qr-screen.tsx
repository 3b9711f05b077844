import './qr-screen.css';

import { useEffect, useLayoutEffect, useState } from 'react';

import type { LiveEvent } from '#contract/live.ts';
import type { Profile } from '#domain/profile.ts';
import { PATHS } from '#domain/path.ts';
import {
  QR_SCREEN_QUERY,
  QR_SIZE_PX,
  SCAN_TOKEN_ALPHABET,
  SCAN_TOKEN_LENGTH,
} from '#domain/share.ts';
import { Person } from '#view/card.tsx';
import { Mosaic } from '#view/mosaic.tsx';
import { createQrCode, qrViewBox } from '#view/qr-code.ts';
import { cardLink, useCardLook } from '#web/shared/profile/card.ts';
import { IconButton } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';

import { useLive } from './use-live.ts';

/** Dark in dark mode too, because many scanners cannot read a light code on a dark background. */
const FOREGROUND = '#16181d';

function QrImage({ link }: { readonly link: string }) {
  const code = createQrCode(link);
  return (
    <svg
      className="qr-image"
      width={QR_SIZE_PX}
      height={QR_SIZE_PX}
      viewBox={qrViewBox(code)}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code of your card"
    >
      <path fill={FOREGROUND} d={code.path} />
    </svg>
  );
}

export function QrButton({ userId, profile }: Omit<QrScreenProps, 'onClose'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="qr-plate"
        aria-label="Show QR code full screen"
        onClick={() => setOpen(true)}
      >
        <QrImage link={cardLink(userId)} />
      </button>
      {isOpen && <QrScreen userId={userId} profile={profile} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Wide enough for any screen; cut at both ends. */
const TILE_GRID = { columns: 2, rows: 2 } as const;
const STRIP_GRID = { columns: 60, rows: 1 } as const;

interface QrScreenProps {
  readonly userId: string;
  /** Null while it loads. */
  readonly profile: Profile | null;
  readonly onClose: () => void;
}

/** On white in dark mode too. A press anywhere closes it (docs/product.md#full-screen-qr-code). */
export function QrScreen({ userId, profile, onClose }: QrScreenProps) {
  useWakeLock();
  const { palette } = useCardLook({ _id: userId });
  const [token] = useState(newToken);
  const events = useLive(token);
  const strip = (
    <Mosaic
      // A new element settles again.
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
      // No button has the focus: opened by the shortcut, it would have a ring.
      initialFocus="dialog"
      tabIndex={-1}
      onClose={onClose}
      onClick={onClose}
      // Otherwise the press would take the focus from the button that opened the screen.
      onMouseDown={(event) => event.preventDefault()}
    >
      {strip}
      <IconButton name="Close" icon="close" className="qr-screen-close" onClick={onClose} />
      <QrImage link={`${cardLink(userId)}?s=${token}`} />
      <div className="qr-person">
        {profile && <Person profile={profile} palette={palette} mode="preview" />}
      </div>
      {strip}
      <LiveNote events={events} />
    </Dialog>
  );
}

function LiveNote({ events }: { readonly events: readonly LiveEvent[] }) {
  const people = events.filter((event) => event.kind === 'connected');
  const last = people.at(-1);
  const name = last && [last.name, last.companyName].filter((text) => text !== '').join(', ');
  return (
    <output className="qr-live">
      {events.length > 0 && (
        <span key={events.length} className="row">
          {last && <Mosaic seed={last.name} grid={TILE_GRID} className="mosaic qr-tile" />}
          <bdi>{name ?? 'Opened'}</bdi>
          {people.length > 1 && <span className="muted">{people.length} people</span>}
        </span>
      )}
    </output>
  );
}

function newToken(): string {
  const random = crypto.getRandomValues(new Uint32Array(SCAN_TOKEN_LENGTH));
  return Array.from(
    random,
    (value) => SCAN_TOKEN_ALPHABET[value % SCAN_TOKEN_ALPHABET.length],
  ).join('');
}

/** The home screen's shortcut to the QR code (docs/product.md#full-screen-qr-code). */
export function useQrShortcut() {
  const [isOpen, setOpen] = useState(() =>
    new URLSearchParams(location.search).has(QR_SCREEN_QUERY),
  );
  // So that neither a reload nor Back opens the code again.
  useLayoutEffect(() => {
    if (isOpen) history.replaceState(history.state, '', PATHS.dashboard);
  }, [isOpen]);
  return { isOpen, close: () => setOpen(false) };
}

/** The browser releases the lock of a hidden page, so it is requested again when it is visible. */
function useWakeLock(): void {
  useEffect(() => {
    // Not every browser has it.
    const { wakeLock } = navigator as Partial<Navigator>;
    let lock: Promise<WakeLockSentinel | undefined> = Promise.resolve(undefined);
    const request = () => {
      if (document.visibilityState !== 'visible') return;
      lock = lock
        .then((held) => (held?.released === false ? held : wakeLock?.request('screen')))
        // The device saves power, or the page was hidden again.
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
