import './shell.css';

import { useEffect, useId, useRef, useState } from 'react';
import type { MouseEvent } from 'react';
import { Outlet, useSubmit, Link, useLocation } from 'react-router';

import { ownerPages } from '#domain/page.ts';
import { PATHS } from '#domain/path.ts';
import { Wordmark } from '#view/document.tsx';
import { PolicyLinks } from '#view/policy-links.tsx';
import { isOffline } from '#web/shared/http/connection.ts';
import { confirm } from '#web/shared/http/report.ts';
import { settings } from '#web/shared/http/settings.ts';
import { countUnsentContacts, hasDraft, storedId } from '#web/shared/http/storage.ts';
import { IconButton, LineIcon, isRepeatedClick } from '#web/shared/ui/button.tsx';
import { useIsNarrow } from '#web/shared/ui/media-query.ts';
import { OfflineNote } from '#web/shared/ui/page-frame.tsx';

import { MenuCount } from './new-contacts.tsx';

const UNSAVED_QUESTION = "Log out without saving? You'll lose your changes.";
const unsentQuestion = (count: number) =>
  `Log out without sending? You'll lose ${count === 1 ? 'the contact' : `the ${count} contacts`} waiting on this device.`;
const OFFLINE_QUESTION = 'Log out without a network?';
const OFFLINE_NOTE = "You can't sign in again until you're back online.";

export function Page() {
  const [isOpen, setOpen] = useState(false);
  const sidebarId = useId();
  const menuButton = useRef<HTMLButtonElement>(null);
  const submit = useSubmit();
  const isNarrow = useIsNarrow();
  const isAsking = useRef(false);

  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      menuButton.current?.focus();
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [isOpen]);

  const logOut = async () => {
    if (isAsking.current) return;
    isAsking.current = true;
    setOpen(false);
    const userId = storedId() ?? '';
    const waiting = await countUnsentContacts(userId);
    const question = [
      (await hasDraft(userId)) && UNSAVED_QUESTION,
      waiting > 0 && unsentQuestion(waiting),
      isOffline() && OFFLINE_QUESTION,
      isOffline() && OFFLINE_NOTE,
    ].filter((text) => text !== false);
    isAsking.current = false;
    if (question.length > 0 && !confirm(question.join(' '))) return;
    // A page with unsaved changes may block this navigation.
    await submit(null, { method: 'post', action: PATHS.login, replace: true });
  };

  return (
    <div className="shell">
      <header className="top-bar bar">
        <IconButton
          ref={menuButton}
          name="Menu"
          icon="menu"
          aria-expanded={isOpen}
          aria-controls={sidebarId}
          onClick={() => setOpen(!isOpen)}
        />
        <Wordmark productName={settings().productName} />
        <OfflineNote />
      </header>
      <Sidebar
        id={sidebarId}
        isOpen={isOpen}
        onChoose={() => setOpen(false)}
        onLogOut={(event) => !isRepeatedClick(event) && void logOut()}
      />
      {isOpen && <div className="shell-scrim" aria-hidden="true" onClick={() => setOpen(false)} />}
      <main className="shell-main" inert={isOpen && isNarrow}>
        <Outlet />
      </main>
    </div>
  );
}

interface SidebarProps {
  readonly id: string;
  readonly isOpen: boolean;
  readonly onChoose: () => void;
  readonly onLogOut: (event: MouseEvent) => void;
}

/** The sidebar is narrow while it is closed and wide while it is open. On a phone it is a drawer. */
function Sidebar({ id, isOpen, onChoose, onLogOut }: SidebarProps) {
  const countId = useId();
  const listId = useId();
  const [showsPolicies, setShowsPolicies] = useState(false);
  const current = useLocation().pathname.replace(/\/$/, '');
  return (
    <nav id={id} className={isOpen ? 'sidebar sidebar-open' : 'sidebar'} aria-label="Dashboard">
      <ul>
        {ownerPages(true).map(
          ({ path, menu }) =>
            menu && (
              <li key={path}>
                <Link
                  to={path}
                  className="sidebar-entry"
                  aria-current={path === current ? 'page' : undefined}
                  aria-describedby={path === PATHS.contacts ? countId : undefined}
                  onClick={onChoose}
                >
                  <LineIcon name={menu.icon} />
                  {menu.name}
                  {path === PATHS.contacts && <MenuCount id={countId} />}
                </Link>
              </li>
            ),
        )}
      </ul>
      <div>
        <Link to={PATHS.account} className="sidebar-entry" onClick={onChoose}>
          <LineIcon name="account" />
          Account and data
        </Link>
        <button type="button" className="sidebar-entry" onClick={onLogOut}>
          <LineIcon name="logOut" />
          Log out
        </button>
        <div className="sidebar-foot">
          <a href={`mailto:${settings().supportEmail}`}>Support</a>
          <button
            type="button"
            aria-expanded={showsPolicies}
            aria-controls={listId}
            onClick={() => setShowsPolicies(!showsPolicies)}
          >
            Legal
          </button>
          <div id={listId} hidden={!showsPolicies}>
            <PolicyLinks />
          </div>
        </div>
      </div>
    </nav>
  );
}
