import { useId, useState } from 'react';
import { Link, useLocation } from 'react-router';

import { ownerPages } from '#domain/page.ts';
import { PATHS } from '#domain/path.ts';
import { PolicyLinks } from '#view/policy-links.tsx';
import { settings } from '#web/shared/http/settings.ts';
import { LineIcon } from '#web/shared/ui/button.tsx';

import { MenuCount } from './new-contacts.tsx';

interface SidebarProps {
  readonly id: string;
  readonly isOpen: boolean;
  readonly onChoose: () => void;
  readonly onLogOut: () => void;
}

/** Narrow while closed, wide while open; on a phone a drawer. */
export function Sidebar({ id, isOpen, onChoose, onLogOut }: SidebarProps) {
  const countId = useId();
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
          <Legal />
        </div>
      </div>
    </nav>
  );
}

/** The policies, once it is pressed. */
function Legal() {
  const [isOpen, setOpen] = useState(false);
  const listId = useId();
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpen(!isOpen)}
      >
        Legal
      </button>
      <div id={listId} hidden={!isOpen}>
        <PolicyLinks />
      </div>
    </>
  );
}
