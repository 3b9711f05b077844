import './shell.css';

import { useEffect, useId, useRef, useState } from 'react';
import { Outlet, useSubmit } from 'react-router';

import { isOffline } from '#web/shared/http/connection.ts';
import { countWaiting, hasDraft, storedId } from '#web/shared/http/storage.ts';
import { PATHS } from '#domain/path.ts';
import { confirm } from '#web/shared/http/report.ts';
import { IconButton } from '#web/shared/ui/button.tsx';
import { useIsNarrow } from '#web/shared/ui/media-query.ts';
import { OfflineNote, Wordmark } from '#web/shared/ui/page-frame.tsx';

import { Sidebar } from './sidebar.tsx';

const UNSAVED_QUESTION = 'Log out without saving? What you typed will be lost.';
const notSent = (count: number) =>
  `Log out without sending? ${count} ${count === 1 ? 'contact that waits' : 'contacts that wait'} on this device will be lost.`;
const OFFLINE_QUESTION = 'Log out without a network?';
const OFFLINE_NOTE = 'You cannot sign in again until there is one.';

export function Page() {
  const [isOpen, setOpen] = useState(false);
  const sidebarId = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const submit = useSubmit();
  const isNarrow = useIsNarrow();

  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      toggle.current?.focus();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [isOpen]);

  const logOut = async () => {
    setOpen(false);
    const userId = storedId() ?? '';
    const waiting = await countWaiting(userId);
    const question = [
      (await hasDraft(userId)) && UNSAVED_QUESTION,
      waiting > 0 && notSent(waiting),
      isOffline() && OFFLINE_QUESTION,
      isOffline() && OFFLINE_NOTE,
    ].filter((text) => text !== false);
    if (question.length > 0 && !confirm(question.join(' '))) return;
    // A page with something unsaved may block it.
    await submit(null, { method: 'post', action: PATHS.login, replace: true });
  };

  return (
    <div className="shell">
      <header className="top-bar bar">
        <IconButton
          ref={toggle}
          name="Menu"
          icon="menu"
          aria-expanded={isOpen}
          aria-controls={sidebarId}
          onClick={() => setOpen(!isOpen)}
        />
        <Wordmark />
        <OfflineNote />
      </header>
      <Sidebar
        id={sidebarId}
        isOpen={isOpen}
        onChoose={() => setOpen(false)}
        onLogOut={() => void logOut()}
      />
      {isOpen && <div className="shell-scrim" aria-hidden="true" onClick={() => setOpen(false)} />}
      <main className="shell-main" inert={isOpen && isNarrow}>
        <Outlet />
      </main>
    </div>
  );
}
