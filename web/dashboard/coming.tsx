import './coming.css';

import { useLocation } from 'react-router';

import { usePageTitle } from '#web/ui/page-title.ts';

import { MENU } from './menu.ts';

/** Contacts and Analytics: their placeholder, spelled as the specification spells it. */
export function Page() {
  const { pathname } = useLocation();
  const view = MENU.find(({ path }) => path === pathname.replace(/\/$/, ''));
  usePageTitle(view?.name ?? 'Dashboard');
  return (
    <div className="coming">
      <svg viewBox="0 0 46 46" aria-hidden="true">
        <path d="M0 0h22v22H0zM24 24h22v22H24z" />
        <path d="M24 0h22v22H24zM0 24h22v22H0z" />
      </svg>
      <h1>Comming Soon</h1>
    </div>
  );
}
