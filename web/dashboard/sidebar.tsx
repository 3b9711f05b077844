import './sidebar.css';

import { NavLink } from 'react-router';

import { Glyph } from '#web/ui/glyph.tsx';

import { MENU } from './menu.ts';

interface SidebarProps {
  readonly id: string;
  readonly isOpen: boolean;
  readonly onChoice: () => void;
  readonly onLogOut: () => void;
}

/** The dashboard's menu: a narrow rail that opens wide, on a phone a drawer. */
export function Sidebar({ id, isOpen, onChoice, onLogOut }: SidebarProps) {
  return (
    <nav id={id} className={isOpen ? 'sidebar sidebar-open' : 'sidebar'} aria-label="Dashboard">
      <ul>
        {MENU.map(({ name, path, glyph }) => (
          <li key={path}>
            <NavLink to={path} end className="sidebar-choice" onClick={onChoice}>
              <Glyph name={glyph} />
              {name}
            </NavLink>
          </li>
        ))}
      </ul>
      <button type="button" className="sidebar-choice" onClick={onLogOut}>
        <Glyph name="leave" />
        Log out
      </button>
    </nav>
  );
}
