import './sidebar.css';

import { NavLink } from 'react-router';

import { PATHS } from '#domain/path.ts';
import { settings } from '#web/http/settings.ts';
import { LineIcon } from '#web/ui/line-icon.tsx';
import { PolicyLinks } from '#web/ui/policy-links.tsx';

/** The entries of the menu (docs/product.md#dashboard). */
export const MENU = [
  { name: 'Home', path: PATHS.dashboard, icon: 'home' },
  { name: 'Contacts', path: PATHS.contacts, icon: 'contacts' },
  { name: 'Analytics', path: PATHS.analytics, icon: 'analytics' },
] as const;

interface SidebarProps {
  readonly id: string;
  readonly isOpen: boolean;
  readonly onChoose: () => void;
  readonly onLogOut: () => void;
}

/** The dashboard's menu: narrow while closed, wide while open; on a phone a drawer. */
export function Sidebar({ id, isOpen, onChoose, onLogOut }: SidebarProps) {
  return (
    <nav id={id} className={isOpen ? 'sidebar sidebar-open' : 'sidebar'} aria-label="Dashboard">
      <ul>
        {MENU.map(({ name, path, icon }) => (
          <li key={path}>
            <NavLink to={path} end className="sidebar-entry" onClick={onChoose}>
              <LineIcon name={icon} />
              {name}
            </NavLink>
          </li>
        ))}
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
