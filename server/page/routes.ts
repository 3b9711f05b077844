import type { House } from '#server/http/route.ts';

import { applicationRoutes } from './application.ts';
import { assetRoutes } from './assets.ts';
import { cardRoutes } from './card-routes.ts';
import { contactFileRoutes } from './contact-file.ts';
import { networkIconRoutes } from './network-icons.ts';

/** Everything that a browser shows or saves. */
export function pageRoutes(house: House): void {
  applicationRoutes(house);
  assetRoutes(house);
  networkIconRoutes(house);
  cardRoutes(house);
  contactFileRoutes(house);
}
