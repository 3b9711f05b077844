import './sidebar.css';

import { NavLink } from 'react-router';

import { settings } from '#web/http/settings.ts';
import { ALL_PAGES } from '#web/page-table.ts';
import { LineIcon } from '#web/ui/line-icon.tsx';
import { PolicyLinks } from '#web/ui/policy-links.tsx';

interface SidebarProps {
  readonly id: string;
  readonly isOpen: boolean;
  readonly onChoose: () => void;
  readonly onLogOut: () => void;
}

/** Narrow while closed, wide while open; on a phone a drawer. */
export function Sidebar({ id, isOpen, onChoose, onLogOut }: SidebarProps) {
  return (
    <nav id={id} className={isOpen ? 'sidebar sidebar-open' : 'sidebar'} aria-label="Dashboard">
      <ul>
        {ALL_PAGES.map(
          ({ path, menu }) =>
            menu && (
              <li key={path}>
                <NavLink to={path} end className="sidebar-entry" onClick={onChoose}>
                  <LineIcon name={menu.icon} />
                  {menu.name}
                </NavLink>
              </li>
            ),
        )}
      </ul>
      <div>
        <button type="button" className="sidebar-entry" onClick={onLogOut}>
          <LineIcon name="logOut" />
          Log out
        </button>
        <div className="sidebar-foot">
          <PolicyLinks supportEmail={settings().supportEmail} />
        </div>
      </div>
    </nav>
  );
}
