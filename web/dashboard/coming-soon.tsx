import './coming-soon.css';

import { useLocation } from 'react-router';

import { usePageTitle } from '#web/ui/page-title.ts';

import { MENU } from './sidebar.tsx';

const LOGO_SIDE_PX = 64;

/**
 * The placeholder of a view that VIEWS does not have (docs/product.md#views). The spelling is intended
 * (docs/product.md#odd-on-purpose).
 */
export function Page() {
  const { pathname } = useLocation();
  const entry = MENU.find(({ path }) => path === pathname.replace(/\/$/, ''));
  usePageTitle(entry?.name ?? 'Dashboard');
  return (
    <div className="coming-soon">
      <img src="/favicon.svg" width={LOGO_SIDE_PX} height={LOGO_SIDE_PX} alt="" />
      <h1>Comming Soon</h1>
    </div>
  );
}
