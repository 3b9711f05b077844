import './coming.css';

import { useLocation } from 'react-router';

import { usePageTitle } from '#web/ui/page-title.ts';

import { MENU } from './menu.ts';

const MARK_SIDE_PX = 64;

/** Contacts and Analytics: their placeholder, spelled as the specification spells it. */
export function Page() {
  const { pathname } = useLocation();
  const view = MENU.find(({ path }) => path === pathname.replace(/\/$/, ''));
  usePageTitle(view?.name ?? 'Dashboard');
  return (
    <div className="coming">
      <img src="/favicon.svg" width={MARK_SIDE_PX} height={MARK_SIDE_PX} alt="" />
      <h1>Comming Soon</h1>
    </div>
  );
}
